package dev.assay.activities.permit;

import dev.assay.domain.limit.ChargeCorrection;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.OthersUse;
import dev.assay.domain.limit.Units;
import dev.assay.domain.limit.answer.HeaderLimit;
import dev.assay.domain.limit.size.Adjustment;
import dev.assay.domain.limit.size.CountingRules;
import dev.assay.domain.usage.Usage;
import dev.assay.store.limit.UnitAnswer.Charging;
import java.util.List;
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
     * @param of what the worker was told of the limit
     */
    record Charge(long units, Charging of) {

        private long slot() {
            return of.slot();
        }
    }

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

    /**
     * An answer says what is left of limits. Where that is less than was known, others use the key, too. Limits of which no period is named
     * count where they are those that hold.
     */
    void heard(List<HeaderLimit> limits) {
        for (HeaderLimit said : limits) {
            Charge charge = charges.get(said.kind());
            Long remaining = said.remaining();
            if (charge != null
                    && remaining != null
                    && (said.named() || said.limit() == charge.of().limit())) {
                stock.heard(
                        pool,
                        new OthersUse(said.kind(), charge.of().at(), charge.of().free(), remaining));
            }
        }
    }

    private void correct(ChargeCorrection correction) {
        if (correction.returned() > 0 || correction.owed() > 0) {
            stock.correct(pool, correction);
        }
    }
}
