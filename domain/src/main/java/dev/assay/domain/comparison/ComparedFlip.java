package dev.assay.domain.comparison;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.comparison.CaseFlip;
import dev.assay.domain.statistics.comparison.MultipleTests;
import dev.assay.domain.statistics.comparison.PairedRates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A case whose known pass rate differs between two. The names are those of its JSON.
 *
 * @param a its pass rate with the first, 0–1, of the trials of which something is known
 * @param b its pass rate with the second
 * @param difference b − a, not 0
 * @param p two-sided p-value of no difference: Fisher's exact test
 * @param q the same, adjusted for all shared cases of which both have a known trial (Benjamini and Hochberg 1995)
 */
public record ComparedFlip(String caseId, double a, double b, double difference, double p, double q) {

    /** The shared cases that differ: the worst loss first, then by id. */
    static List<ComparedFlip> of(List<String> shared, PairedRates rates) {
        Map<List<CaseCounts>, Double> known = new HashMap<>();
        List<@Nullable Double> p = new ArrayList<>();
        for (int i = 0; i < shared.size(); i++) {
            CaseCounts first = rates.first().get(i);
            CaseCounts second = rates.second().get(i);
            p.add(
                    first.known() == 0 || second.known() == 0
                            ? null
                            : known.computeIfAbsent(List.of(first, second), _ -> CaseFlip.p(first, second)));
        }
        List<@Nullable Double> q = MultipleTests.benjaminiHochberg(p);
        List<ComparedFlip> flips = new ArrayList<>();
        for (int i = 0; i < p.size(); i++) {
            Double alone = p.get(i);
            Double adjusted = q.get(i);
            if (alone != null && adjusted != null) {
                double first = rates.first().get(i).knownRate();
                double second = rates.second().get(i).knownRate();
                if (first != second) {
                    flips.add(new ComparedFlip(shared.get(i), first, second, second - first, alone, adjusted));
                }
            }
        }
        flips.sort(Comparator.comparingDouble(ComparedFlip::difference).thenComparing(ComparedFlip::caseId));
        return flips;
    }
}
