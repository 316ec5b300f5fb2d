package dev.assay.domain.selection;

import dev.assay.domain.judge.Ballot;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.judge.ResponseComparison;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.Outcomes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges two responses at a time: all pairs, or rounds in which neighbours in the standings meet (a Swiss system). A won
 * comparison is one point, a tie half a point, and so is a round without an opponent.
 */
final class PairPlan {

    private static final String PAIRWISE = "pairwise";

    /** Points are counted in halves. */
    private static final int WIN = 2;

    private final JudgePolicy policy;
    private final int trial;
    private final List<Outcome> shown;
    private final Map<Integer, JudgeAnswer> answers;
    private final Map<Integer, Integer> halves = new TreeMap<>();
    private final Map<Integer, Integer> missing = new TreeMap<>();
    private final Set<List<Integer>> met = new HashSet<>();
    private final List<JudgeVote> votes = new ArrayList<>();
    private boolean isFinal = true;
    private boolean anyCounts;

    private PairPlan(JudgePolicy policy, int trial, List<Outcome> shown, Map<Integer, JudgeAnswer> answers) {
        this.policy = policy;
        this.trial = trial;
        this.shown = shown;
        this.answers = answers;
        shown.forEach(outcome -> {
            halves.put(outcome.branchIndex(), 0);
            missing.put(outcome.branchIndex(), 0);
        });
    }

    /**
     * The next step of a trial.
     *
     * @param rounds how many rounds; null: every pair is compared
     * @param trial which repetition of its case it is, from 1
     * @param shown the outcomes whose responses are judged, in branch order, at least two
     * @param answers the calls that were made, by their number
     */
    static JudgePlan.Step next(
            JudgePolicy policy,
            @Nullable Integer rounds,
            int trial,
            List<Outcome> shown,
            Map<Integer, JudgeAnswer> answers) {
        PairPlan plan = new PairPlan(policy, trial, shown, answers);
        List<JudgeQuestion> questions = rounds == null ? plan.play(0, plan.allPairs()) : plan.playRounds(rounds);
        return questions.isEmpty()
                ? new JudgePlan.Step.Decided(plan.selection(), plan.isFinal)
                : new JudgePlan.Step.Ask(questions);
    }

    /** The number of comparisons of a trial at most. */
    static int comparisons(@Nullable Integer rounds, int branches) {
        return Math.min(branches * (branches - 1) / 2, places(rounds, branches));
    }

    /** The number of comparison numbers; a round may leave some of them unused. */
    static int places(@Nullable Integer rounds, int branches) {
        return rounds == null ? branches * (branches - 1) / 2 : rounds * (branches / 2);
    }

    private List<List<Integer>> allPairs() {
        List<Integer> branches = List.copyOf(halves.keySet());
        List<List<Integer>> pairs = new ArrayList<>();
        for (int i = 0; i < branches.size(); i++) {
            for (int j = i + 1; j < branches.size(); j++) {
                pairs.add(List.of(branches.get(i), branches.get(j)));
            }
        }
        return pairs;
    }

    /** Plays round after round; returns the open questions of the first unfinished round. */
    private List<JudgeQuestion> playRounds(int rounds) {
        int ofRound = shown.size() / 2;
        for (int round = 0; round < rounds; round++) {
            int first = round * ofRound;
            List<List<Integer>> pairs = recorded(first, neighbours());
            if (pairs.isEmpty()) {
                return List.of();
            }
            List<JudgeQuestion> questions = play(first, pairs);
            // Calls that were skipped for now are asked first once they can be: the pairs of later rounds depend on
            // them.
            if (!questions.isEmpty() || !isFinal) {
                return questions;
            }
            Set<Integer> paired = pairs.stream().flatMap(List::stream).collect(Collectors.toSet());
            halves.replaceAll((branch, points) -> paired.contains(branch) ? points : points + 1);
        }
        return List.of();
    }

