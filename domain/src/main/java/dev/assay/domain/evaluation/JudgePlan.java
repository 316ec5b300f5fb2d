package dev.assay.domain.evaluation;

import dev.assay.domain.campaign.JudgeRule;
import dev.assay.domain.campaign.Strategy;
import dev.assay.domain.judge.CompactionTiers;
import dev.assay.domain.text.WhiteSpace;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the judge calls that a trial has: the calls to make next, or the selection. It depends on nothing else, so
 * a trial goes on where it was, whatever process looks.
 */
public final class JudgePlan {

    private static final String LLM_JUDGE = "llm-judge";

    /** How much of a judge's words a reason quotes, in bytes. */
    private static final int QUOTED_BYTES = 200;

    private JudgePlan() {}

    /** What is to be done. */
    public sealed interface Step {

        /**
         * These calls are to be made; they do not depend on each other.
         *
         * @param questions at least one
         */
        record Ask(List<JudgeQuestion> questions) implements Step {

            public Ask {
                questions = List.copyOf(questions);
            }
        }

        /**
         * The winner is known.
         *
         * @param isFinal whether it will not change: no call was skipped for now
         */
        record Decided(Selection selection, boolean isFinal) implements Step {}
    }

    /**
     * The next step of a trial.
     *
     * @param strategy one that asks judges
     * @param shown the outcomes whose responses are judged, at least two
     * @param answers the calls that were made
     */
    public static Step next(Strategy strategy, List<Outcome> shown, Collection<JudgeAnswer> answers) {
        JudgeRule rule = strategy.judging();
        if (rule == null) {
            throw new IllegalArgumentException("Strategy " + strategy.type() + " asks no judge");
        }
        List<Outcome> inOrder = Outcomes.inBranchOrder(shown);
        Map<Integer, JudgeAnswer> byMember =
                answers.stream().collect(Collectors.toMap(JudgeAnswer::member, Function.identity()));
        return strategy instanceof Strategy.Pairwise(JudgeRule ignored, Integer rounds)
                ? PairPlan.next(rule, rounds, inOrder, byMember)
                : all(rule, inOrder, byMember);
    }

    private static Step all(JudgeRule rule, List<Outcome> inOrder, Map<Integer, JudgeAnswer> byMember) {
        List<Integer> branches = inOrder.stream().map(Outcome::branchIndex).toList();
        Ballot ballot = Ballot.of(rule, 0, branches, byMember);
        return ballot.questions().isEmpty()
                ? new Step.Decided(selection(rule, inOrder, ballot.comparison(), byMember), ballot.isFinal())
                : new Step.Ask(ballot.questions());
    }

    /**
     * How many calls a trial makes when every branch completes, apart from retries and repairs.
     *
     * @param branches of the campaign
     */
    public static int calls(Strategy strategy, int branches) {
        int comparisons = strategy instanceof Strategy.Pairwise(JudgeRule ignored, Integer rounds)
                ? PairPlan.comparisons(rounds, branches)
                : 1;
        return comparisons * callsOfComparison(strategy, branches);
    }

    /**
     * A number that the number of every call of a trial stays below, repairs included.
     *
     * @param branches of the campaign
     */
    public static int memberBound(Strategy strategy, int branches) {
        int comparisons = strategy instanceof Strategy.Pairwise(JudgeRule ignored, Integer rounds)
                ? PairPlan.places(rounds, branches)
                : 1;
        JudgeRule rule = strategy.judging();
        int slots = rule != null && rule.form().isStructured() ? 2 : 1;
        return comparisons * callsOfComparison(strategy, branches) * slots;
    }

    /** 0 when nobody is asked. */
    private static int callsOfComparison(Strategy strategy, int branches) {
        JudgeRule rule = strategy.judging();
        if (rule == null || branches < 2) {
            return 0;
        }
        int shown = strategy instanceof Strategy.Pairwise ? 2 : branches;
        return Ballot.orders(rule, IntStream.range(0, shown).boxed().toList()).size()
                * rule.judges().size();
    }

