package dev.assay.domain.selection;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.error.Failure;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.outcome.Outcomes;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The application of a campaign's strategy to the outcomes of one trial (docs/campaign-file.md).
 *
 * <p>Only outcomes that completed, or that a limit ended after they had a text, can be chosen. A selection is decided when the
 * strategy did not fall back and there were at least two to choose from. Only a decided one counts as a win.
 */
public final class Selector {

    private Selector() {}

    /**
     * As {@link #choose}, for a trial whose skipped cells run when the budget is raised. Until then it asks no paid judge.
     *
     * @param outcomes of one trial, at most one per branch, in any order
     */
    public static Choice chooseOrWait(Strategy strategy, List<Outcome> outcomes) {
        List<Outcome> selectable = Outcomes.inBranchOrder(outcomes).stream()
                .filter(Outcomes::isSelectable)
                .toList();
        boolean waits = strategy.mayAsk()
                && has(outcomes, OutcomeStatus.BUDGET_SKIPPED)
                && !has(outcomes, OutcomeStatus.NOT_NEEDED);
        if (!waits || selectable.isEmpty()) {
            return choose(strategy, outcomes);
        }
        String reason =
                "The budget did not cover every branch, so no judge was asked. The first that completed was taken.";
        return made(selectable.getFirst(), strategy.type(), reason, true, selectable.size());
    }

    /**
     * Chooses among the outcomes that can be chosen, or answers that a judge must be asked.
     *
     * @param outcomes of one trial, at most one per branch, in any order
     */
    public static Choice choose(Strategy strategy, List<Outcome> outcomes) {
        List<Outcome> all = Outcomes.inBranchOrder(outcomes);
        List<Outcome> selectable = all.stream().filter(Outcomes::isSelectable).toList();
        if (all.size() > strategy.mostBranches()) {
            throw new IllegalArgumentException("Strategy " + strategy.type() + " takes one branch, not " + all.size());
        }
        if (selectable.isEmpty()) {
            return made(null, strategy.type(), noneReason(all), false, 0);
        }
        if (has(all, OutcomeStatus.NOT_NEEDED)) {
            return new Choice.Made(notNeeded(strategy));
        }
        return strategy.choose(selectable);
    }

    /** The selection of a trial that lacks a branch which stopped early: nothing is selected. */
    public static Selection notNeeded(Strategy strategy) {
        return new Selection(
                strategy.type(),
                new Decision.Nothing(),
                "A branch was not asked, since it had stopped early: nothing can be compared.");
    }

    /** The selection of a cancelled trial among the branches that had completed, without a judge. */
    public static Selection whenCancelled(Strategy strategy, List<Outcome> outcomes) {
        return switch (choose(strategy, outcomes)) {
            case Choice.Made(Selection selection) -> selection;
            case Choice.AskJudge(List<Outcome> shown) ->
                cancelled(strategy, shown, "The evaluation was cancelled before a judge had decided.");
            case Choice.AskCustom(Strategy.Custom custom, List<Outcome> candidates) ->
                cancelled(
                        strategy,
                        candidates,
                        "The evaluation was cancelled before strategy " + custom.name() + " had decided.");
        };
    }

    private static Selection cancelled(Strategy strategy, List<Outcome> completed, String why) {
        return new Selection(
                strategy.type(),
                new Decision.FellBack(completed.getFirst().branchIndex()),
                why + " The first that completed was taken.");
    }

    static Choice pickFirst(String type, List<Outcome> selectable) {
        Outcome first = selectable.getFirst();
        return first.branchIndex() == 0
                ? made(first, type, "The first branch.", false, 1)
                : made(
                        first,
                        type,
                        "The first branch did not complete; " + Outcomes.name(first) + " is the first that did.",
                        true,
                        selectable.size());
    }

    static Choice tokenEfficient(String type, List<Outcome> selectable) {
        List<Outcome> counted = counted(selectable);
        if (counted.isEmpty()) {
            return nothingKnown(type, "usage", "least", selectable);
        }
        Outcome least = first(counted, Comparator.comparingLong(Selector::tokens));
        return extreme(least, type, tokenCount("Least", "first", least, counted), counted, selectable, "usages");
    }

