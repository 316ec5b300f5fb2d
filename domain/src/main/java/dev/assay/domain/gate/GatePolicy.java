package dev.assay.domain.gate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign must reach (semantics B).
 *
 * @param passThreshold share of a case's trials that must pass for the case to pass, 0–1
 * @param suiteThreshold share of cases that must pass, 0–1; null: as {@code passThreshold}
 * @param branches ids of the branches that must pass; empty: all
 */
public record GatePolicy(double passThreshold, @Nullable Double suiteThreshold, List<String> branches) {

    /** Every trial of every case, on every branch. */
    public static final GatePolicy DEFAULT = new GatePolicy(1.0, null, List.of());

    public GatePolicy {
        branches = List.copyOf(branches);
    }

    /** The share of cases that must pass. */
    public double effectiveSuiteThreshold() {
        return suiteThreshold == null ? passThreshold : suiteThreshold;
    }
}
