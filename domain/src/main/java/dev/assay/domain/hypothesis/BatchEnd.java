package dev.assay.domain.hypothesis;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The end of one batch's call, repair included.
 *
 * @param batchIndex which batch, from 0
 * @param reply what was read; without readings when nothing was answered
 * @param failure why it ended, with the code in the text; null: it was answered
 */
public record BatchEnd(
        int batchIndex, ChallengeReply reply, @Nullable String failure) {

    private static final int SHOWN = 5;

    /** A batch that was never answered. */
    public static BatchEnd failed(int batchIndex, String failure) {
        return new BatchEnd(batchIndex, new ChallengeReply(Map.of(), List.of()), failure);
    }

    /** Whether one hypothesis at least was scored. */
    boolean isUsable() {
        return reply.readings().values().stream().anyMatch(Reading.Evaluated.class::isInstance);
    }

    /** The reason why nothing of the batch can be used. */
    String error() {
        if (failure != null) {
            return failure;
        }
        List<String> problems = reply.readings().entrySet().stream()
                .limit(SHOWN)
                .filter(entry -> entry.getValue() instanceof Reading.Invalid)
                .map(entry -> entry.getKey() + ": " + ((Reading.Invalid) entry.getValue()).text())
                .toList();
        return "No usable answer, nor to the repair. " + String.join(" ", problems);
    }

    /** The reason why one hypothesis of the batch has no score. */
    String error(@Nullable Reading reading) {
        if (!(reading instanceof Reading.Invalid invalid)) {
            return error();
        }
        return failure == null ? invalid.text() : invalid.text() + " The repair failed: " + failure;
    }
}
