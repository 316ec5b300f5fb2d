package dev.assay.domain.scoring;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.statistics.comparison.MultipleTests;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a scoring says of one branch. The names are those of its JSON.
 *
 * @param pHolm {@code p}, adjusted for the number of branches; null as {@code p}
 * @param before its trial rate in the first campaign, as its gate counts errors
 * @param after its trial rate in the scoring, likewise
 */
public record ScoredBranch(
        String branchId,
        @JsonUnwrapped FlipStatistics statistics,
        @Nullable Double pHolm,
        Proportion before,
        Proportion after) {

    /** A branch that is not adjusted yet. */
    public ScoredBranch(String branchId, FlipStatistics statistics, Proportion before, Proportion after) {
        this(branchId, statistics, null, before, after);
    }

    /** The same branches with p-values that are adjusted for all of them. */
    public static List<ScoredBranch> adjusted(List<ScoredBranch> branches) {
        List<@Nullable Double> tests = new ArrayList<>();
        branches.forEach(branch -> tests.add(branch.statistics.p()));
        List<@Nullable Double> adjusted = MultipleTests.holm(tests);
        return IntStream.range(0, branches.size())
                .mapToObj(i -> {
                    ScoredBranch branch = branches.get(i);
                    return new ScoredBranch(
                            branch.branchId, branch.statistics, adjusted.get(i), branch.before, branch.after);
                })
                .toList();
    }
}
