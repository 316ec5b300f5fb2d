package dev.assay.activities.permit;

import dev.assay.domain.limit.ChargeCorrection;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Units;
import dev.assay.domain.limit.size.Adjustment;
import dev.assay.domain.limit.size.CountingRules;
import dev.assay.domain.usage.Usage;
import java.util.Map;

/** The units that one request has taken. What its answer says puts them right. */
public final class TakenUnits {

    private final UnitStock stock;
    private final ModelPool pool;
    private final Units request;
    private final Map<LimitKind, Charge> charges;
    private final long askedAt;

    /**
     * What was charged to a limit.
     *
     * @param units at most the limit
     */
    record Charge(long slot, long units) {}

    /** @param askedAt before the worker asked for them */
    TakenUnits(UnitStock stock, ModelPool pool, Units request, Map<LimitKind, Charge> charges, long askedAt) {
        this.stock = stock;
        this.pool = pool;
        this.request = request;
        this.charges = Map.copyOf(charges);
        this.askedAt = askedAt;
    }

    /** The account of which they are. */
    public String account() {
        return pool.account();
    }

    /** Whether the request may be sent now. Older units may count no more when it arrives. */
    public boolean areFresh() {
        return stock.isFresh(askedAt);
    }

    /** Returns all: the request was not sent. */
    public void giveBack() {
        charges.forEach((kind, charge) -> correct(new ChargeCorrection(kind, charge.slot(), charge.units(), 0)));
    }

    /** Charges the same again, without a wait: the request was sent a second time. */
    public void again() {
        charges.forEach((kind, charge) -> correct(new ChargeCorrection(kind, ChargeCorrection.NOW, 0, charge.units())));
    }

    /** Puts the charge right by what was reported. */
    public void answered(CountingRules rules, Usage usage) {
        Adjustment adjustment = rules.adjustment(request, usage);
        charges.forEach((kind, charge) -> {
            long spent = request.of(kind) + adjustment.of(kind);
            // What is larger than a limit was charged the limit, and is not charged for the rest.
            long right = charge.units() < request.of(kind) ? Math.min(spent, charge.units()) : spent;
            long more = Math.max(0, right) - charge.units();
            correct(new ChargeCorrection(kind, charge.slot(), Math.max(0, -more), Math.max(0, more)));
        });
    }

    private void correct(ChargeCorrection correction) {
        if (correction.returned() > 0 || correction.owed() > 0) {
            stock.correct(pool, correction);
        }
    }
}
