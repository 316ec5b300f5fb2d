package dev.assay.domain.selection;

import dev.assay.domain.compaction.CompactionTiers;
import dev.assay.domain.judge.Ballot;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.judge.ParsedReply;
import dev.assay.domain.judge.ResponseComparison;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.Outcomes;
import dev.assay.domain.text.WhiteSpace;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The next step of judging, from the judge calls that a trial has: the calls to make, or the selection. It depends on nothing else,
 * so any process can resume a trial.
 */
public final class JudgePlan {

    private static final String LLM_JUDGE = "llm-judge";

    /** The part of a judge's words that a reason quotes, in bytes. */
    private static final int QUOTED_BYTES = 200;

    private JudgePlan() {}

    /** The next step. */
    public sealed interface Step {

        /**
         * The calls to make; they do not depend on each other.
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
     * @param trial which repetition of its case it is, from 1
     * @param shown the outcomes whose responses are judged, at least two
     */
    public static Step next(Strategy strategy, int trial, List<Outcome> shown, Collection<JudgeAnswer> answers) {
        JudgePolicy policy = strategy.judging();
        if (policy == null) {
            throw new IllegalArgumentException("Strategy " + strategy.type() + " asks no judge");
        }
        List<Outcome> inOrder = Outcomes.inBranchOrder(shown);
        Map<Integer, JudgeAnswer> bySlot =
                answers.stream().collect(Collectors.toMap(JudgeAnswer::slot, Function.identity()));
        return strategy instanceof Strategy.Pairwise(JudgePolicy ignored, Integer rounds)
                ? PairPlan.next(policy, rounds, trial, inOrder, bySlot)
                : all(policy, trial, inOrder, bySlot);
    }

    private static Step all(JudgePolicy policy, int trial, List<Outcome> inOrder, Map<Integer, JudgeAnswer> bySlot) {
        List<Integer> branches = inOrder.stream().map(Outcome::branchIndex).toList();
        Ballot ballot = Ballot.of(policy, 0, policy.shown(branches, trial), bySlot);
        return ballot.questions().isEmpty()
                ? new Step.Decided(selection(policy, inOrder, ballot.comparison(), bySlot), ballot.isFinal())
                : new Step.Ask(ballot.questions());
    }

    /** The number of calls of a trial when every branch completes, apart from retries and repairs. */
    public static int calls(Strategy strategy, int branches) {
        int comparisons = strategy instanceof Strategy.Pairwise(JudgePolicy ignored, Integer rounds)
                ? PairPlan.comparisons(rounds, branches)
                : 1;
        return comparisons * callsOfComparison(strategy, branches);
    }

    /**
     * A bound above the numbers of the calls of a trial, repairs included; for a custom strategy, of all asks. Plain replies that are
     * asked for again have numbers of their own.
     */
    public static int slotBound(Strategy strategy, int branches) {
        if (strategy instanceof Strategy.Custom custom) {
            return custom.maxAsks();
        }
        int comparisons = strategy instanceof Strategy.Pairwise(JudgePolicy ignored, Integer rounds)
                ? PairPlan.places(rounds, branches)
                : 1;
        JudgePolicy policy = strategy.judging();
        int slots = policy != null && policy.format().isStructured() ? 2 : 1;
        return comparisons * callsOfComparison(strategy, branches) * slots;
    }

    /** 0 when no judge is asked. */
    private static int callsOfComparison(Strategy strategy, int branches) {
        JudgePolicy policy = strategy.judging();
        if (policy == null || branches < 2) {
            return 0;
        }
        int shown = strategy instanceof Strategy.Pairwise ? 2 : branches;
        return Ballot.orders(policy, IntStream.range(0, shown).boxed().toList()).size()
                * policy.judges().size();
    }

