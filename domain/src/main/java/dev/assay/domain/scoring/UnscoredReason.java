package dev.assay.domain.scoring;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Why checks did not decide. The names are those of its JSON.
 *
 * @param cells of which a check says so
 */
public record UnscoredReason(String reason, int cells) {

    /** The most reasons that are told. */
    public static final int MOST = 100;

    /** Each reason once, that of most cells first, then by its words. */
    public static List<UnscoredReason> of(Collection<? extends Collection<String>> reasonsOfCells) {
        Map<String, Integer> cells = new TreeMap<>();
        reasonsOfCells.forEach(
                reasons -> reasons.stream().distinct().forEach(reason -> cells.merge(reason, 1, Integer::sum)));
        return cells.entrySet().stream()
                .map(entry -> new UnscoredReason(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingInt(UnscoredReason::cells)
                        .reversed()
                        .thenComparing(UnscoredReason::reason))
                .limit(MOST)
                .toList();
    }
}
