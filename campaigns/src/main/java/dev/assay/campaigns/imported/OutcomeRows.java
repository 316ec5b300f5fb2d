package dev.assay.campaigns.imported;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.Problems;
import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.draw.DrawRecord;
import dev.assay.domain.gate.TrialScore;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.results.AggregateTally;
import dev.assay.domain.results.ComparedAggregate;
import dev.assay.domain.results.ImportHeader;
import dev.assay.domain.results.ImportOrigin;
import dev.assay.domain.results.ImportedOutcome;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.Suite;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes rows of outcomes that another tool recorded, some hundred at a time, each cell once. */
final class OutcomeRows {

    private static final int AT_ONCE = 500;

    /** Nobody's: no worker ran a cell. */
    private static final String WORKER = "import";

    private final StoredCampaign campaign;
    private final Suite suite;
    private final DrawRecord draw;
    private final Consumer<List<RecordOutcome>> writer;
    private final AggregateTally tally;
    private final Map<String, Integer> branches;
    private final Map<String, Integer> cases = new HashMap<>();
    private final List<RecordOutcome> waiting = new ArrayList<>();
    private final BitSet seen = new BitSet();

    OutcomeRows(StoredCampaign campaign, Suite suite, ImportHeader header, Consumer<List<RecordOutcome>> writer) {
        this.campaign = campaign;
        this.suite = suite;
        this.draw = draw(header.origin(), campaign);
        this.writer = writer;
        this.tally = new AggregateTally(header.aggregates());
        this.branches = header.branchPlaces();
        for (int i = 0; i < suite.cases().size(); i++) {
            cases.put(suite.cases().get(i).id(), i);
        }
    }

    /** Where the tool does not say when it asked, the import stands for it. */
    private static DrawRecord draw(ImportOrigin origin, StoredCampaign campaign) {
        Instant answeredAt = Objects.requireNonNullElse(origin.createdAt(), campaign.createdAt());
        return new DrawRecord(null, new AnswerOrigin(AnswerSource.IMPORTED, null, answeredAt));
    }

    /** Adds an outcome, or reports why it belongs to no cell. */
    void add(ImportedOutcome outcome, String path, Problems problems) {
        ImportedOutcome.Place place = outcome.place();
        Integer caseIndex = cases.get(place.caseId());
        Integer branchIndex = branches.get(place.branchId());
        if (caseIndex == null) {
            problems.add(
                    DocumentPath.field(path, "caseId"),
                    "There is no case `" + place.caseId() + "`; send it before its outcomes.");
        } else if (branchIndex == null) {
            problems.add(
                    DocumentPath.field(path, "branchId"),
                    "There is no branch `" + place.branchId() + "`; the header names the branches.");
        } else if (place.trial() > campaign.trials()) {
            problems.add(
                    DocumentPath.field(path, "trial"),
                    "There are " + campaign.trials() + " trials; write a larger number into the header.");
        } else if (isSeen(caseIndex, branchIndex, place.trial())) {
            problems.add(
                    path,
                    "Case `" + place.caseId() + "` has an outcome of branch `" + place.branchId() + "` in trial "
                            + place.trial() + " already; send each cell once.");
        } else {
            add(outcome, caseIndex, branchIndex);
        }
    }

    private boolean isSeen(int caseIndex, int branchIndex, int trial) {
        int cell = campaign.grid().ordinal(caseIndex, trial) * branches.size() + branchIndex;
        boolean isSeen = seen.get(cell);
        seen.set(cell);
        return isSeen;
    }

    private void add(ImportedOutcome imported, int caseIndex, int branchIndex) {
        Case asked = suite.cases().get(caseIndex);
        int trial = imported.place().trial();
        int ordinal = campaign.grid().ordinal(caseIndex, trial);
        Branch branch = campaign.definition().branches().get(branchIndex);
        Outcome outcome = new Outcome(
                ordinal,
                branchIndex,
                campaign.loopId(ordinal, branchIndex, branch.segment()).text(),
                imported.end(),
                answer(imported, asked),
                imported.measured(),
                imported.checks());
        tally.add(imported, Set.copyOf(asked.tags()));
        waiting.add(new RecordOutcome(
                campaign.id(),
                campaign.epoch(),
                WORKER,
                caseIndex,
                trial,
                outcome,
                imported.passed(),
                score(imported.score(), outcome),
                imported.warnings(),
                imported.delivered() == null
                        ? draw
                        : new DrawRecord(draw.request(), draw.origin(), imported.delivered())));
        if (waiting.size() == AT_ONCE) {
            write();
        }
    }

    /** Where only a response is known, the conversation is what was asked and that. */
    private static Outcome.Answer answer(ImportedOutcome imported, Case asked) {
        Outcome.Answer answer = imported.answer();
        if (!answer.newMessages().isEmpty()) {
            return answer;
        }
        List<Message> messages = new ArrayList<>(asked.prompts());
        if (!answer.response().isEmpty()) {
            messages.add(Message.assistant(answer.response()));
        }
        return new Outcome.Answer(
                messages,
                0,
                answer.response(),
                answer.provenance(),
                answer.program(),
                answer.finishReason(),
                answer.output());
    }

    private static @Nullable Double score(@Nullable Double said, Outcome outcome) {
        return said != null && said >= 0 && said <= 1 ? said : TrialScore.of(outcome);
    }

    private void write() {
        writer.accept(List.copyOf(waiting));
        waiting.clear();
    }

    /** Writes what waits, and answers with what the tool says of all. */
    List<ComparedAggregate> end() {
        write();
        return tally.compared();
    }
}
