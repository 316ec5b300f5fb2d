package dev.assay.domain.evidence;

import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.TrialRate;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The evidence of one branch, as a campaign's policy counts it.
 *
 * @param cases each case, in the suite's order
 * @param groups the group of each case, in the same order; null: cases are not related
 */
public record BranchEvidence(
        List<CaseEvidence> cases,
        ErrorTreatment errors,
        @Nullable List<String> groups) {

    public BranchEvidence {
        cases = List.copyOf(cases);
        groups = groups == null ? null : List.copyOf(groups);
        if (groups != null && groups.size() != cases.size()) {
            throw new IllegalArgumentException(groups.size() + " groups of " + cases.size() + " cases");
        }
    }

    /** The first draws of each case: for points and tests. */
    public List<CaseCounts> counts() {
        return cases.stream().map(one -> one.counts(errors)).toList();
    }

    /** The same for verdicts and the ends of intervals, where disagreeing draws are unknown. */
    public List<CaseCounts> bounds() {
        return cases.stream().map(one -> one.bounds(errors)).toList();
    }

    /** The pass rate of trials. */
    public Proportion trialRate() {
        List<CaseCounts> counts = counts();
        List<CaseCounts> bounds = bounds();
        TrialRate points = rate(counts);
        return Proportion.ofTrials(
                points,
                bounds.equals(counts) ? points : rate(bounds),
                sum(CaseEvidence::allErrors),
                sum(CaseEvidence::asked));
    }

    /** The trials that could turn a verdict. */
    public Gate.Doubt doubt() {
        return new Gate.Doubt(
                sum(one -> one.unscored() + one.notNeeded() + one.missing()),
                sum(one -> one.unknownErrors(errors)),
                sum(one -> one.redraws().worse() + one.redraws().better()));
    }

    /** The sum of a number over the cases. */
    public int sum(ToIntFunction<CaseEvidence> number) {
        return cases.stream().mapToInt(number).sum();
    }

    private TrialRate rate(List<CaseCounts> counts) {
        List<String> names = groups;
        if (names == null) {
            return TrialRate.of(counts, Quantiles.LEVEL);
        }
        return TrialRate.ofGroups(
                IntStream.range(0, counts.size())
                        .boxed()
                        .collect(Collectors.groupingBy(
                                names::get, Collectors.mapping(counts::get, Collectors.toList()))),
                Quantiles.LEVEL);
    }
}
