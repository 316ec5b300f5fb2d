package dev.assay.domain.limit.size;

import dev.assay.domain.limit.LimitKind;

/**
 * The change that an answer makes in the charge of its request: positive is owed, negative is returned.
 *
 * @param tokens of limits of both together
 */
public record Adjustment(long input, long output, long tokens) {

    /** Nothing is known that would change the charge. */
    public static final Adjustment NONE = new Adjustment(0, 0, 0);

    /** What changes in a limit of {@code kind}. The number of requests is never wrong. */
    public long of(LimitKind kind) {
        return switch (kind.unit()) {
            case REQUESTS -> 0;
            case INPUT -> input;
            case OUTPUT -> output;
            case TOKENS -> tokens;
        };
    }
}
