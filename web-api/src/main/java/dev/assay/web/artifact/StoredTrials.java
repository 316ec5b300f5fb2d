package dev.assay.web.artifact;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.rendering.CaseTrials;
import dev.assay.domain.rendering.HtmlReport;
import dev.assay.domain.rendering.RunLayout;
import dev.assay.domain.rendering.TrialResults;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.trace.Traces;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.result.OutcomeContent;
import dev.assay.store.result.OutcomeFilter;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.OutcomeRow;
import dev.assay.store.result.ProgramOutput;
import dev.assay.web.outcome.OutcomeView;
import dev.assay.web.outcome.TrialFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The trials of a stored campaign: its results as reports have them, and the files of each. */
final class StoredTrials implements CaseTrials {

    /** Outcomes in memory at once, each with its answer. */
    private static final int AT_ONCE = 32;

    private final OutcomeQueries outcomes;
    private final StoredCampaign campaign;
    private final boolean hasAnswers;

    StoredTrials(OutcomeQueries outcomes, StoredCampaign campaign) {
        this(outcomes, campaign, false);
    }

    private StoredTrials(OutcomeQueries outcomes, StoredCampaign campaign, boolean hasAnswers) {
        this.outcomes = outcomes;
        this.campaign = campaign;
        this.hasAnswers = hasAnswers;
    }

    /** Trials with the beginning of their answers, which {@code result.json} does not have. */
    static StoredTrials withAnswers(OutcomeQueries outcomes, StoredCampaign campaign) {
        return new StoredTrials(outcomes, campaign, true);
    }

    /** Receives one file. */
    @FunctionalInterface
    interface FileReader {
        void read(String path, byte[] content) throws IOException;
    }

    @Override
    public void forEach(BranchSummary branch, Reader reader) throws IOException {
        List<CaseSummary> cases = branch.cases();
        int trials = campaign.trials();
        int casesAtOnce = Math.max(1, AT_ONCE / trials);
        for (int from = 0; from < cases.size(); from += casesAtOnce) {
            int first = from;
            int until = Math.min(cases.size(), from + casesAtOnce);
            List<Map<Integer, ObjectNode>> results = results(branch.branchId(), first, until);
            for (int i = first; i < until; i++) {
                ArrayNode all = TrialResults.all(cases.get(i), results.get(i - first));
                reader.read(cases.get(i), all);
            }
        }
    }

    /** The results of some cases, by the numbers of their trials. Answers are dropped as soon as they are read. */
    private List<Map<Integer, ObjectNode>> results(String branchId, int first, int until) {
        List<Map<Integer, ObjectNode>> results = IntStream.range(first, until)
                .<Map<Integer, ObjectNode>>mapToObj(i -> new HashMap<>())
                .toList();
        OutcomeFilter filter = new OutcomeFilter(null, branchId, null, null, null);
        List<Integer> ordinals = IntStream.rangeClosed(1, campaign.trials())
                .flatMap(trial -> IntStream.range(first, until)
                        .map(index -> campaign.grid().ordinal(index, trial)))
                .boxed()
                .toList();
        for (int from = 0; from < ordinals.size(); from += AT_ONCE) {
            List<Integer> some = ordinals.subList(from, Math.min(ordinals.size(), from + AT_ONCE));
            Page.forEach(
                    token -> outcomes.page(
                            campaign.id(), filter, some, OutcomeContent.LISTED, PageRequest.of(token, AT_ONCE)),
                    row -> {
                        int index = campaign.grid().caseIndex(row.outcome().ordinal());
                        results.get(index - first).put(row.trial(), result(row, program(row)));
                    });
        }
        return results;
    }

    /**
     * Hands over the files of a trial of every branch that has an outcome, {@code result.json} last.
     *
     * @param isRead whether the files of a branch are read
     */
    void files(int ordinal, BranchChoice isRead, RunLayout layout, FileReader reader) throws IOException {
        Page.<OutcomeRow, IOException>forEach(
                token -> outcomes.transcripts(campaign.id(), ordinal, PageRequest.of(token, AT_ONCE)), row -> {
                    if (isRead.reads(row.outcome().branchIndex())) {
                        files(row, layout, reader);
                    }
                });
    }

    private void files(OutcomeRow row, RunLayout layout, FileReader reader) throws IOException {
        ProgramOutput program = program(row);
        for (String file : RunLayout.TRIAL_FILES) {
            reader.read(path(layout, row, file), file(file, row.outcome(), program));
        }
        byte[] result = (TrialResults.pretty(result(row, program)) + "\n").getBytes(StandardCharsets.UTF_8);
        reader.read(path(layout, row, RunLayout.RESULT), result);
    }

    /** Chooses branches by their index. */
    @FunctionalInterface
    interface BranchChoice {
        boolean reads(int branchIndex);
    }

    private static String path(RunLayout layout, OutcomeRow row, String file) {
        return layout.trial(row.caseId(), row.branchId(), row.trial(), file);
    }

    private byte[] file(String name, Outcome outcome, @Nullable ProgramOutput program) {
        return Objects.requireNonNull(
                TrialFile.of(name, outcome, campaign.definition().branches().get(outcome.branchIndex()), program));
    }

    private @Nullable ProgramOutput program(OutcomeRow row) {
        Outcome outcome = row.outcome();
        return row.commands() != null
                ? null
                : outcomes.programOutput(campaign.id(), outcome.ordinal(), outcome.branchIndex())
                        .orElse(null);
    }

    /** The commands of a program are those of its trace. */
    private ObjectNode result(OutcomeRow row, @Nullable ProgramOutput program) {
        ObjectNode listed = Json.mapper().valueToTree(OutcomeView.of(row));
        if (program != null) {
            String trace = new String(file(RunLayout.TRACE, row.outcome(), program), StandardCharsets.UTF_8);
            listed.put("commandCount", Traces.commands(Traces.read(trace)));
        }
        ObjectNode result = TrialResults.result(listed);
        return hasAnswers
                ? result.put(HtmlReport.ANSWER, Excerpt.shortened(row.outcome().response(), HtmlReport.LONGEST_TEXT))
                : result;
    }
}
