package dev.assay.domain.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Tokens and money. The names are those of its JSON.
 *
 * @param tokens those that are known, and how many answers did not report theirs
 * @param costUsd the known costs added up; null when no cost is known
 * @param unpriced how many of the outcomes or calls used tokens whose cost is not known, and so are not in {@code costUsd}
 * @param batched the part that batches of providers brought; null: none did, or an older summary
 */
public record Spend(
        @JsonUnwrapped UsageTotal tokens,
        @Nullable BigDecimal costUsd,
        int unpriced,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Batched batched) {

    /** Nothing was used. */
    public static final Spend NONE = new Spend(UsageTotal.NONE, null, 0);

    /**
     * What batches of providers brought.
     *
     * @param cells that ended by a line of a batch
     * @param calls of judges and graders that did
     * @param costUsd their known costs added up, which are part of the whole; null when none is known
     * @param assumed whether the price of any of them is taken to be half the live price, since none is configured
     */
    public record Batched(long cells, long calls, @Nullable BigDecimal costUsd, boolean assumed) {

        private Batched plus(Batched other) {
            return new Batched(
                    cells + other.cells, calls + other.calls, sum(costUsd, other.costUsd), assumed || other.assumed);
        }
    }

    /** The spend of which no batch is part. */
    public Spend(UsageTotal tokens, @Nullable BigDecimal costUsd, int unpriced) {
        this(tokens, costUsd, unpriced, null);
    }

    /** The spend of which every answer reported its tokens. */
    public Spend(Usage usage, @Nullable BigDecimal costUsd, int unpriced) {
        this(new UsageTotal(usage, 0), costUsd, unpriced);
    }

    /** The spend of one outcome or call. */
    public static Spend of(Usage usage, @Nullable BigDecimal costUsd) {
        return new Spend(UsageTotal.of(usage), costUsd, costUsd == null && !usage.equals(Usage.NONE) ? 1 : 0);
    }

    /** The same, of a call of a judge or grader that a batch brought. */
    public Spend byBatch(boolean assumed) {
        return new Spend(tokens, costUsd, unpriced, new Batched(0, 1, costUsd, assumed));
    }

    /** Both together. */
    public Spend plus(Spend other) {
        return new Spend(
                tokens.plus(other.tokens),
                sum(costUsd, other.costUsd),
                unpriced + other.unpriced,
                batched == null ? other.batched : other.batched == null ? batched : batched.plus(other.batched));
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