    private static Selection selection(
            JudgeRule rule, List<Outcome> shown, Comparison comparison, Map<Integer, JudgeAnswer> answers) {
        Integer winner = comparison.winner();
        if (winner != null) {
            return new Selection(
                    winner, LLM_JUDGE, won(rule, comparison, winner, answers), false, true, comparison.votes());
        }
        if (comparison.counted().isEmpty()) {
            int first = shown.getFirst().branchIndex();
            String reason = unusable(comparison, answers) + " The first response was taken.";
            return new Selection(first, LLM_JUDGE, reason, true, false, comparison.votes());
        }
        List<Integer> tied = comparison.tied();
        TieBreak taken = TieBreak.of(
                rule.ties(),
                shown.stream()
                        .filter(outcome -> tied.contains(outcome.branchIndex()))
                        .toList());
        String reason = noMajority(rule, comparison) + leftOut(comparison) + " " + taken.reason();
        return new Selection(taken.winner(), LLM_JUDGE, reason, !taken.wins(), taken.wins(), comparison.votes());
    }

    private static String won(JudgeRule rule, Comparison comparison, int winner, Map<Integer, JudgeAnswer> answers) {
        JudgeVote vote = comparison.votes().getFirst();
        if (rule.isPanel()) {
            return Outcomes.name(winner) + " has " + comparison.counts().most() + " of "
                    + plural(comparison.counted().size(), "vote") + "." + leftOut(comparison);
        }
        if (vote.readings().size() > 1) {
            return "The judge named " + Outcomes.name(winner) + " in " + named(vote, winner) + " of "
                    + plural(vote.readings().size(), "order") + ".";
        }
        JudgeReading reading = vote.readings().getFirst();
        return "The judge chose response " + (reading.shown().indexOf(winner) + 1) + " of "
                + reading.shown().size() + ": \"" + quoted(reading, answers) + "\".";
    }

    private static long named(JudgeVote vote, int branch) {
        return vote.readings().stream()
                .filter(reading -> Integer.valueOf(branch).equals(reading.choice()))
                .count();
    }

    private static String noMajority(JudgeRule rule, Comparison comparison) {
        return rule.isPanel()
                ? "A tie: no branch has more than half of "
                        + plural(comparison.counted().size(), "vote") + "."
                : "A tie: the judge named no branch in more than half of "
                        + plural(comparison.votes().getFirst().readings().size(), "order") + ".";
    }

    /** Names the judges without a vote; empty when all have one. */
    private static String leftOut(Comparison comparison) {
        return comparison.votes().stream()
                .filter(vote -> vote.result() == JudgeVote.Result.LEFT_OUT)
                .map(vote -> " Left out: judge " + (vote.judge() + 1) + " (" + why(vote) + ")")
                .collect(Collectors.joining());
    }

    private static String why(JudgeVote vote) {
        return vote.readings().stream()
                .map(JudgeReading::reason)
                .map(String::valueOf)
                .distinct()
                .collect(Collectors.joining(" "));
    }

    /** Why no judge has a vote. */
    private static String unusable(Comparison comparison, Map<Integer, JudgeAnswer> answers) {
        if (comparison.votes().size() > 1
                || comparison.votes().getFirst().readings().size() > 1) {
            return "No judge named a response." + leftOut(comparison);
        }
        JudgeReading reading = comparison.votes().getFirst().readings().getFirst();
        return reading.path() == JudgeReading.Path.FAILED
                ? "The judge failed (" + reading.reason() + ")."
                : "The judge's reply names no response from 1 to "
                        + reading.shown().size() + ": \"" + quoted(reading, answers) + "\".";
    }

    private static String quoted(JudgeReading reading, Map<Integer, JudgeAnswer> answers) {
        boolean hasReason =
                reading.path() == JudgeReading.Path.STRUCTURED || reading.path() == JudgeReading.Path.REPAIRED;
        JudgeAnswer answer = answers.get(reading.member());
        @Nullable String words = hasReason || answer == null ? reading.reason() : answer.reply();
        return CompactionTiers.limit(WhiteSpace.trim(words == null ? "" : words), QUOTED_BYTES);
    }

    private static String plural(int count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }
}
