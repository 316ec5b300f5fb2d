package dev.assay.domain.report;

import dev.assay.domain.stop.SureLooks;
import dev.assay.domain.usage.Spend;
import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/**
 * The effect of stopping early on one branch. The names are those of its JSON.
 *
 * @param bound how often the verdict may be wrong, 0–1; null unless a look of {@code stop: sure} decided
 * @param saved what was not asked; null where every cell is, and in older summaries
 */
public record EarlyStop(@Nullable Double bound, @Nullable Saved saved) {

    /** Every cell was asked. */
    static final EarlyStop NONE = new EarlyStop(null, null);

    /**
     * The calls that were saved.
     *
     * @param calls cells that were not needed
     * @param costUsd what they would have cost in US dollars, by the mean of those that were asked; null where no price is known
     */
    public record Saved(int calls, @Nullable BigDecimal costUsd) {

        /** @param asked how many cells {@code spend} is of */
        static Saved of(int calls, Spend spend, int asked) {
            int priced = asked - spend.unpriced();
            BigDecimal cost = spend.costUsd() == null || priced < 1
                    ? null
                    : spend.costUsd()
                            .multiply(BigDecimal.valueOf(calls))
                            .divide(BigDecimal.valueOf(priced), MathContext.DECIMAL32);
            return new Saved(calls, cost);
        }

        /** Both together; no money where that of one is not known. */
        Saved plus(Saved other) {
            BigDecimal cost = costUsd == null || other.costUsd == null ? null : costUsd.add(other.costUsd);
            return new Saved(calls + other.calls, cost);
        }
    }

    /** @param sure what the looks said; null: none was sure, or there are none */
    static EarlyStop of(SureLooks.@Nullable Sure sure, Saved saved) {
        return new EarlyStop(sure == null ? null : (Double) sure.bound(), saved);
    }
}
