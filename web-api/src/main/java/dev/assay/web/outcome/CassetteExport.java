package dev.assay.web.outcome;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.domain.replay.Recording;
import dev.assay.domain.usage.Usage;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.FinishedJudgeCall;
import dev.assay.store.result.OutcomeStreams;
import dev.assay.store.result.RecordedAnswer;
import dev.assay.web.stream.WrittenFiles;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Writes a campaign's recorded answers as a cassette, while they are read from the store. */
@Singleton
final class CassetteExport {

    /** JSON Lines. */
    static final String MEDIA_TYPE = "application/x-ndjson";

    private final OutcomeStreams outcomes;
    private final WrittenFiles files;

    CassetteExport(OutcomeStreams outcomes, WrittenFiles files) {
        this.files = files;
        this.outcomes = outcomes;
    }

    /** The lines of the cassette. A failure before the first ones is thrown here; a later one cuts the file off. */
    InputStream open(StoredCampaign campaign) {
        return files.open(out -> write(campaign, out));
    }

    private void write(StoredCampaign campaign, OutputStream out) throws IOException {
        Set<Question> written = new HashSet<>();
        outcomes.<IOException>recordedAnswers(campaign.id(), answer -> {
            for (CassetteEntry entry : entries(campaign, answer)) {
                // Two branches that ask the same thing are one question; a cassette answers it once.
                if (written.add(new Question(entry.key(), entry.trial()))) {
                    out.write((Json.write(entry) + "\n").getBytes(StandardCharsets.UTF_8));
                }
            }
        });
    }

    private static List<CassetteEntry> entries(StoredCampaign campaign, RecordedAnswer answer) {
        return switch (answer) {
            case RecordedAnswer.OfBranch(List<Message> context, Outcome outcome) -> {
                Branch branch = campaign.definition().branches().get(outcome.branchIndex());
                List<List<Message>> conversations = conversations(campaign, outcome);
                yield IntStream.range(0, conversations.size())
                        .mapToObj(i -> {
                            boolean isLast = i == conversations.size() - 1;
                            return entries(
                                    branch.agent().model(),
                                    choice -> new Recording(
                                            choice,
                                            branch.systemPrompt(),
                                            branch.tools().declared(),
                                            campaign.grid().trial(outcome.ordinal()),
                                            context,
                                            conversations.get(i),
                                            isLast ? outcome.usage() : Usage.NONE,
                                            isLast || outcome.costUsd() == null ? outcome.costUsd() : BigDecimal.ZERO,
                                            isLast ? outcome.latency() : Duration.ZERO));
                        })
                        .flatMap(List::stream)
                        .toList();
            }
            case RecordedAnswer.OfJudge(FinishedJudgeCall call) -> {
                Optional<ModelChoice> asked = campaign.definition()
                        .evaluator(call.slot(), call.model())
                        .flatMap(Agent::model);
                Message reply = Message.assistant(requireNonNull(call.answer().reply()));
                yield entries(
                        asked,
                        choice -> new Recording(
                                choice,
                                call.model() == null ? call.asked().systemPrompt() : null,
                                List.of(),
                                campaign.grid().trial(call.ordinal()),
                                call.messages(),
                                List.of(reply),
                                call.usage(),
                                call.costUsd(),
                                call.measured().latency()));
            }
        };
    }

    /** The repair of a batch of hypotheses is a conversation of its own; the last one carries the totals. */
    private static List<List<Message>> conversations(StoredCampaign campaign, Outcome outcome) {
        List<List<Message>> conversations = new ArrayList<>();
        for (Message message : outcome.answer().newMessages()) {
            boolean begins = campaign.scoresHypotheses() && message.role() == Role.USER;
            if (conversations.isEmpty() || begins) {
                conversations.add(new ArrayList<>());
            }
            conversations.getLast().add(message);
        }
        return conversations;
    }

    private static List<CassetteEntry> entries(
            Optional<ModelChoice> asked, Function<ModelChoice, Recording> recording) {
        return asked.map(recording).map(Recording::entries).orElse(List.of());
    }

    private record Question(String key, int trial) {}
}
