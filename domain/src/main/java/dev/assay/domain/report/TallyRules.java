package dev.assay.domain.report;

import dev.assay.domain.evidence.Draws;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.stop.Stopping;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a campaign's facts are added up.
 *
 * @param gate what must be reached
 * @param reducers how the trials of a case become one number
 * @param pairwise whether judges compare two branches at a time, which then are ranked
 * @param timeout when a cell's time runs out; null: not known
 * @param groups the group of each case, by its index; null: cases are not related
 * @param draws what re-runs did to the draws
 * @param budgetUsd budget in US dollars; null: there is none, or it is not known
 */
public record TallyRules(
        GatePolicy gate,
        List<Reducer> reducers,
        boolean pairwise,
        @Nullable Duration timeout,
        Stopping stopping,
        @Nullable List<String> groups,
        Draws draws,
        @Nullable BigDecimal budgetUsd) {

    public TallyRules {
        reducers = List.copyOf(reducers);
        groups = groups == null ? null : List.copyOf(groups);
    }

    /** Of a campaign without a budget. */
    public TallyRules(
            GatePolicy gate,
            List<Reducer> reducers,
            boolean pairwise,
            @Nullable Duration timeout,
            Stopping stopping,
            @Nullable List<String> groups,
            Draws draws) {
        this(gate, reducers, pairwise, timeout, stopping, groups, draws, null);
    }

    /** Of a campaign that asks every cell, and whose cases are not related. */
    public TallyRules(GatePolicy gate, List<Reducer> reducers, boolean pairwise, @Nullable Duration timeout) {
        this(gate, reducers, pairwise, timeout, Stopping.NEVER, null, Draws.ONCE);
    }

    /** A gate, and no more. */
    public TallyRules(GatePolicy gate) {
        this(gate, List.of(), false, null);
    }
}
