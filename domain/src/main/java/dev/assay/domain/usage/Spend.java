package dev.assay.domain.usage;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Tokens and money. The names are those of its JSON.
 *
 * @param tokens those that are known, and how many answers did not report theirs
 * @param costUsd the known costs added up; null when no cost is known
 * @param unpriced how many of the outcomes or calls used tokens whose cost is not known, and so are not in {@code costUsd}
 */
public record Spend(
        @JsonUnwrapped UsageTotal tokens, @Nullable BigDecimal costUsd, int unpriced) {

    /** Nothing was used. */
    public static final Spend NONE = new Spend(UsageTotal.NONE, null, 0);

    /** The spend of which every answer reported its tokens. */
    public Spend(Usage usage, @Nullable BigDecimal costUsd, int unpriced) {
        this(new UsageTotal(usage, 0), costUsd, unpriced);
    }

    /** The spend of one outcome or call. */
    public static Spend of(Usage usage, @Nullable BigDecimal costUsd) {
        return new Spend(UsageTotal.of(usage), costUsd, costUsd == null && !usage.equals(Usage.NONE) ? 1 : 0);
    }

    /** Both together. */
    public Spend plus(Spend other) {
        return new Spend(tokens.plus(other.tokens), sum(costUsd, other.costUsd), unpriced + other.unpriced);
    }

    /** The tokens that are known. */
    public Usage usage() {
        return tokens.usage();
    }

    /** Answers that did not report their usage completely. */
    public long unknownUsage() {
        return tokens.unknownUsage();
    }

    private static @Nullable BigDecimal sum(@Nullable BigDecimal one, @Nullable BigDecimal other) {
        if (one == null) {
            return other;
        }
        return other == null ? one : one.add(other);
    }
}
