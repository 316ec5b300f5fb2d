package dev.assay.domain.statistics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The pass rate of trials: the mean over cases of s / n, with an interval for each of the two questions that it answers. What is
 * unknown failed in the lower ends and passed in the upper ones. All but {@code counts} is null when there are no cases.
 *
 * @param value the mean when what is unknown failed, 0–1
 * @param known the mean of {@code passed / known} over the cases with evidence, 0–1; null when no case has any
 * @param population where the rate of other cases like these lies: {@link ClopperPearson} with {@link EffectiveSize}. One case
 *     alone says next to nothing
 * @param suite where the rate of these very cases, run again, lies: Clopper–Pearson on the trials. Hoeffding (1956) shows that to
 *     be wide enough for cases that differ
 * @param counts what the rate is made of
 * @param effective the effective size, between the number of cases and {@code K² / Σ (1 / n)}. The latter is the number of all
 *     trials where every case has as many
 * @param icc {@link IntraclassCorrelation}; null where that is not defined
 * @param designEffect how many trials are worth one independent trial, at least 1 unless cases are grouped
 */
public record TrialRate(
        @Nullable Double value,
        @Nullable Double known,
        @Nullable Interval population,
        @Nullable Interval suite,
        Counts counts,
        @Nullable Double effective,
        @Nullable Double icc,
        @Nullable Double designEffect) {

    /**
     * The counts of a rate.
     *
     * @param unknown those of which nothing is known
     * @param groups how many groups; null: cases are sampled one by one
     */
    public record Counts(
            int cases,
            long trials,
            long passed,
            long unknown,
            @Nullable Integer groups) {

        private Counts in(int named) {
            return new Counts(cases, trials, passed, unknown, named);
        }
    }

    /** One view of the rate: with the unknown failed, or passed. */
    private record View(double mean, double size, Interval population, Interval suite) {}

    /** The rate of cases that are sampled one by one. */
    public static TrialRate of(Collection<CaseCounts> cases, double level) {
        return of(CaseCounts.grouped(cases), level);
    }

    /** The rate of cases, from how many have the same counts. */
    public static TrialRate of(SortedMap<CaseCounts, Integer> groups, double level) {
        Counts counts = counts(groups);
        double most = independent(groups, counts.cases());
        return of(groups, counts, rate -> {
            double mean = mean(groups, rate);
            double meanSquare = mean(groups, one -> rate.applyAsDouble(one) * rate.applyAsDouble(one));
            return view(mean, EffectiveSize.of(counts.cases(), mean, meanSquare, most), most, level);
        });
    }

    /**
     * The rate of cases that are related: those of a group are sampled together, and a group weighs as much as it has cases.
     *
     * @param groups the cases of each group, by its name; no group is empty
     */
    public static TrialRate ofGroups(Map<String, List<CaseCounts>> groups, double level) {
        List<CaseCounts> all = groups.values().stream().flatMap(List::stream).toList();
        SortedMap<CaseCounts, Integer> cases = CaseCounts.grouped(all);
        List<SortedMap<CaseCounts, Integer>> sorted =
                new TreeMap<>(groups).values().stream().map(CaseCounts::grouped).toList();
        double most = independent(cases, all.size());
        return of(cases, counts(cases).in(groups.size()), rate -> {
            double squaredWeights = 0;
            double mean = 0;
            double meanSquare = 0;
            for (SortedMap<CaseCounts, Integer> group : sorted) {
                double weight = (double) counts(group).cases() / all.size();
                double groupMean = mean(group, rate);
                squaredWeights += weight * weight;
                mean += weight * groupMean;
                meanSquare += weight * groupMean * groupMean;
            }
            double size = EffectiveSize.of(1 / squaredWeights, mean, meanSquare, most);
            return view(mean(cases, rate), size, most, level);
        });
    }

    private static @Nullable Double known(SortedMap<CaseCounts, Integer> groups) {
        double sum = 0;
        long cases = 0;
        for (Map.Entry<CaseCounts, Integer> group : groups.entrySet()) {
            CaseCounts one = group.getKey();
            if (one.known() > 0) {
                sum += (double) group.getValue() * one.passed() / one.known();
                cases += group.getValue();
            }
        }
        return cases == 0 ? null : (Double) (sum / cases);
    }

    private interface Views {
        View of(ToDoubleFunction<CaseCounts> rate);
    }

    private static TrialRate of(SortedMap<CaseCounts, Integer> groups, Counts counts, Views views) {
        if (groups.isEmpty()) {
            return new TrialRate(null, null, null, null, counts, null, null, null);
        }
        View low = views.of(CaseCounts::lowest);
        View high = counts.unknown() == 0 ? low : views.of(CaseCounts::highest);
        return new TrialRate(
                low.mean(),
                known(groups),
                new Interval(low.population().low(), high.population().high()),
                new Interval(low.suite().low(), high.suite().high()),
                counts,
                low.size(),
                IntraclassCorrelation.of(groups),
                independent(groups, counts.cases()) / low.size());
    }

    private static View view(double mean, double size, double most, double level) {
        return new View(mean, size, ClopperPearson.of(mean, size, level), ClopperPearson.of(mean, most, level));
    }

    private static double mean(SortedMap<CaseCounts, Integer> groups, ToDoubleFunction<CaseCounts> rate) {
        double sum = 0;
        long cases = 0;
        for (Map.Entry<CaseCounts, Integer> group : groups.entrySet()) {
            sum += group.getValue() * rate.applyAsDouble(group.getKey());
            cases += group.getValue();
        }
        return sum / cases;
    }

    /** The effective size of the cases if trials of a case were independent. */
    private static double independent(SortedMap<CaseCounts, Integer> groups, int cases) {
        double sum = 0;
        for (Map.Entry<CaseCounts, Integer> group : groups.entrySet()) {
            sum += (double) group.getValue() / group.getKey().planned();
        }
        return (double) cases * cases / sum;
    }

    private static Counts counts(SortedMap<CaseCounts, Integer> groups) {
        int cases = 0;
        long trials = 0;
        long passed = 0;
        long unknown = 0;
        for (Map.Entry<CaseCounts, Integer> group : groups.entrySet()) {
            long count = group.getValue();
            cases += group.getValue();
            trials += count * group.getKey().planned();
            passed += count * group.getKey().passed();
            unknown += count * group.getKey().unknown();
        }
        return new Counts(cases, trials, passed, unknown, null);
    }
}
