package dev.assay.domain.comparison;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.comparison.CaseFlip;
import dev.assay.domain.statistics.comparison.MultipleTests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A case whose pass rate differs between two. The names are those of its JSON.
 *
 * @param a its pass rate with the first, 0–1
 * @param b its pass rate with the second
 * @param difference b − a, not 0
 * @param p two-sided p-value of no difference: Fisher's exact test
 * @param q the same, adjusted for all shared cases (Benjamini and Hochberg 1995)
 */
public record ComparedFlip(String caseId, double a, double b, double difference, double p, double q) {

    /** The shared cases that differ: the worst loss first, then by id. */
    static List<ComparedFlip> of(PairedCases cases) {
        Map<List<CaseCounts>, Double> known = new HashMap<>();
        List<@Nullable Double> p = new ArrayList<>();
        for (int i = 0; i < cases.shared().size(); i++) {
            CaseCounts first = cases.first().get(i);
            CaseCounts second = cases.second().get(i);
            p.add(known.computeIfAbsent(List.of(first, second), _ -> CaseFlip.p(first, second)));
        }
        List<@Nullable Double> q = MultipleTests.benjaminiHochberg(p);
        List<ComparedFlip> flips = new ArrayList<>();
        for (int i = 0; i < p.size(); i++) {
            double first = cases.first().get(i).lowest();
            double second = cases.second().get(i).lowest();
            if (first != second) {
                flips.add(new ComparedFlip(
                        cases.shared().get(i), first, second, second - first, value(p, i), value(q, i)));
            }
        }
        flips.sort(Comparator.comparingDouble(ComparedFlip::difference).thenComparing(ComparedFlip::caseId));
        return flips;
    }

    private static double value(List<@Nullable Double> values, int place) {
        Double value = values.get(place);
        return value == null ? 1 : value;
    }
}
