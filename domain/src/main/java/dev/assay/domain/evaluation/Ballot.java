package dev.assay.domain.evaluation;

import dev.assay.domain.campaign.JudgeRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All judges on one set of responses: what is known, and what is still to be asked.
 *
 * @param comparison the votes of the judges; without meaning while there are questions
 * @param questions calls that can be made now
 * @param isFinal whether no call that was skipped for now would be made again
 */
record Ballot(Comparison comparison, List<JudgeQuestion> questions, boolean isFinal) {

    Ballot {
        questions = List.copyOf(questions);
    }

    /**
     * How the calls of a trial are numbered: by comparison, then order, then question and repair, then judge. So a number says
     * which judge was asked, whatever else a trial needs.
     *
     * @param comparison number of the ballot in its trial, from 0
     */
    private static int member(JudgeRule rule, int comparison, int order, boolean repair, int judge) {
        int question = comparison * mostOrders(rule) + order;
        int slot = rule.form().isStructured() ? 2 * question + (repair ? 1 : 0) : question;
        return slot * rule.judges().size() + judge;
    }

    /** Which comparison of its trial a call belongs to, from 0. */
    static int comparison(JudgeRule rule, int member) {
        int slot = member / rule.judges().size();
        int question = rule.form().isStructured() ? slot / 2 : slot;
        return question / mostOrders(rule);
    }

    private static int mostOrders(JudgeRule rule) {
        return rule.rotate() * (rule.swapPositions() ? 2 : 1);
    }

    /**
     * The orders in which the responses are shown: rotations spread evenly, each followed by its reverse when positions are
     * swapped. Few responses have fewer orders.
     */
    static List<List<Integer>> orders(JudgeRule rule, List<Integer> branches) {
        int rotations = Math.min(rule.rotate(), branches.size());
        List<List<Integer>> orders = new ArrayList<>();
        for (int i = 0; i < rotations; i++) {
            int shift = i * branches.size() / rotations;
            List<Integer> rotated = Stream.concat(
                            branches.subList(shift, branches.size()).stream(), branches.subList(0, shift).stream())
                    .toList();
            orders.add(rotated);
            if (rule.swapPositions()) {
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
    static Ballot of(JudgeRule rule, int comparison, List<Integer> branches, Map<Integer, JudgeAnswer> answers) {
        List<List<Integer>> orders = orders(rule, branches);
        List<Integer> compared = branches.stream().sorted().toList();
        List<JudgeVote> votes = new ArrayList<>();
        List<JudgeQuestion> questions = new ArrayList<>();
        boolean isFinal = true;
        for (int judge = 0; judge < rule.judges().size(); judge++) {
            List<JudgeReading> readings = new ArrayList<>();
            for (int order = 0; order < orders.size(); order++) {
                int member = member(rule, comparison, order, false, judge);
                int repair = member(rule, comparison, order, true, judge);
                JudgeAnswer first = answers.get(member);
                JudgeAnswer second = rule.form().isStructured() ? answers.get(repair) : null;
                switch (CallState.of(rule, first, second)) {
                    case CallState.Unasked() -> questions.add(new JudgeQuestion(member, orders.get(order), null));
                    case CallState.Invalid(JudgeAnswer answer, JudgeQuestion.Repair wrong) ->
                        questions.add(new JudgeQuestion(repair, answer.shown(), wrong));
                    case CallState.Done(JudgeReading reading) -> readings.add(reading);
                }
                isFinal &= isFinal(first) && isFinal(second);
            }
            votes.add(vote(judge, compared, orders.size(), readings));
        }
        return new Ballot(new Comparison(compared, votes), questions, isFinal);
    }

    private static boolean isFinal(@Nullable JudgeAnswer answer) {
        return answer == null || answer.isFinal();
    }

    /** A judge must name a branch in more than half of the orders: a call that failed cannot turn a tie into a vote. */
    private static JudgeVote vote(int judge, List<Integer> compared, int orders, List<JudgeReading> readings) {
        Counts counts = Counts.of(readings.stream()
                .map(JudgeReading::choice)
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
