package dev.assay.domain.usage;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Tokens and money.
 *
 * @param usage tokens, added up field by field
 * @param costUsd the known costs added up; null when no cost is known
 * @param unpriced how many of the outcomes or calls used tokens whose price is not known, and so are not in {@code costUsd}
 */
public record Spend(Usage usage, @Nullable BigDecimal costUsd, int unpriced) {

    /** Nothing was used. */
    public static final Spend NONE = new Spend(Usage.NONE, null, 0);

    /** The spend of one outcome or call. */
    public static Spend of(Usage usage, @Nullable BigDecimal costUsd) {
        return new Spend(usage, costUsd, costUsd == null && !usage.equals(Usage.NONE) ? 1 : 0);
    }

    /** Both together. */
    public Spend plus(Spend other) {
        return new Spend(usage.plus(other.usage), sum(costUsd, other.costUsd), unpriced + other.unpriced);
    }

    private static @Nullable BigDecimal sum(@Nullable BigDecimal one, @Nullable BigDecimal other) {
        if (one == null) {
            return other;
        }
        return other == null ? one : one.add(other);
    }
}