    static Choice elaborate(String type, List<Outcome> selectable) {
        List<Outcome> counted = counted(selectable);
        if (counted.isEmpty()) {
            return nothingKnown(type, "usage", "most", selectable);
        }
        Outcome most = first(counted.reversed(), Comparator.comparingLong(outcome -> -tokens(outcome)));
        return extreme(most, type, tokenCount("Most", "last", most, counted), counted, selectable, "usages");
    }

    static Choice lowestLatency(String type, List<Outcome> selectable) {
        List<Outcome> timed = selectable.stream()
                .filter(outcome -> outcome.measured().isTimed())
                .toList();
        if (timed.isEmpty()) {
            return nothingKnown(type, "time", "least", selectable);
        }
        Comparator<Outcome> order = Comparator.comparing(Outcome::latency);
        Outcome least = first(timed, order);
        String time = "Least time: " + least.latency().toMillis() + " ms" + tie("first", least, timed, order);
        return extreme(least, type, time, timed, selectable, "times");
    }

    static Choice lowestCost(String type, List<Outcome> selectable) {
        List<Outcome> priced =
                selectable.stream().filter(outcome -> outcome.costUsd() != null).toList();
        if (priced.isEmpty()) {
            return nothingKnown(type, "cost", "lowest", selectable);
        }
        Comparator<Outcome> order = Comparator.comparing(outcome -> requireNonNull(outcome.costUsd()));
        Outcome least = first(priced, order);
        String cost = "Least cost: " + requireNonNull(least.costUsd()).toPlainString() + " USD"
                + tie("first", least, priced, order);
        return extreme(least, type, cost, priced, selectable, "costs");
    }

    private static Choice nothingKnown(String type, String what, String extreme, List<Outcome> selectable) {
        String reason = "No " + what + " is known, so none is the " + extreme + ". The first that completed was taken.";
        return made(selectable.getFirst(), type, reason, true, selectable.size());
    }

    /**
     * Only what is known is compared; with one unknown, the extreme is unknown.
     *
     * @param said what {@code chosen} has, without the end of the sentence
     */
    private static Choice extreme(
            Outcome chosen, String type, String said, List<Outcome> known, List<Outcome> selectable, String what) {
        int unknown = selectable.size() - known.size();
        String reason = unknown == 0
                ? said + "."
                : said + " among the known; " + unknown + " of " + selectable.size() + " " + what + " "
                        + (unknown == 1 ? "is" : "are") + " not known, so no branch wins.";
        return made(chosen, type, reason, unknown > 0, selectable.size());
    }

    /** The first of the least. */
    private static Outcome first(List<Outcome> selectable, Comparator<Outcome> order) {
        return selectable.stream().min(order).orElseThrow();
    }

    static Choice judge(String type, List<Outcome> selectable) {
        return selectable.size() == 1
                ? made(selectable.getFirst(), type, "The only branch that completed; no judge was asked.", false, 1)
                : new Choice.AskJudge(selectable);
    }

    static Choice made(@Nullable Outcome chosen, String type, String reason, boolean fallback, int selectable) {
        Integer index = chosen == null ? null : chosen.branchIndex();
        return new Choice.Made(new Selection(type, Decision.stored(index, fallback, selectable > 1, false), reason));
    }

    private static boolean has(List<Outcome> outcomes, OutcomeStatus status) {
        return outcomes.stream().anyMatch(outcome -> outcome.status() == status);
    }

    private static List<Outcome> counted(List<Outcome> selectable) {
        return selectable.stream().filter(outcome -> outcome.usage().known()).toList();
    }

    private static String tokenCount(String extreme, String which, Outcome chosen, List<Outcome> counted) {
        return extreme + " tokens: " + tokens(chosen)
                + tie(which, chosen, counted, Comparator.comparingLong(Selector::tokens));
    }

    /** A note about a tie, if there is one. */
    private static String tie(String which, Outcome chosen, List<Outcome> all, Comparator<Outcome> order) {
        long equals = all.stream()
                .filter(outcome -> order.compare(outcome, chosen) == 0)
                .count();
        return equals > 1 ? ", the " + which + " of " + equals + " equals" : "";
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
        return requireNonNull(outcome.usage().total());
    }
}
