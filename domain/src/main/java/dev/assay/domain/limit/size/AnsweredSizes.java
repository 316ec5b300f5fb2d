package dev.assay.domain.limit.size;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The last answers of a model, by which the next request is estimated. Sums count, not means of ratios: one answer of an odd ratio
 * weighs no more than its size.
 *
 * @param last the oldest first, at most 200
 */
public record AnsweredSizes(List<AnsweredSize> last) {

    /** No answer yet. */
    public static final AnsweredSizes NONE = new AnsweredSizes(List.of());

    private static final int KEPT = 200;

    /** Fewer answers than this are too few to go by. */
    private static final int KNOWN = 20;

    private static final long UNKNOWN_PERMILLE = 1_200;
    private static final long LEAST_PERMILLE = 250;
    private static final long MOST_PERMILLE = 4_000;
    private static final long UNKNOWN_OUTPUT = 1_024;

    public AnsweredSizes {
        last = List.copyOf(last.subList(Math.max(0, last.size() - KEPT), last.size()));
    }

    /** The same after another answer. */
    public AnsweredSizes with(AnsweredSize answer) {
        List<AnsweredSize> more = new ArrayList<>(last);
        more.add(answer);
        return new AnsweredSizes(more);
    }

    /** Tokens of input that {@code base} tokens by bytes are likely to be. */
    long input(long base) {
        return Math.ceilDiv(base * inputPermille(), 1_000);
    }

    private long inputPermille() {
        long base = sum(AnsweredSize::base);
        return last.size() < KNOWN || base == 0
                ? UNKNOWN_PERMILLE
                : Math.clamp(Math.ceilDiv(1_000 * sum(AnsweredSize::input), base), LEAST_PERMILLE, MOST_PERMILLE);
    }

    /** Tokens of output that are likely to be written: the mean. */
    long output() {
        return last.size() < KNOWN ? UNKNOWN_OUTPUT : Math.ceilDiv(sum(AnsweredSize::output), last.size());
    }

    private long sum(ToLongFunction<AnsweredSize> tokens) {
        return last.stream().mapToLong(tokens).sum();
    }
}
