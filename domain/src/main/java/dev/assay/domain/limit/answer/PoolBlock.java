package dev.assay.domain.limit.answer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time for which a refusal blocks its pool. */
public final class PoolBlock {

    private static final long FIRST_MS = 1_000;
    private static final long MOST_MS = 60_000;

    /** 2^6 s are beyond the most. */
    private static final int MOST_DOUBLINGS = 6;

    private PoolBlock() {}

    /**
     * What the refusal asks for; without that 1 s, doubled with each refusal in a row, up to a minute.
     *
     * @param asked null: it does not say
     * @param inRow which refusal in a row it is, from 1
     */
    public static Duration after(@Nullable Duration asked, int inRow) {
        if (inRow < 1) {
            throw new IllegalArgumentException("Refusals are counted from 1, not " + inRow);
        }
        return asked != null
                ? asked
                : Duration.ofMillis(Math.min(MOST_MS, FIRST_MS << Math.min(inRow - 1, MOST_DOUBLINGS)));
    }
}
