package dev.assay.domain.usage;

import org.jspecify.annotations.Nullable;

/**
 * Tokens of one answer, or of the turns that led to it. A number that the provider did not report is null, never 0.
 *
 * <p>{@code total} is what the provider reported, or {@code input + output} where it reports both and no total. Sums add it field by
 * field and never recompute it (docs/evaluations.md). Sums over answers are a {@link UsageTotal}.
 *
 * @param input tokens of the prompt, at least 0
 * @param output tokens of the answer, reasoning included, at least 0
 * @param reasoning tokens of {@code output} that were reasoning, at least 0
 * @param cacheRead tokens of {@code input} that the provider read from its cache, at least 0
 * @param cacheWrite tokens that the provider wrote to its cache, at least 0
 * @param total all tokens, at least 0
 */
public record Usage(
        @Nullable Long input,
        @Nullable Long output,
        @Nullable Long reasoning,
        @Nullable Long cacheRead,
        @Nullable Long cacheWrite,
        @Nullable Long total) {

    /** No tokens at all: nothing was answered. */
    public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0);

    /** The usage of an answer of which nothing was reported. */
    public static final Usage UNKNOWN = new Usage(null, null, null, null, null, null);

    public Usage {
        if (isNegative(input)
                || isNegative(output)
                || isNegative(reasoning)
                || isNegative(cacheRead)
                || isNegative(cacheWrite)
                || isNegative(total)) {
            throw new IllegalArgumentException("Usage must not be negative");
        }
    }

    /** A usage of which every number is known. */
    public Usage(long input, long output, long reasoning, long cacheRead, long cacheWrite, long total) {
        this((Long) input, (Long) output, (Long) reasoning, (Long) cacheRead, (Long) cacheWrite, (Long) total);
    }

    /** Usage of a call without reasoning and cache. */
    public static Usage of(long input, long output) {
        return new Usage(input, output, 0, 0, 0, input + output);
    }

    /** The total: what was reported, else the sum of input and output; null where one of these is unknown. */
    public static @Nullable Long total(@Nullable Long reported, @Nullable Long input, @Nullable Long output) {
        return reported != null || input == null || output == null ? reported : (Long) (input + output);
    }

    private static boolean isNegative(@Nullable Long tokens) {
        return tokens != null && tokens < 0;
    }

    /** Whether its total is known. An answer takes tokens, so a total of 0 says that nothing was counted. */
    public boolean known() {
        return total != null && total > 0;
    }

    /** Whether it was reported completely: input, output and total. */
    public boolean complete() {
        return input != null && output != null && known();
    }

    /** Whether it is that of an answer which did not report it completely. This decides what {@code unknownUsage} counts. */
    public boolean missing() {
        return !complete() && !equals(NONE);
    }

    /** The same as the usage of an answer: unknown where nothing was counted. */
    public Usage ofAnswer() {
        return total != null && total == 0 ? UNKNOWN : this;
    }

    /** The fewest tokens that it can be: its total, else those of input and output that are known. */
    public long atLeast() {
        return total != null ? total : (input == null ? 0 : input) + (output == null ? 0 : output);
    }

    /** The field-wise sum of one loop's turns; what is unknown of one is unknown of both. */
    public Usage plus(Usage other) {
        return combined(other, (one, two) -> one == null || two == null ? null : (Long) (one + two));
    }

    /** The field-wise sum of what is known of several answers. */
    Usage plusKnown(Usage other) {
        return combined(
                other, (one, two) -> one == null || two == null ? (one == null ? two : one) : (Long) (one + two));
    }

    /** Two numbers as one. */
    @FunctionalInterface
    private interface Sum {
        @Nullable
        Long of(@Nullable Long one, @Nullable Long two);
    }

    private Usage combined(Usage other, Sum sum) {
        return new Usage(
                sum.of(input, other.input),
                sum.of(output, other.output),
                sum.of(reasoning, other.reasoning),
                sum.of(cacheRead, other.cacheRead),
                sum.of(cacheWrite, other.cacheWrite),
                sum.of(total, other.total));
    }
}
