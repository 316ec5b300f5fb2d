package dev.assay.domain.gate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A verdict with the reasons why it is not another one.
 *
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
     * The same; INCONCLUSIVE where a demand is not met. Where too many trials ended in errors, a FAIL is no evidence either.
     *
     * @param agreement how probable a re-run says the same, 0–1; null: not known
     * @param errorRate share of the trials that were asked that ended in errors, 0–1; null when none was asked
     */
    public GateDecision meeting(GateDemands demands, @Nullable Double agreement, @Nullable Double errorRate) {
        GateDecision decision = repeatable(demands.minAgreement(), agreement);
        return (errorRate == null || errorRate <= demands.maxErrorRate() ? decision : decision.with(GateReason.ERRORS))
                .lacking(demands.lost());
    }

    private GateDecision repeatable(@Nullable Double least, @Nullable Double agreement) {
        return least == null || verdict == Verdict.INCONCLUSIVE || (agreement != null && agreement >= least)
                ? this
                : with(GateReason.UNREPEATABLE);
    }

    /** What was left out can turn a PASS; where another check failed, it changes nothing. */
    private GateDecision lacking(@Nullable LostParts lost) {
        return lost == null || verdict == Verdict.FAIL ? this : with(GateReason.LOST);
    }

    private GateDecision with(GateReason reason) {
        List<GateReason> all = new ArrayList<>(reasons);
        all.add(reason);
        return new GateDecision(Verdict.INCONCLUSIVE, all);
    }

    /** The decision from a look at the trial rate: PASS or FAIL when it is sure. */
    public static GateDecision ofLook(Verdict look) {
        return new GateDecision(look, look == Verdict.INCONCLUSIVE ? List.of(GateReason.UNSURE) : List.of());
    }

    /** Both must pass: FAIL when one fails, else INCONCLUSIVE with the reasons of both, else PASS. */
    public GateDecision and(GateDecision other) {
        List<GateReason> all = new ArrayList<>(reasons);
        all.addAll(other.reasons);
        Verdict together = Verdict.ofAll(List.of(verdict, other.verdict));
        return new GateDecision(together, together == Verdict.INCONCLUSIVE ? all : List.of());
    }
}
