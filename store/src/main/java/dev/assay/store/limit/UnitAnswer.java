package dev.assay.store.limit;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.Spending;
import java.time.Instant;
import java.util.Map;

/**
 * What a worker gets of a pool.
 *
 * @param granted how many of its requests may go, the first ones
 */
public record UnitAnswer(int granted, Map<LimitKind, Charging> limits) {

    public UnitAnswer {
        limits = Map.copyOf(limits);
    }

    /**
     * How requests are charged to a limit.
     *
     * @param limit units a period: the most that one request is charged
     * @param slot the number of the slot in which they were charged now
     * @param free units that are free after that
     * @param at PostgreSQL's time of it
     */
    public record Charging(long limit, long slot, long free, Instant at) {

        /** As a limit is charged that stands so. */
        public static Charging of(Spending spending) {
            return new Charging(
                    spending.limit(), spending.slot(), spending.room().free(), spending.at());
        }
    }
}
