package dev.assay.domain.report;

import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RerunAgreement;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.statistics.FlakyCases;
import dev.assay.domain.statistics.FlakyCases.FlakyCase;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The repeatability of a branch's result. The names are those of its JSON.
 *
 * @param flakyCases cases that both passed and failed, the most disagreement first; empty in older summaries
 * @param flakyShare flaky cases, of those with two trials of evidence; null in older summaries
 * @param rerunPass how probable the branch passes, run again, 0–1; null below ten repeats
 * @param rerunAgreement how probable its verdict is the same, run again, 0–1; null where {@code why} says so
 * @param why why there is no agreement; null: there is one
 */
public record Repeatability(
        List<FlakyCase> flakyCases,
        @Nullable Proportion flakyShare,
        @Nullable Double rerunPass,
        @Nullable Double rerunAgreement,
        @Nullable Why why) {

    /** The value of a summary that was stored before repeatability was. */
    static final Repeatability UNKNOWN = new Repeatability(List.of(), null, null, null, null);

    /** The reason why there is no agreement. */
    public enum Why {
        /** Fewer than ten trials are repeats: the variation of the cases is unknown. */
        TOO_FEW_REPEATS,
        /** The verdict is INCONCLUSIVE: there is no verdict to repeat. */
        INCONCLUSIVE
    }

    public Repeatability {
        flakyCases = flakyCases == null ? List.of() : List.copyOf(flakyCases);
    }

    static Repeatability of(FlakyCases flaky, Verdict verdict, @Nullable Double rerunPass) {
        Double agreement = RerunAgreement.of(verdict, Collections.singletonList(rerunPass));
        Why why = agreement != null ? null : rerunPass == null ? Why.TOO_FEW_REPEATS : Why.INCONCLUSIVE;
        Proportion share = Proportion.of(flaky.flaky().size(), flaky.of());
        return new Repeatability(flaky.flaky(), share, rerunPass, agreement, why);
    }
}
