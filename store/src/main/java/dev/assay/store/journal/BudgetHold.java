package dev.assay.store.journal;

import dev.assay.store.sql.Sql;
import java.math.BigDecimal;

/** Reservations of many requests at once. Its methods run in the caller's transaction, which holds the budget to its end. */
public final class BudgetHold {

    private BudgetHold() {}

    /**
     * What is left of a campaign's budget, in US dollars: it is neither spent nor reserved.
     *
     * @param budget in US dollars
     */
    public static BigDecimal left(Sql sql, String campaignId, BigDecimal budget) {
        LedgerWriter.Held held = LedgerWriter.hold(sql, campaignId);
        return budget.subtract(held.spent()).subtract(held.reserved());
    }

    /** Reserves an amount in US dollars. */
    public static void reserve(Sql sql, String campaignId, BigDecimal usd) {
        LedgerWriter.reserveAll(sql, campaignId, usd);
    }
}
