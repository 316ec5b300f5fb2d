package dev.assay.domain.hypothesis;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The cut of hypotheses into calls, and the number of concurrent calls (ADR-006).
 *
 * @param batchSize hypotheses of one call, at most; at least 1
 * @param maxConcurrent calls at once, at most; at least 1
 */
public record BatchPlan(Mode mode, int batchSize, int maxConcurrent) {

    /** The most hypotheses for which one call is made by default. */
    private static final int MOST_IN_ONE_CALL = 3;

    private static final int USUAL_BATCH = 2;
    private static final int USUAL_CONCURRENT = 3;

    /** The mode of cutting calls. Users write the constant in lower case. */
    public enum Mode {
        /** One call for all. */
        SINGLE,
        /** One call for each few. */
        BATCHED,
        /** One call for each. */
        INDIVIDUAL;

        /** The word that users write and read. */
        @JsonValue
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The user's settings; each is independent of the others.
     *
     * @param mode null: by the number of hypotheses
     * @param batchSize at least 1; null: by the mode
     * @param maxConcurrent at least 1; null: by the mode
     */
    public record Wish(
            @Nullable Mode mode,
            @Nullable Integer batchSize,
            @Nullable Integer maxConcurrent) {

        /** Nothing is wished. */
        public static final Wish NONE = new Wish(null, null, null);
    }

    /**
     * The plan for {@code count} hypotheses, at least 1. Where a single call follows from the count, the sizes of {@code wish} do
     * not count.
     */
    public static BatchPlan of(int count, Wish wish) {
        if (wish.mode() == null && count <= MOST_IN_ONE_CALL) {
            return new BatchPlan(Mode.SINGLE, count, 1);
        }
        Mode mode = wish.mode() == null ? Mode.BATCHED : wish.mode();
        return switch (mode) {
            case SINGLE -> new BatchPlan(mode, count, or(wish.maxConcurrent(), 1));
            case BATCHED ->
                new BatchPlan(mode, or(wish.batchSize(), USUAL_BATCH), or(wish.maxConcurrent(), USUAL_CONCURRENT));
            case INDIVIDUAL -> new BatchPlan(mode, 1, or(wish.maxConcurrent(), USUAL_CONCURRENT));
        };
    }

    /** The contradiction in {@code wish}, as the end of a sentence about its batch size; null: none. */
    static @Nullable String contradiction(int count, Wish wish) {
        Integer size = wish.batchSize();
        if (size == null || wish.mode() == null) {
            return null;
        }
        return switch (wish.mode()) {
            case SINGLE -> size < count ? "is " + size + ", but mode single takes all " + count + " in one call" : null;
            case BATCHED -> null;
            case INDIVIDUAL -> size > 1 ? "is " + size + ", but mode individual takes one for each call" : null;
        };
    }

    private static int or(@Nullable Integer wished, int usual) {
        return wished == null ? usual : wished;
    }

    /** The places of the hypotheses of each batch, from 0, in input order. */
    public List<List<Integer>> batches(int count) {
        List<List<Integer>> batches = new ArrayList<>();
        for (int from = 0; from < count; from += batchSize) {
            int to = Math.min(count, from + batchSize);
            batches.add(IntStream.range(from, to).boxed().toList());
        }
        return batches;
    }
}
