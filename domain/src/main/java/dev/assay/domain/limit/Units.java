package dev.assay.domain.limit;

/**
 * The units that a request spends.
 *
 * @param requests usually 1, at least 0
 * @param input tokens that are sent, at least 0
 * @param output tokens that are written, or may be, at least 0
 * @param tokens what counts of both together, at least 0
 */
public record Units(long requests, long input, long output, long tokens) {

    /** More than any limit allows. What strangers report is cut to it, so that no sum overflows. */
    public static final long MOST = 5 * Spending.MOST_LIMIT;

    /** What a request spends where nothing is limited. */
    public static final Units NONE = new Units(0, 0, 0, 0);

    public Units {
        if (Math.min(Math.min(requests, input), Math.min(output, tokens)) < 0) {
            throw new IllegalArgumentException("Units are not negative");
        }
    }

    /** The units of one request. */
    public static Units ofRequest(long input, long output) {
        return new Units(1, input, output, input + output);
    }

    /** What counts in a limit of {@code kind}. */
    public long of(LimitKind kind) {
        return switch (kind.unit()) {
            case REQUESTS -> requests;
            case INPUT -> input;
            case OUTPUT -> output;
            case TOKENS -> tokens;
        };
    }
}
