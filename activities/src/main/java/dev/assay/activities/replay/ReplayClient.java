package dev.assay.activities.replay;

import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.usage.Measured;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** A client that gives recorded answers, with their usage, cost and latency, at once. */
public final class ReplayClient implements ModelClient {

    private static final int EXCERPT_CHARS = 80;
    private static final int SHOWN_TRIALS = 10;

    private final CassetteSource cassettes;
    private final ModelChoice choice;
    private final String cassetteId;

    /**
     * @param choice the model whose answers were recorded
     * @param cassetteId content hash of the cassette that answers
     */
    public ReplayClient(CassetteSource cassettes, ModelChoice choice, String cassetteId) {
        this.cassettes = cassettes;
        this.choice = choice;
        this.cassetteId = cassetteId;
    }

    /**
     * @throws ModelException NO_RECORDED_ANSWER when this was not asked, or not in this trial
     */
    @Override
    public ModelReply ask(ModelRequest request) {
        String key = RequestKey.of(choice, request.systemPrompt(), request.messages(), request.tools());
        CassetteEntry entry = cassettes
                .find(cassetteId, key, request.trial())
                .orElseThrow(() -> new ModelException(
                        ErrorCode.NO_RECORDED_ANSWER,
                        missing(request, cassettes.recordedTrials(cassetteId, key)),
                        null,
                        null));
        return new ModelReply(
                entry.reply(), new Measured(entry.usage(), entry.costUsd(), Duration.ofMillis(entry.latencyMs())));
    }

    private String missing(ModelRequest request, List<Integer> recorded) {
        String asked = "The cassette has no answer of %s/%s to \"%s\""
                .formatted(choice.provider(), choice.model(), excerpt(request));
        if (recorded.isEmpty()) {
            return asked + "; the prompt, the system prompt, a parameter or a tool was changed since it was recorded."
                    + " Record it again.";
        }
        return asked
                + " for trial %d, only for %s %s; run fewer trials or record it again."
                        .formatted(request.trial(), recorded.size() == 1 ? "trial" : "trials", numbers(recorded));
    }

    private static String numbers(List<Integer> trials) {
        String shown = trials.stream().limit(SHOWN_TRIALS).map(String::valueOf).collect(Collectors.joining(", "));
        return trials.size() > SHOWN_TRIALS ? shown + " …" : shown;
    }

    private static String excerpt(ModelRequest request) {
        String text =
                request.messages().isEmpty() ? "" : request.messages().getLast().text();
        return Excerpt.of(text, EXCERPT_CHARS);
    }
}
