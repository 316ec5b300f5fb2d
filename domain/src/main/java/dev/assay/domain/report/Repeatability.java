package dev.assay.domain.report;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RerunAgreement;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.statistics.FlakyCases;
import dev.assay.domain.statistics.FlakyCases.FlakyCase;
import dev.assay.domain.statistics.forecast.RerunChances;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The repeatability of a branch's result. The names are those of its JSON.
 *
 * @param flakyCases cases that both passed and failed, the most disagreement first; empty in older summaries
 * @param flakyShare flaky cases, of those with two trials of evidence; null in older summaries
 * @param rerun what the gate in force would say of the branch, run again
 * @param rerunAgreement how probable its verdict is the same, run again, 0–1; null where {@code why} says so
 * @param why why there is no agreement; null: there is one
 */
public record Repeatability(
        List<FlakyCase> flakyCases,
        @Nullable Proportion flakyShare,
        @JsonUnwrapped RerunVerdicts rerun,
        @Nullable Double rerunAgreement,
        @Nullable Why why) {

    /** The value of a summary that was stored before repeatability was. */
    static final Repeatability UNKNOWN = new Repeatability(List.of(), null, RerunVerdicts.UNKNOWN, null, null);

    /** The reason why there is no agreement. */
    public enum Why {
        /** Fewer than ten trials are repeats: the variation of the cases is unknown. */
        TOO_FEW_REPEATS,
        /** More than nine of ten answers to a case are the same text: they are copies, and say nothing of other ones. */
        TRIALS_ALIKE,
        /** The verdict is INCONCLUSIVE: there is no verdict to repeat. */
        INCONCLUSIVE
    }

    public Repeatability {
        flakyCases = flakyCases == null ? List.of() : List.copyOf(flakyCases);
        rerun = rerun == null ? RerunVerdicts.UNKNOWN : rerun;
    }

    /**
     * The repeatability of a verdict.
     *
     * @param chances of the verdicts, run again; null: repeats are too few
     * @param alike whether the trials are copies of each other
     */
    static Repeatability of(FlakyCases flaky, Verdict verdict, @Nullable RerunChances chances, boolean alike) {
        Proportion share = Proportion.of(flaky.flaky().size(), flaky.of());
        Why why = chances == null ? Why.TOO_FEW_REPEATS : alike ? Why.TRIALS_ALIKE : null;
        Repeatability known = new Repeatability(
                flaky.flaky(), share, why == null ? RerunVerdicts.of(chances) : RerunVerdicts.UNKNOWN, null, why);
        return why == null ? known.of(verdict) : known;
    }

    /** The same beside a baseline. */
    Repeatability beside(Verdict verdict, @Nullable RerunChances baseline) {
        RerunChances own = rerun.chances();
        if (own == null || why == Why.TOO_FEW_REPEATS || why == Why.TRIALS_ALIKE) {
            return this;
        }
        return baseline == null
                ? new Repeatability(flakyCases, flakyShare, RerunVerdicts.UNKNOWN, null, Why.TOO_FEW_REPEATS)
                : new Repeatability(flakyCases, flakyShare, RerunVerdicts.of(own.and(baseline)), null, null)
                        .of(verdict);
    }

    private Repeatability of(Verdict verdict) {
        Double agreement = RerunAgreement.ofChances(verdict, Collections.singletonList(rerun.chances()));
        return new Repeatability(flakyCases, flakyShare, rerun, agreement, agreement == null ? Why.INCONCLUSIVE : null);
    }
}
