package dev.assay.domain.results;

import dev.assay.domain.check.rule.CheckResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Adds up outcomes to the numbers that a tool says of them. Memory holds a few dozen bytes for each case and mean. */
public final class AggregateTally {

    private final List<Sum> sums;

    public AggregateTally(List<Aggregate> aggregates) {
        this.sums = aggregates.stream().map(Sum::new).toList();
    }

    /** The values of one case. */
    private static final class Values {

        private double sum;
        private int count;

        double mean() {
            return sum / count;
        }
    }

    private static final class Sum {

        private final Aggregate aggregate;
        private final Map<String, Values> byCase = new HashMap<>();
        private double total;
        private int outcomes;

        Sum(Aggregate aggregate) {
            this.aggregate = aggregate;
        }

        ComparedAggregate compared() {
            return switch (aggregate.of()) {
                case MEAN -> {
                    double mean =
                            byCase.values().stream().mapToDouble(Values::mean).sum() / byCase.size();
                    yield ComparedAggregate.of(aggregate, byCase.isEmpty() ? null : (Double) mean, byCase.size());
                }
                case PASSED, FAILED, ERRORS, SCORE -> ComparedAggregate.of(aggregate, total, outcomes);
                case OTHER -> ComparedAggregate.of(aggregate, null, null);
            };
        }
    }

    /**
     * Adds an outcome.
     *
     * @param tags of its case
     */
    public void add(ImportedOutcome outcome, Set<String> tags) {
        for (Sum sum : sums) {
            Aggregate of = sum.aggregate;
            if (of.branch().equals(outcome.place().branchId()) && (of.tag() == null || tags.contains(of.tag()))) {
                add(sum, outcome);
            }
        }
    }

    private static void add(Sum sum, ImportedOutcome outcome) {
        boolean isError = outcome.end().status().isFailure();
        sum.outcomes++;
        switch (sum.aggregate.of()) {
            case PASSED -> sum.total += Boolean.TRUE.equals(outcome.passed()) ? 1 : 0;
            case FAILED -> sum.total += Boolean.FALSE.equals(outcome.passed()) && !isError ? 1 : 0;
            case ERRORS -> sum.total += isError ? 1 : 0;
            case SCORE -> sum.total += outcome.score() == null ? 0 : outcome.score();
            case MEAN ->
                outcome.checks().forEach(check -> addValue(sum, outcome.place().caseId(), check));
            case OTHER -> {
                // Kept as the tool says it.
            }
        }
    }

    /** An object of values gives a check for each, {@code name/key}; the tool speaks of the key alone. */
    private static void addValue(Sum sum, String caseId, CheckResult check) {
        String metric = check.metric();
        String wanted = sum.aggregate.check();
        if (metric == null || wanted == null) {
            return;
        }
        boolean isMeant = metric.equals(wanted)
                || metric.substring(metric.lastIndexOf('/') + 1).equals(wanted);
        Double value = isMeant ? ScoreValue.of(check.value()) : null;
        if (value != null) {
            Values values = sum.byCase.computeIfAbsent(caseId, _ -> new Values());
            values.sum += value;
            values.count++;
        }
    }

    /** What they come to, in the order in which they were named. */
    public List<ComparedAggregate> compared() {
        List<ComparedAggregate> compared = new ArrayList<>();
        sums.forEach(sum -> compared.add(sum.compared()));
        return List.copyOf(compared);
    }
}
