package dev.assay.domain.selection;

import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.judge.TiePolicy;
import dev.assay.domain.outcome.Outcome;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.stream.Stream;

/** The branch whose checks score highest: the mean of their scores, each by the weight of its check. */
final class ScoreChoice {

    private ScoreChoice() {}

    /** @param selectable in branch order, at least one */
    static Choice of(String type, TiePolicy ties, List<Outcome> selectable) {
        List<Scored> all = selectable.stream().map(Scored::of).toList();
        if (all.stream().noneMatch(Scored::hasWeight)) {
            String reason = "No check with a weight says anything. The first that completed was taken.";
            return Selector.made(selectable.getFirst(), type, reason, true, selectable.size());
        }
        BigDecimal highest = all.stream().map(Scored::low).reduce(BigDecimal.ZERO, BigDecimal::max);
        List<Scored> contenders = all.stream()
                .filter(scored -> scored.high().compareTo(highest) >= 0)
                .toList();
        List<Outcome> leaders = contenders.stream()
                .filter(scored -> scored.low().compareTo(highest) == 0)
                .map(Scored::outcome)
                .toList();
        String score = "Highest score: " + highest.stripTrailingZeros().toPlainString();
        if (contenders.size() == 1) {
            return Selector.made(leaders.getFirst(), type, score + ".", false, selectable.size());
        }
        if (contenders.stream().anyMatch(Scored::isOpen)) {
            String reason = score + ", but a check that is unscored could have changed it, so no branch wins.";
            return Selector.made(leaders.getFirst(), type, reason, true, selectable.size());
        }
        TieBreak taken = TieBreak.of(ties, leaders);
        Selection selection = new Selection(type, taken.decision(), score + ", a tie. " + taken.reason());
        return new Choice.Made(selection);
    }

    /**
     * An outcome's score, 0–1.
     *
     * @param low when what is unscored counts as 0
     * @param high when it counts as 1
     */
    private record Scored(Outcome outcome, boolean hasWeight, BigDecimal low, BigDecimal high) {

        static Scored of(Outcome outcome) {
            BigDecimal total = sum(outcome.checks().stream().map(Scored::weight));
            if (total.signum() == 0) {
                return new Scored(outcome, false, BigDecimal.ZERO, BigDecimal.ONE);
            }
            BigDecimal scored = sum(outcome.checks().stream().map(Scored::weighted));
            BigDecimal open = sum(outcome.checks().stream()
                    .filter(check -> check.score() == null)
                    .map(Scored::weight));
            return new Scored(
                    outcome,
                    true,
                    scored.divide(total, MathContext.DECIMAL64),
                    scored.add(open).divide(total, MathContext.DECIMAL64));
        }

        /** Whether what is unscored could raise it. */
        boolean isOpen() {
            return low.compareTo(high) < 0;
        }

        private static BigDecimal weight(CheckResult check) {
            return check.weight() == null ? BigDecimal.ONE : check.weight();
        }

        private static BigDecimal weighted(CheckResult check) {
            Double score = check.score();
            return score == null ? BigDecimal.ZERO : weight(check).multiply(BigDecimal.valueOf(score));
        }

        private static BigDecimal sum(Stream<BigDecimal> numbers) {
            return numbers.reduce(BigDecimal.ZERO, BigDecimal::add);
        }
    }
}
