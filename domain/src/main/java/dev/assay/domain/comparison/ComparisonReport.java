package dev.assay.domain.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.statistics.comparison.DetectableDifference;
import dev.assay.domain.statistics.comparison.FindableDifference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison as users see it. The names are those of its JSON.
 *
 * @param differences of their definitions, by path
 * @param metrics trial rate, cases passed, each reducer, then tokens, cost and latency
 * @param tags the trial rate on the cases with each tag, under its name: the tags of most cases first, 20 at most
 * @param flips shared cases whose pass rate differs, the worst loss first
 * @param decision whether the second is worse by no more than what is accepted
 * @param evaluators who judged both; null: cases are paired by their content, so that both have the same checks
 */
public record ComparisonReport(
        ComparedBranch a,
        ComparedBranch b,
        List<DefinitionDifference> differences,
        @JsonUnwrapped CommonCases cases,
        List<ComparedMetric> metrics,
        List<ComparedMetric> tags,
        List<ComparedFlip> flips,
        @JsonUnwrapped Decision decision,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ComparedEvaluators evaluators) {

    public ComparisonReport {
        differences = List.copyOf(differences);
        metrics = List.copyOf(metrics);
        tags = List.copyOf(tags);
        flips = List.copyOf(flips);
    }

    /**
     * The cases of the two.
     *
     * @param shared how many both have, with the same content: only these are compared
     * @param changed ids that both have, with another prompt, context, check or metadata
     * @param onlyA ids that only the first has
     * @param onlyB ids that only the second has
     * @param sharedDraws answers that both hold: one is a copy, or both are. They say nothing of a difference between models
     */
    public record CommonCases(
            int shared, List<String> changed, List<String> onlyA, List<String> onlyB, int sharedDraws) {

        public CommonCases {
            changed = List.copyOf(changed);
            onlyA = List.copyOf(onlyA);
            onlyB = List.copyOf(onlyB);
        }
    }

    /**
     * The decision of a comparison.
     *
     * @param maxDrop the drop of the trial rate that is accepted, 0–1
     * @param verdict PASS: it drops by no more; FAIL: it drops by more
     * @param reasons why the verdict is INCONCLUSIVE; else empty
     * @param detectable the smallest difference that so many cases, or groups of them, find in four of five repetitions, 0–1; null
     *     where they find none
     * @param casesNeeded cases that would rule out a drop of {@code maxDrop} when there is none; null for a drop of 0, and where
     *     cases are related
     * @param why why there is no {@code detectable}; null: there is one, or nothing is known of a shared case
     */
    public record Decision(
            double maxDrop,
            Verdict verdict,
            List<GateReason> reasons,
            @Nullable Double detectable,
            @Nullable Long casesNeeded,
            FindableDifference.@Nullable Why why) {

        public Decision {
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * The report of {@code comparison}, which was made with {@code maxDrop}.
     *
     * @param sharedDraws answers that both hold
     * @param evaluators who judged both; null: their cases have the same checks
     */
    public static ComparisonReport of(
            ComparedBranch a,
            ComparedBranch b,
            List<DefinitionDifference> differences,
            Comparison comparison,
            double maxDrop,
            int sharedDraws,
            @Nullable ComparedEvaluators evaluators) {
        PairedCases cases = comparison.cases();
        DetectableDifference detectable = comparison.detectable();
        return new ComparisonReport(
                a,
                b,
                differences,
                new CommonCases(
                        cases.shared().size(), cases.changed(), cases.onlyFirst(), cases.onlySecond(), sharedDraws),
                comparison.metrics(),
                comparison.tags(),
                comparison.flips(),
                new Decision(
                        maxDrop,
                        comparison.verdict(),
                        comparison.reasons(),
                        detectable == null ? null : detectable.smallest(),
                        detectable == null ? null : detectable.casesNeeded(),
                        detectable == null ? null : detectable.why()),
                evaluators);
    }

    /** The shared cases of which one of the two has no known trial: whether they changed is not known. */
    public int unknown() {
        Integer known =
                metrics.isEmpty() ? null : metrics.getFirst().difference().knownCases();
        return known == null ? 0 : cases.shared() - known;
    }

    /** Whether both hold the same answers to all cases that they share: nothing but their evaluators differs. */
    public boolean holdsTheSameAnswers() {
        return cases.shared() > 0
                && a.trials() == b.trials()
                && cases.sharedDraws() >= (long) cases.shared() * a.trials();
    }

    /** Cases whose pass rate dropped. */
    public int regressed() {
        return (int) flips.stream().filter(flip -> flip.difference() < 0).count();
    }

    /** Cases whose pass rate rose. */
    public int improved() {
        return flips.size() - regressed();
    }
}
