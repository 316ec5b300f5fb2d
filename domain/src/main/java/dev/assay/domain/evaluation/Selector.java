package dev.assay.domain.evaluation;

import dev.assay.domain.campaign.Strategy;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.CompactionTiers;
import dev.assay.domain.judge.JudgeReply;
import dev.assay.domain.text.WhiteSpace;
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

    private static final String LLM_JUDGE = "llm-judge";

    /** How much of a judge's reply a reason quotes, in bytes. */
    private static final int QUOTED_BYTES = 200;

    private Selector() {}

    /**
     * Chooses, or says that a judge must be asked.
     *
     * @param outcomes of one trial, at most one per branch, in any order
     */
    public static Choice choose(Strategy strategy, List<Outcome> outcomes) {
        List<Outcome> all = inBranchOrder(outcomes);
        List<Outcome> selectable = all.stream().filter(Selector::isSelectable).toList();
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
            case Strategy.LlmJudge ignored
            when !all.stream().allMatch(outcome -> outcome.status().isFinal()) ->
                made(
                        selectable.getFirst(),
                        strategy.type(),
                        "A branch has no final outcome yet, so no judge was asked. The first that completed was taken.",
                        true,
                        selectable.size());
            case Strategy.LlmJudge ignored -> judge(strategy.type(), selectable);
        };
    }

    /** The outcomes that can be chosen, in branch order. These are the ones that a judge is shown. */
    public static List<Outcome> selectable(List<Outcome> outcomes) {
        return inBranchOrder(outcomes).stream().filter(Selector::isSelectable).toList();
    }

    /**
     * The selection that a judge's reply makes. A reply that names no response falls back to the first one that was shown.
     *
     * @param shownBranches the branch of each response that was shown
     */
    public static Selection judged(List<Integer> shownBranches, String reply) {
        JudgeReply chosen = JudgeReply.parseSelection(reply, shownBranches.size());
        String quoted = CompactionTiers.limit(WhiteSpace.trim(reply), QUOTED_BYTES);
        String reason = chosen.fallback()
                ? "The judge's reply names no response from 1 to " + shownBranches.size() + ": \"" + quoted
                        + "\". The first response was taken."
                : "The judge chose response " + (chosen.index() + 1) + " of " + shownBranches.size() + ": \"" + quoted
                        + "\".";
        boolean decided = !chosen.fallback() && shownBranches.size() > 1;
        return new Selection(shownBranches.get(chosen.index()), LLM_JUDGE, reason, chosen.fallback(), decided);
    }

    /** The selection when the judge failed for good or was cancelled: the first response that was shown. */
    public static Selection judgeFailed(List<Integer> shownBranches, Failure failure) {
        String reason =
                "The judge failed (" + failure.code() + ": " + failure.message() + "). The first response was taken.";
        return new Selection(shownBranches.getFirst(), LLM_JUDGE, reason, true, false);
    }

    /** The selection of a trial that was cancelled, among the branches that had completed: no judge is asked any more. */
    public static Selection whenCancelled(Strategy strategy, List<Outcome> outcomes) {
        return switch (choose(strategy, outcomes)) {
            case Choice.Made(Selection selection) -> selection;
            case Choice.AskJudge(List<Outcome> shown) ->
                judgeFailed(
                        shown.stream().map(Outcome::branchIndex).toList(),
                        new Failure(ErrorCode.CANCELLED, "The evaluation was cancelled"));
        };
    }

    private static Choice pickFirst(String type, List<Outcome> selectable) {
        Outcome first = selectable.getFirst();
        return first.branchIndex() == 0
                ? made(first, type, "The first branch.", false, selectable.size())
                : made(
                        first,
                        type,
                        "The first branch did not complete; " + name(first) + " is the first that did.",
                        true,
                        selectable.size());
    }

    private static Choice tokenEfficient(String type, List<Outcome> selectable) {
        Outcome least = selectable.getFirst();
        for (Outcome outcome : selectable) {
            least = tokens(outcome) < tokens(least) ? outcome : least;
        }
        return made(least, type, countReason("Least", "first", least, selectable), false, selectable.size());
    }

    private static Choice elaborate(String type, List<Outcome> selectable) {
        Outcome most = selectable.getFirst();
        for (Outcome outcome : selectable) {
            most = tokens(outcome) >= tokens(most) ? outcome : most;
        }
        return made(most, type, countReason("Most", "last", most, selectable), false, selectable.size());
    }

    private static Choice judge(String type, List<Outcome> selectable) {
        return selectable.size() == 1
                ? made(selectable.getFirst(), type, "The only branch that completed; no judge was asked.", false, 1)
                : new Choice.AskJudge(selectable);
    }

    private static Choice made(@Nullable Outcome chosen, String type, String reason, boolean fallback, int selectable) {
        Integer index = chosen == null ? null : chosen.branchIndex();
        return new Choice.Made(new Selection(index, type, reason, fallback, !fallback && selectable > 1));
    }

    private static List<Outcome> inBranchOrder(List<Outcome> outcomes) {
        long branches = outcomes.stream().map(Outcome::branchIndex).distinct().count();
        if (branches < outcomes.size()) {
            throw new IllegalArgumentException("A trial has at most one outcome per branch");
        }
        return outcomes.stream()
                .sorted(Comparator.comparingInt(Outcome::branchIndex))
                .toList();
    }

    private static boolean isSelectable(Outcome outcome) {
        return switch (outcome.status()) {
            case COMPLETED -> true;
            case LIMIT -> !WhiteSpace.isBlank(outcome.response());
            case MODEL_ERROR, TIMED_OUT, CANCELLED, BUDGET_SKIPPED -> false;
        };
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
        String status = name(outcome) + " ended " + outcome.status();
        return failure == null ? status : status + " (" + failure.message() + ")";
    }

    /** As users write paths into the campaign file, so that the number is plainly 0-based. */
    private static String name(Outcome outcome) {
        return "branches[" + outcome.branchIndex() + "]";
    }

    private static long tokens(Outcome outcome) {
        return outcome.usage().total();
    }
}