    /** The best that has no opponent yet meets the next best that it has not met; one may be left without an opponent. */
    private List<List<Integer>> neighbours() {
        List<Integer> left = new ArrayList<>(halves.keySet());
        left.sort(Comparator.comparingInt((Integer branch) -> points(halves, branch))
                .reversed());
        List<List<Integer>> pairs = new ArrayList<>();
        while (left.size() > 1) {
            Integer best = left.removeFirst();
            left.stream()
                    .map(other -> pair(best, other))
                    .filter(pair -> !met.contains(pair))
                    .findFirst()
                    .ifPresent(pair -> {
                        pairs.add(pair);
                        left.removeAll(pair);
                    });
        }
        return pairs;
    }

    private static List<Integer> pair(Integer one, Integer other) {
        return one < other ? List.of(one, other) : List.of(other, one);
    }

    /** A comparison that has calls stays as it is, even if a re-run of earlier calls would pair differently now. */
    private List<List<Integer>> recorded(int first, List<List<Integer>> planned) {
        Map<Integer, List<Integer>> byComparison = new TreeMap<>();
        answers.values()
                .forEach(answer -> byComparison.putIfAbsent(
                        Ballot.comparison(policy, answer.slot()),
                        answer.shown().stream().sorted().toList()));
        List<List<Integer>> pairs = new ArrayList<>(planned);
        for (int i = 0; i < pairs.size(); i++) {
            pairs.set(i, byComparison.getOrDefault(first + i, pairs.get(i)));
        }
        return pairs;
    }

    /** Counts the comparisons; answers with the questions that are open. */
    private List<JudgeQuestion> play(int first, List<List<Integer>> pairs) {
        List<JudgeQuestion> questions = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            Ballot ballot = Ballot.of(policy, first + i, policy.shown(pairs.get(i), trial), answers);
            questions.addAll(ballot.questions());
            isFinal &= ballot.isFinal();
            count(ballot.comparison());
        }
        return questions;
    }

    private void count(ResponseComparison comparison) {
        met.add(comparison.branches());
        votes.addAll(comparison.votes());
        Integer winner = comparison.winner();
        if (comparison.counted().isEmpty()) {
            comparison.branches().forEach(branch -> missing.merge(branch, 1, Integer::sum));
        } else {
            anyCounts = true;
            comparison.branches().forEach(branch -> {
                int points = winner == null ? 1 : branch.equals(winner) ? WIN : 0;
                halves.merge(branch, points, Integer::sum);
            });
        }
    }

    private Selection selection() {
        if (!anyCounts) {
            String reason = "No judge named a response in any comparison. The first response was taken.";
            return selected(new Decision.FellBack(shown.getFirst().branchIndex()), reason);
        }
        int most = halves.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
        List<Outcome> leaders = shown.stream()
                .filter(outcome -> points(halves, outcome.branchIndex()) == most)
                .toList();
        int leader = leaders.getFirst().branchIndex();
        String points = points(most) + " from " + met.size() + (met.size() == 1 ? " comparison" : " comparisons");
        List<Integer> contenders = halves.keySet().stream()
                .filter(branch -> points(halves, branch) + WIN * points(missing, branch) >= most)
                .toList();
        if (contenders.size() > 1 && contenders.stream().anyMatch(branch -> points(missing, branch) > 0)) {
            String reason = Outcomes.name(leader) + " leads with " + points
                    + ", but a comparison without a vote could have changed that, so no branch wins.";
            return selected(new Decision.FellBack(leader), reason);
        }
        if (leaders.size() == 1) {
            return selected(new Decision.Won(leader), Outcomes.name(leader) + " has the most points: " + points + ".");
        }
        TieBreak taken = TieBreak.of(policy.ties(), leaders);
        return selected(taken.decision(), "A tie: " + points + " each. " + taken.reason());
    }

    private static int points(Map<Integer, Integer> of, int branch) {
        return of.getOrDefault(branch, 0);
    }

    private static String points(int halves) {
        return halves / WIN + (halves % WIN == 0 ? "" : ".5") + (halves == WIN ? " point" : " points");
    }

    private Selection selected(Decision decision, String reason) {
        return new Selection(PAIRWISE, decision, reason, votes);
    }
}
