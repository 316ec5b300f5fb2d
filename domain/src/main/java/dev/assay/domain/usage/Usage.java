package dev.assay.domain.usage;

/**
 * Tokens that one or more model calls used.
 *
 * <p>{@code total} is what the provider reported, or {@code input + output} where it reports none; sums add it field by
 * field and never recompute it (docs/evaluations.md).
 *
 * @param input tokens of the prompt, at least 0
 * @param output tokens of the answer, reasoning included, at least 0
 * @param reasoning tokens of {@code output} that were reasoning, at least 0
 * @param cacheRead tokens of {@code input} that the provider read from its cache, at least 0
 * @param cacheWrite tokens that the provider wrote to its cache, at least 0
 * @param total all tokens, at least 0
 */
public record Usage(long input, long output, long reasoning, long cacheRead, long cacheWrite, long total) {

    /** No tokens at all. */
    public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0);

    public Usage {
        if (input < 0 || output < 0 || reasoning < 0 || cacheRead < 0 || cacheWrite < 0 || total < 0) {
            throw new IllegalArgumentException("Usage must not be negative");
        }
    }

    /** Usage of a call whose provider reports only input and output. */
    public static Usage of(long input, long output) {
        return new Usage(input, output, 0, 0, 0, input + output);
    }

    /** Whether a provider reported it: an answer takes tokens, so zero means that nothing was reported. */
    public boolean known() {
        return total > 0;
    }

    /** The field-wise sum. */
    public Usage plus(Usage other) {
        return new Usage(
                input + other.input,
                output + other.output,
                reasoning + other.reasoning,
                cacheRead + other.cacheRead,
                cacheWrite + other.cacheWrite,
                total + other.total);
    }
}
