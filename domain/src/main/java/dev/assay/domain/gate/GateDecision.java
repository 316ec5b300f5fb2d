package dev.assay.domain.gate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A verdict with the reasons why it is not another one.
 *
 * @param verdict what the gate says
 * @param reasons why it is INCONCLUSIVE, without duplicates, in the order of {@link GateReason}; empty for PASS and FAIL
 */
public record GateDecision(Verdict verdict, List<GateReason> reasons) {

    public GateDecision {
        reasons = reasons.stream().distinct().sorted().toList();
        if ((verdict == Verdict.INCONCLUSIVE) == reasons.isEmpty()) {
            throw new IllegalArgumentException("A verdict is INCONCLUSIVE for a reason, and only then");
        }
    }

    /**
     * Decides.
     *
     * @param counted the verdict of the counts alone
     * @param agreement how probable a re-run says the same; null: not known
     * @param errors trials of the gated branches that ended in an error
     * @param trials all their trials, at least 1
     */
    public static GateDecision of(
            Verdict counted, @Nullable Double agreement, int errors, int trials, GateDemands demands) {
        List<GateReason> reasons = new ArrayList<>();
        if (counted == Verdict.INCONCLUSIVE) {
            reasons.add(GateReason.MISSING_EVIDENCE);
        } else if (demands.minAgreement() != null && (agreement == null || agreement < demands.minAgreement())) {
            reasons.add(GateReason.UNREPEATABLE);
        }
        Verdict repeatable = reasons.isEmpty() ? counted : Verdict.INCONCLUSIVE;
        return new GateDecision(repeatable, reasons).withErrors(errors, trials, demands.maxErrorRate());
    }

    /** The same; INCONCLUSIVE where more than {@code maxErrorRate} of {@code trials}, at least 1, ended in errors. */
    public GateDecision withErrors(int errors, int trials, double maxErrorRate) {
        if ((double) errors / trials <= maxErrorRate) {
            return this;
        }
        List<GateReason> all = new ArrayList<>(reasons);
        all.add(GateReason.ERRORS);
        return new GateDecision(Verdict.INCONCLUSIVE, all);
    }

    /** The decision from a look at the trial rate: PASS or FAIL when it is sure. */
    public static GateDecision ofLook(Verdict look) {
        return new GateDecision(look, look == Verdict.INCONCLUSIVE ? List.of(GateReason.UNSURE) : List.of());
    }

    /**
     * The decision from a comparison with the baseline.
     *
     * @param comparison by {@link NonInferiority}
     * @param shared cases that both have
     */
    public static GateDecision ofBaseline(Verdict comparison, int shared) {
        return new GateDecision(
                comparison,
                comparison != Verdict.INCONCLUSIVE
                        ? List.of()
                        : List.of(shared == 0 ? GateReason.NO_SHARED_CASES : GateReason.UNSURE));
    }

    /**
     * Both must pass: FAIL when one fails, else INCONCLUSIVE with the reasons of both, else PASS. Where too many trials ended in
     * errors, a FAIL is no evidence either.
     */
    public GateDecision and(GateDecision other) {
        List<GateReason> all = new ArrayList<>(reasons);
        all.addAll(other.reasons);
        Verdict together =
                all.contains(GateReason.ERRORS) ? Verdict.INCONCLUSIVE : Verdict.ofAll(List.of(verdict, other.verdict));
        return new GateDecision(together, together == Verdict.INCONCLUSIVE ? all : List.of());
    }
}
