package dev.assay.domain.estimate;

import dev.assay.domain.usage.Usage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The usage of a model in an earlier campaign.
 *
 * @param calls cells or judge calls that reported their usage completely, at least 1
 * @param usage tokens of all of them together
 * @param seconds of a live call, on average over all calls of the campaign; null: not known
 */
public record RecordedUse(
        String campaignId,
        long calls,
        Usage usage,
        @Nullable Double seconds) {

    /** The same, where a live call takes this time; null: not known. */
    public RecordedUse taking(@Nullable Duration call) {
        return new RecordedUse(campaignId, calls, usage, call == null ? null : (Double) (call.toMillis() / 1000.0));
    }

    /** The tokens of one call, on average. What is not known of all is not known of one. */
    Usage ofOne() {
        Long input = usage.input();
        Long output = usage.output();
        return input == null || output == null ? Usage.NONE : Usage.of(rounded(input), rounded(output));
    }

    private long rounded(long all) {
        return Math.round((double) all / calls);
    }
}
