package dev.assay.domain.gate.forecast;

import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.statistics.Threshold;
import dev.assay.domain.statistics.forecast.GateForecast;
import dev.assay.domain.statistics.sequential.LookErrors;
import dev.assay.domain.stop.StopRule;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.jspecify.annotations.Nullable;

/** The kind of a gate, for one of its branches: how it makes a verdict of trials that have not run. */
public sealed interface GateKind {

    /** The looks of one campaign that are followed, at most: of more rounds, every second, third … is looked at. */
    int MOST_LOOKS = 64;

    /** The chances of the verdicts on the branch. */
    VerdictChances chances(PlannedSuite suite);

    /**
     * The kind of a gate.
     *
     * @param branches branches that it looks at, at least 1
     * @param baseline the earlier campaign; null where the gate has none, or nothing is known of it: it is as good as the plan
     */
    static GateKind of(GatePolicy policy, int branches, StopRule stop, @Nullable BaselineRates baseline) {
        RateRule rule = policy.rule();
        BaselineRule beside = policy.baseline();
        GateKind behind = beside == null ? null : new NotBehind(beside.maxDrop(), baseline);
        if (rule != null) {
            GateKind sure = new SureRate(rule, branches, stop == StopRule.SURE);
            return behind == null ? sure : new Both(sure, behind);
        }
        GateKind counted =
                new Thresholds(new Threshold(policy.passThreshold()), new Threshold(policy.effectiveSuiteThreshold()));
        if (behind == null) {
            return counted;
        }
        return policy.countsCases() ? new Both(counted, behind) : behind;
    }

    /**
     * A share of the cases must pass. Exact.
     *
     * @param pass share of its trials that a case needs
     * @param suite share of cases that must pass
     */
    record Thresholds(Threshold pass, Threshold suite) implements GateKind {

        @Override
        public VerdictChances chances(PlannedSuite suite) {
            GateForecast forecast = new GateForecast(suite.cases(), suite.trials(), pass, this.suite);
            return VerdictChances.ofTwo(
                    forecast.passes(suite.rate(), suite.icc()), forecast.passesTwice(suite.rate(), suite.icc()));
        }
    }

    /**
     * The trial rate must surely reach a threshold.
     *
     * @param branches branches that the gate looks at: a FAIL takes its share of alpha
     * @param afterRounds whether it looks after each round, and stops when it is sure
     */
    record SureRate(RateRule rule, int branches, boolean afterRounds) implements GateKind {

        @Override
        public VerdictChances chances(PlannedSuite suite) {
            return looked(suite).chances();
        }

        RateLooks looked(PlannedSuite suite) {
            return RateLooks.of(suite, looks(suite.cases(), suite.trials()));
        }

        RateLooks.Look[] looks(int cases, int rounds) {
            if (!afterRounds) {
                return new RateLooks.Look[] {look(cases, rounds, rule.alpha() / 2)};
            }
            List<Double> errors = LookErrors.of(rule.alpha(), rounds, List.of()).levels();
            int every = Math.ceilDiv(rounds, MOST_LOOKS);
            return IntStream.rangeClosed(1, Math.ceilDiv(rounds, every))
                    .map(place -> Math.min(rounds, place * every))
                    .mapToObj(round -> look(cases, round, errors.get(round - 1)))
                    .toArray(RateLooks.Look[]::new);
        }

        /**
         * The exact interval lies at or above the threshold when so many passes, or more, have a probability of at most {@code
         * error} there. It lies below when so few have one below {@code error}.
         */
        private RateLooks.Look look(int cases, int rounds, double error) {
            int all = cases * rounds;
            double threshold = rule.threshold();
            if (threshold <= 0 || threshold >= 1) {
                return new RateLooks.Look(rounds, threshold <= 0 ? 0 : all + 1L, threshold <= 0 ? -1 : all - 1L);
            }
            BinomialDistribution there = BinomialDistribution.of(all, threshold);
            long pass = there.inverseSurvivalProbability(error) + 1L;
            long fail = there.inverseCumulativeProbability(error / branches) - 1L;
            return new RateLooks.Look(rounds, pass, fail);
        }
    }

    /**
     * The trial rate must not fall behind an earlier campaign.
     *
     * @param maxDrop the drop that is accepted, 0–1
     * @param known the earlier campaign; null: it is as good as what is planned
     */
    record NotBehind(double maxDrop, @Nullable BaselineRates known) implements GateKind {

        @Override
        public VerdictChances chances(PlannedSuite suite) {
            BaselineRates baseline = known == null ? BaselineRates.like(suite) : known;
            return baseline.shared() == 0
                    ? new VerdictChances(0, 0, 0, 0, 0)
                    : RateLooks.of(baseline.sharedBy(suite), baseline.look(suite, maxDrop))
                            .chances();
        }
    }

    /** Both parts must pass; either can fail. */
    record Both(GateKind first, GateKind second) implements GateKind {

        @Override
        public VerdictChances chances(PlannedSuite suite) {
            return first.chances(suite).and(second.chances(suite));
        }
    }
}
