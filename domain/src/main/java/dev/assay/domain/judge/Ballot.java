package dev.assay.domain.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All judges on one set of responses: their votes, and the calls that are still to be made.
 *
 * @param comparison the votes of the judges; without meaning while there are questions
 * @param questions calls that can be made now
 * @param isFinal whether no call that was skipped for now would be made again
 */
public record Ballot(ResponseComparison comparison, List<JudgeQuestion> questions, boolean isFinal) {

    /**
     * What is added to the number of a call whose plain reply is asked for again. It lies behind all other judge calls, and is a
     * multiple of every number of judges. Persisted, so it never changes.
     */
    static final int AGAIN = 50_400_000;

    public Ballot {
        questions = List.copyOf(questions);
    }

    /**
     * The number of a call in its trial: by comparison, then order, then question and repair, then judge. So a number identifies
     * the judge, whatever else a trial needs.
     *
     * @param comparison number of the ballot in its trial, from 0
     */
    private static int slot(JudgePolicy policy, int comparison, int order, boolean repair, int judge) {
        int question = comparison * mostOrders(policy) + order;
        int place = policy.format().isStructured() ? 2 * question + (repair ? 1 : 0) : question;
        return place * policy.judges().size() + judge;
    }

    /** The comparison of its trial to which a call belongs, from 0. */
    public static int comparison(JudgePolicy policy, int slot) {
        int place = slot % AGAIN / policy.judges().size();
        int question = policy.format().isStructured() ? place / 2 : place;
        return question / mostOrders(policy);
    }

    private static int mostOrders(JudgePolicy policy) {
        return policy.rotate() * (policy.swapPositions() ? 2 : 1);
    }

    /**
     * The orders in which the responses are shown: rotations spread evenly, each followed by its reverse when positions are
     * swapped. Few responses have fewer orders.
     */
    public static List<List<Integer>> orders(JudgePolicy policy, List<Integer> branches) {
        int rotations = Math.min(policy.rotate(), branches.size());
        List<List<Integer>> orders = new ArrayList<>();
        for (int i = 0; i < rotations; i++) {
            int shift = i * branches.size() / rotations;
            List<Integer> rotated = Stream.concat(
                            branches.subList(shift, branches.size()).stream(), branches.subList(0, shift).stream())
                    .toList();
            orders.add(rotated);
            if (policy.swapPositions()) {
                orders.add(rotated.reversed());
            }
        }
        return orders.stream().distinct().toList();
    }

    /**
     * The state of a ballot.
     *
     * @param comparison number of the ballot in its trial, from 0
     * @param branches whose responses are compared, at least two
     * @param answers the trial's calls that were made, by their number
     */
    public static Ballot of(
            JudgePolicy policy, int comparison, List<Integer> branches, Map<Integer, JudgeAnswer> answers) {
        List<List<Integer>> orders = orders(policy, branches);
        List<Integer> compared = branches.stream().sorted().toList();
        List<JudgeVote> votes = new ArrayList<>();
        List<JudgeQuestion> questions = new ArrayList<>();
        boolean isFinal = true;
        for (int judge = 0; judge < policy.judges().size(); judge++) {
            List<ParsedReply> readings = new ArrayList<>();
            for (int order = 0; order < orders.size(); order++) {
                int slot = slot(policy, comparison, order, false, judge);
                int repair =
                        policy.format().isStructured() ? slot(policy, comparison, order, true, judge) : AGAIN + slot;
                JudgeAnswer first = answers.get(slot);
                JudgeAnswer second = answers.get(repair);
                switch (CallState.of(policy, first, second)) {
                    case CallState.Unasked() -> questions.add(new JudgeQuestion(slot, orders.get(order), null));
                    case CallState.Invalid(JudgeAnswer answer, JudgeQuestion.Repair wrong) ->
                        questions.add(new JudgeQuestion(repair, answer.shown(), wrong));
                    case CallState.Undecided(JudgeAnswer answer) ->
                        questions.add(new JudgeQuestion(repair, answer.shown(), null, true));
                    case CallState.Done(ParsedReply reading) -> readings.add(reading);
                }
                isFinal &= isFinal(first) && isFinal(second);
            }
            votes.add(vote(judge, compared, orders.size(), readings));
        }
        return new Ballot(new ResponseComparison(compared, votes), questions, isFinal);
    }

    private static boolean isFinal(@Nullable JudgeAnswer answer) {
        return answer == null || answer.isFinal();
    }

    /**
     * The vote of a judge, who must name a branch in more than half of the orders. So a call that failed cannot turn a tie into a
     * vote.
     */
    private static JudgeVote vote(int judge, List<Integer> compared, int orders, List<ParsedReply> readings) {
        Counts counts = Counts.of(readings.stream()
                .map(ParsedReply::choice)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList());
        Integer choice = counts.majority(orders);
        if (choice != null) {
            return new JudgeVote(judge, compared, JudgeVote.Result.VOTED, choice, List.of(), readings);
        }
        List<Integer> tied = counts.leaders();
        JudgeVote.Result result = tied.isEmpty() ? JudgeVote.Result.LEFT_OUT : JudgeVote.Result.TIED;
        return new JudgeVote(judge, compared, result, null, tied, readings);
    }
}