    private static Selection selection(
            JudgePolicy policy, List<Outcome> shown, ResponseComparison comparison, Map<Integer, JudgeAnswer> answers) {
        Integer winner = comparison.winner();
        if (winner != null) {
            return selection(new Decision.Won(winner), won(policy, comparison, winner, answers), comparison);
        }
        if (comparison.counted().isEmpty()) {
            int first = shown.getFirst().branchIndex();
            String reason = unusable(comparison, answers) + " The first response was taken.";
            return selection(new Decision.FellBack(first), reason, comparison);
        }
        List<Integer> tied = comparison.tied();
        TieBreak taken = TieBreak.of(
                policy.ties(),
                shown.stream()
                        .filter(outcome -> tied.contains(outcome.branchIndex()))
                        .toList());
        String reason = noMajority(policy, comparison) + leftOut(comparison) + " " + taken.reason();
        return selection(taken.decision(), reason, comparison);
    }

    private static Selection selection(Decision decision, String reason, ResponseComparison comparison) {
        return new Selection(LLM_JUDGE, decision, reason, comparison.votes());
    }

    private static String won(
            JudgePolicy policy, ResponseComparison comparison, int winner, Map<Integer, JudgeAnswer> answers) {
        JudgeVote vote = comparison.votes().getFirst();
        if (policy.isPanel()) {
            return Outcomes.name(winner) + " has " + comparison.counts().most() + " of "
                    + plural(comparison.counted().size(), "vote") + "." + leftOut(comparison);
        }
        if (vote.readings().size() > 1) {
            return "The judge named " + Outcomes.name(winner) + " in " + named(vote, winner) + " of "
                    + plural(vote.readings().size(), "order") + ".";
        }
        ParsedReply reading = vote.readings().getFirst();
        return "The judge chose response " + (reading.shown().indexOf(winner) + 1) + " of "
                + reading.shown().size() + ": \"" + quoted(reading, answers) + "\".";
    }

    private static long named(JudgeVote vote, int branch) {
        return vote.readings().stream()
                .filter(reading -> Integer.valueOf(branch).equals(reading.choice()))
                .count();
    }

    private static String noMajority(JudgePolicy policy, ResponseComparison comparison) {
        return policy.isPanel()
                ? "A tie: no branch has more than half of "
                        + plural(comparison.counted().size(), "vote") + "."
                : "A tie: the judge named no branch in more than half of "
                        + plural(comparison.votes().getFirst().readings().size(), "order") + ".";
    }

    /** Names the judges without a vote; empty when all have one. */
    private static String leftOut(ResponseComparison comparison) {
        return comparison.votes().stream()
                .filter(vote -> vote.result() == JudgeVote.Result.LEFT_OUT)
                .map(vote -> " Left out: judge " + (vote.judge() + 1) + " (" + why(vote) + ")")
                .collect(Collectors.joining());
    }

    private static String why(JudgeVote vote) {
        return vote.readings().stream()
                .map(ParsedReply::reason)
                .map(String::valueOf)
                .distinct()
                .collect(Collectors.joining(" "));
    }

    /** The reason why no judge has a vote. */
    private static String unusable(ResponseComparison comparison, Map<Integer, JudgeAnswer> answers) {
        if (comparison.votes().size() > 1
                || comparison.votes().getFirst().readings().size() > 1) {
            return "No judge named a response." + leftOut(comparison);
        }
        ParsedReply reading = comparison.votes().getFirst().readings().getFirst();
        return reading.path() == ParsedReply.Path.FAILED
                ? "The judge failed (" + reading.reason() + ")."
                : "The judge did not choose: \"" + quoted(reading, answers) + "\". " + reading.reason();
    }

    private static String quoted(ParsedReply reading, Map<Integer, JudgeAnswer> answers) {
        boolean hasReason =
                reading.path() == ParsedReply.Path.STRUCTURED || reading.path() == ParsedReply.Path.REPAIRED;
        JudgeAnswer answer = answers.get(reading.slot());
        @Nullable String words = hasReason || answer == null ? reading.reason() : answer.reply();
        return CompactionTiers.limit(WhiteSpace.trim(words == null ? "" : words), QUOTED_BYTES);
    }

    private static String plural(int count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }
}
