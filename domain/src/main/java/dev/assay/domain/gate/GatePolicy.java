package dev.assay.domain.gate;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The thresholds and rules that a campaign must reach (docs/fastskill.md).
 *
 * @param passThreshold share of a case's trials that must pass for the case to pass, 0–1
 * @param suiteThreshold share of cases that must pass, 0–1; null: as {@code passThreshold}
 * @param branches ids of the branches that must pass; empty: all
 * @param demands what is asked beyond the thresholds
 * @param rule that replaces the thresholds; null: they decide
 * @param baseline the campaign that this one must not fall behind; null: none
 */
public record GatePolicy(
        double passThreshold,
        @Nullable Double suiteThreshold,
        List<String> branches,
        @JsonUnwrapped GateDemands demands,
        @Nullable RateRule rule,
        @Nullable BaselineRule baseline) {

    /** Every trial of every case, on every branch. */
    public static final GatePolicy DEFAULT = new GatePolicy(1.0, null, List.of());

    public GatePolicy {
        branches = List.copyOf(branches);
    }

    /** Thresholds alone. */
    public GatePolicy(double passThreshold, @Nullable Double suiteThreshold, List<String> branches) {
        this(passThreshold, suiteThreshold, branches, GateDemands.NONE, null, null);
    }

    /** The same where an import left something out. */
    public GatePolicy with(@Nullable LostParts lost) {
        return new GatePolicy(passThreshold, suiteThreshold, branches, demands.with(lost), rule, baseline);
    }

    /** The share of cases that must pass. */
    public double effectiveSuiteThreshold() {
        return suiteThreshold == null ? passThreshold : suiteThreshold;
    }

    /** Whether cases that pass are counted. A rule replaces them; with a baseline they count when a suite threshold is named. */
    public boolean countsCases() {
        return rule == null && (baseline == null || suiteThreshold != null);
    }
}
