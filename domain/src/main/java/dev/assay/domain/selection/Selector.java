package dev.assay.domain.selection;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.TiePolicy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.outcome.Outcomes;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Applies a campaign's strategy to the outcomes of one trial (semantics A2).
 *
 * <p>Only outcomes that completed, or that a limit ended after they had a text, can be chosen. A selection is decided, and so
 * counts as a win, when the strategy did not fall back and there were at least two to choose from.
 */
public final class Selector {

    private Selector() {}

    /**
     * Chooses, or says that a judge must be asked.
     *
     * @param outcomes of one trial, at most one per branch, in any order
     */
    public static Choice choose(Strategy strategy, List<Outcome> outcomes) {
        List<Outcome> all = Outcomes.inBranchOrder(outcomes);
        List<Outcome> selectable = all.stream().filter(Outcomes::isSelectable).toList();
        if (strategy instanceof Strategy.Transparent && all.size() > 1) {
            throw new IllegalArgumentException("Strategy transparent takes one branch, not " + all.size());
        }
        if (selectable.isEmpty()) {
            return made(null, strategy.type(), noneReason(all), false, 0);
        }
        return switch (strategy) {
            case Strategy.Transparent() -> made(selectable.getFirst(), strategy.type(), "The only branch.", false, 1);
            case Strategy.PickFirst() -> pickFirst(strategy.type(), selectable);
            case Strategy.TokenEfficient() -> tokenEfficient(strategy.type(), selectable);
            case Strategy.Elaborate() -> elaborate(strategy.type(), selectable);
            case Strategy.LowestCost() -> lowestCost(strategy.type(), selectable);
            case Strategy.LowestLatency() -> lowestLatency(strategy.type(), selectable);
            case Strategy.HighestScore(TiePolicy ties) -> ScoreChoice.of(strategy.type(), ties, selectable);
            case Strategy.Custom(String name) -> custom(strategy.type(), name, selectable);
            case Strategy.LlmJudge _, Strategy.Pairwise _
            when all.stream().anyMatch(outcome -> outcome.status() == OutcomeStatus.BUDGET_SKIPPED) ->
                made(
                        selectable.getFirst(),
                        strategy.type(),
                        "The budget did not cover every branch, so no judge was asked. The first that completed was"
                                + " taken.",
                        true,
                        selectable.size());
            case Strategy.LlmJudge _, Strategy.Pairwise _ -> judge(strategy.type(), selectable);
        };
    }

    /** The selection of a trial that was cancelled, among the branches that had completed: no judge is asked any more. */
    public static Selection whenCancelled(Strategy strategy, List<Outcome> outcomes) {
        return switch (choose(strategy, outcomes)) {
            case Choice.Made(Selection selection) -> selection;
            case Choice.AskJudge(List<Outcome> shown) ->
                cancelled(strategy, shown, "The evaluation was cancelled before a judge had decided.");
            case Choice.AskCustom(String name, List<Outcome> candidates) ->
                cancelled(strategy, candidates, "The evaluation was cancelled before strategy " + name + " was asked.");
        };
    }

    private static Selection cancelled(Strategy strategy, List<Outcome> completed, String why) {
        return new Selection(
                strategy.type(),
                new Decision.FellBack(completed.getFirst().branchIndex()),
                why + " The first that completed was taken.");
    }

    private static Choice pickFirst(String type, List<Outcome> selectable) {
        Outcome first = selectable.getFirst();
        return first.branchIndex() == 0
                ? made(first, type, "The first branch.", false, selectable.size())
                : made(
                        first,
                        type,
                        "The first branch did not complete; " + Outcomes.name(first) + " is the first that did.",
                        true,
                        selectable.size());
    }

    private static Choice tokenEfficient(String type, List<Outcome> selectable) {
        Outcome least = first(selectable, Comparator.comparingLong(Selector::tokens));
        return made(least, type, countReason("Least", "first", least, selectable), false, selectable.size());
    }

    private static Choice elaborate(String type, List<Outcome> selectable) {
        Outcome most = selectable.getFirst();
        for (Outcome outcome : selectable) {
            most = tokens(outcome) >= tokens(most) ? outcome : most;
        }
        return made(most, type, countReason("Most", "last", most, selectable), false, selectable.size());
    }

    private static Choice lowestLatency(String type, List<Outcome> selectable) {
        Outcome least = first(selectable, Comparator.comparing(Outcome::latency));
        String reason = "Least time: " + least.latency().toMillis() + " ms.";
        return made(least, type, reason, false, selectable.size());
    }

    /** Only known costs are compared; with one that is not known, nobody can say that another is the lowest. */
    private static Choice lowestCost(String type, List<Outcome> selectable) {
        List<Outcome> priced =
                selectable.stream().filter(outcome -> outcome.costUsd() != null).toList();
        if (priced.isEmpty()) {
            String reason = "No cost is known, so none is the lowest. The first that completed was taken.";
            return made(selectable.getFirst(), type, reason, true, selectable.size());
        }
        Outcome least = first(priced, Comparator.comparing(outcome -> requireNonNull(outcome.costUsd())));
        String cost = "Least cost: " + requireNonNull(least.costUsd()).toPlainString() + " USD";
        int unknown = selectable.size() - priced.size();
        return unknown == 0
                ? made(least, type, cost + ".", false, selectable.size())
                : made(
                        least,
                        type,
                        cost + " among the known; " + unknown + " of " + selectable.size() + " costs "
                                + (unknown == 1 ? "is" : "are") + " not known, so nobody wins.",
                        true,
                        selectable.size());
    }

    /** The first of the least. */
    private static Outcome first(List<Outcome> selectable, Comparator<Outcome> order) {
        return selectable.stream().min(order).orElseThrow();
    }

    private static Choice judge(String type, List<Outcome> selectable) {
        return selectable.size() == 1
                ? made(selectable.getFirst(), type, "The only branch that completed; no judge was asked.", false, 1)
                : new Choice.AskJudge(selectable);
    }

    private static Choice custom(String type, String name, List<Outcome> selectable) {
        return selectable.size() == 1
                ? made(selectable.getFirst(), type, "The only branch that completed.", false, 1)
                : new Choice.AskCustom(name, selectable);
    }

    static Choice made(@Nullable Outcome chosen, String type, String reason, boolean fallback, int selectable) {
        Integer index = chosen == null ? null : chosen.branchIndex();
        return new Choice.Made(new Selection(type, Decision.stored(index, fallback, selectable > 1), reason));
    }

    private static String countReason(String extreme, String which, Outcome chosen, List<Outcome> selectable) {
        long equals = selectable.stream()
                .filter(outcome -> tokens(outcome) == tokens(chosen))
                .count();
        String count = extreme + " tokens: " + tokens(chosen);
        return equals > 1 ? count + ", the " + which + " of " + equals + " equals." : count + ".";
    }

    private static String noneReason(List<Outcome> outcomes) {
        if (outcomes.isEmpty()) {
            return "No branch has an outcome.";
        }
        return "No branch completed: " + outcomes.stream().map(Selector::whyNot).collect(Collectors.joining("; "))
                + ".";
    }

    private static String whyNot(Outcome outcome) {
        Failure failure = outcome.failure();
        String status = Outcomes.name(outcome) + " ended " + outcome.status();
        return failure == null ? status : status + " (" + failure.message() + ")";
    }

    private static long tokens(Outcome outcome) {
        return outcome.usage().total();
    }
}
