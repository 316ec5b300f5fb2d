package dev.assay.domain.judge;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The number of times that each branch was named.
 *
 * @param byBranch only the branches that were named, ascending
 */
public record Counts(Map<Integer, Integer> byBranch) {

    static Counts of(Collection<Integer> named) {
        Map<Integer, Integer> byBranch = new TreeMap<>();
        named.forEach(branch -> byBranch.merge(branch, 1, Integer::sum));
        return new Counts(byBranch);
    }

    /** The branch that was named more than half of {@code voices} times; null: none was. */
    @Nullable
    public Integer majority(int voices) {
        List<Integer> leaders = leaders();
        return leaders.size() == 1 && 2 * most() > voices ? leaders.getFirst() : null;
    }

    /** The number of times that the leaders were named. */
    public int most() {
        return byBranch.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** The branches that were named most, ascending; empty when none was named. */
    public List<Integer> leaders() {
        int most = most();
        return byBranch.entrySet().stream()
                .filter(entry -> entry.getValue() == most)
                .map(Map.Entry::getKey)
                .toList();
    }
}
