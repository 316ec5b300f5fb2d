package dev.assay.activities.judging;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.campaign.CampaignQueues;
import dev.assay.activities.cell.CellBatch;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.selection.Choice;
import dev.assay.domain.selection.JudgePlan;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.JudgeCallRepository;
import dev.assay.store.suite.CaseRepository;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The judging of trials. The next call follows from the recorded ones ({@link JudgePlan}), so an attempt resumes where the last one
 * stopped.
 */
@Singleton
public class TrialJudging {

    private final JudgeCallRepository calls;
    private final CaseRepository cases;
    private final JudgeCalls judges;
    private final CampaignQueues queues;
    private final CallWishes wishes;

    TrialJudging(
            JudgeCallRepository calls,
            CaseRepository cases,
            JudgeCalls judges,
            CampaignQueues queues,
            CallWishes wishes) {
        this.queues = queues;
        this.wishes = wishes;
        this.calls = calls;
        this.cases = cases;
        this.judges = judges;
    }

    /**
     * A selection, and whether it will not change.
     *
     * @param isFinal false when a judge was skipped for now
     */
    public record Judged(Selection selection, boolean isFinal) {}

    /**
     * The result of asking.
     *
     * @param asked the calls that this worker made
     * @param elsewhere trials whose next judge or grader this worker cannot ask, or whose own code it cannot run, by the queue on
     *     which they go on
     * @param out trials that wait for calls which go out in a batch of their provider
     */
    public record Asked(CellBatch.Result asked, Map<String, SortedSet<Integer>> elsewhere, Set<Integer> out) {

        static final Asked NOTHING = new Asked(CellBatch.Result.NOTHING, Map.of(), Set.of());
    }

    /**
     * Asks judges until each trial is decided, or needs a call that must be made later or by another worker.
     *
     * @param refers whether trials can go to other workers; else this one must be able to ask all judges
     * @param questions the question of each trial's strategy, by trial number
     * @param selections receives the selections of the decided trials
     */
    public Asked decide(
            StoredCampaign campaign,
            int epoch,
            boolean refers,
            Map<Integer, Choice.AskJudge> questions,
            Map<Integer, Judged> selections) {
        JudgePolicy policy = campaign.definition().strategy().judging();
        if (questions.isEmpty() || policy == null) {
            return Asked.NOTHING;
        }
        if (!refers) {
            judges.requireAll(policy.judges().stream().map(Judge::agent).toList());
        }
        return decide(campaign, epoch, policy, new TreeMap<>(questions), selections);
    }

    private Asked decide(
            StoredCampaign campaign,
            int epoch,
            JudgePolicy policy,
            Map<Integer, Choice.AskJudge> undecided,
            Map<Integer, Judged> selections) {
        Map<Integer, String> elsewhere = new TreeMap<>();
        Set<Call> made = new HashSet<>();
        Set<Integer> out = new TreeSet<>();
        CellBatch.Result asked = CellBatch.Result.NOTHING;
        CallCounter counter = new CallCounter("judge calls");
        while (true) {
            Map<Integer, List<JudgeQuestion>> next = next(campaign, epoch, undecided, selections);
            out.addAll(wishes.judges(campaign, epoch, policy, shown(undecided), next));
            refer(policy, next, elsewhere);
            // A call that left no record was taken from this worker: the trial's new worker resumes it.
            next.entrySet()
                    .removeIf(trial -> trial.getValue().stream()
                            .anyMatch(question -> !made.add(new Call(trial.getKey(), question.slot()))));
            if (next.isEmpty()) {
                elsewhere.keySet().removeAll(asked.open());
                elsewhere.replaceAll((_, provider) -> queues.provider(campaign, provider));
                elsewhere.keySet().removeAll(out);
                return new Asked(asked, byQueue(elsewhere), out);
            }
            CellBatch.Result result = judges.ask(
                    campaign,
                    epoch,
                    policy,
                    trials(campaign, undecided, next),
                    counter.round(next.values().stream().mapToInt(List::size).sum()));
            undecided.keySet().retainAll(next.keySet());
            undecided.keySet().removeAll(result.open());
            asked = asked.and(result);
        }
    }

    private static Map<Integer, List<Outcome>> shown(Map<Integer, Choice.AskJudge> undecided) {
        Map<Integer, List<Outcome>> shown = new TreeMap<>();
        undecided.forEach((ordinal, question) -> shown.put(ordinal, question.shown()));
        return shown;
    }

    /** Keeps only the calls that this worker can make, and notes where the trials of the others go. */
    private void refer(JudgePolicy policy, Map<Integer, List<JudgeQuestion>> next, Map<Integer, String> elsewhere) {
        next.replaceAll((ordinal, questions) -> {
            questions.stream()
                    .filter(question -> !judges.canAsk(policy, question))
                    .findFirst()
                    .ifPresent(question -> elsewhere.put(
                            ordinal, policy.judgeOf(question.slot()).agent().provider()));
            return questions.stream()
                    .filter(question -> judges.canAsk(policy, question))
                    .toList();
        });
        next.values().removeIf(List::isEmpty);
    }

    static Map<String, SortedSet<Integer>> byQueue(Map<Integer, String> elsewhere) {
        Map<String, SortedSet<Integer>> byQueue = new TreeMap<>();
        elsewhere.forEach((ordinal, queue) ->
                byQueue.computeIfAbsent(queue, _ -> new TreeSet<>()).add(ordinal));
        return byQueue;
    }

    private record Call(int ordinal, int slot) {}

    /** The calls that trials need next; those that need none are decided. */
    private Map<Integer, List<JudgeQuestion>> next(
            StoredCampaign campaign,
            int epoch,
            Map<Integer, Choice.AskJudge> undecided,
            Map<Integer, Judged> selections) {
        Map<Integer, List<JudgeQuestion>> next = new TreeMap<>();
        if (undecided.isEmpty()) {
            return next;
        }
        Map<Integer, List<JudgeAnswer>> answers = calls.ofTrials(new RunKey(campaign.id(), epoch), undecided.keySet());
        undecided.forEach((ordinal, question) -> {
            switch (JudgePlan.next(
                    campaign.definition().strategy(),
                    campaign.grid().trial(ordinal),
                    question.shown(),
                    answers.getOrDefault(ordinal, List.of()))) {
                case JudgePlan.Step.Ask(List<JudgeQuestion> questions) -> next.put(ordinal, questions);
                case JudgePlan.Step.Decided(Selection selection, boolean isFinal) ->
                    selections.put(ordinal, new Judged(selection, isFinal));
            }
        });
        return next;
    }

    /** What the judges of trials read for the calls that they need next. */
    Map<Integer, JudgeCalls.Trial> trials(
            StoredCampaign campaign, Map<Integer, Choice.AskJudge> undecided, Map<Integer, List<JudgeQuestion>> next) {
        TrialGrid grid = campaign.grid();
        Map<Integer, Case> byIndex = cases.find(
                campaign.suiteId(), next.keySet().stream().map(grid::caseIndex).collect(Collectors.toSet()));
        Map<Integer, JudgeCalls.Trial> trials = new HashMap<>();
        next.forEach((ordinal, questions) -> {
            Case judged = requireNonNull(byIndex.get(grid.caseIndex(ordinal)));
            List<Outcome> shown = requireNonNull(undecided.get(ordinal)).shown();
            trials.put(
                    ordinal,
                    new JudgeCalls.Trial(
                            judged.id(),
                            Transcript.of(judged),
                            shown.stream().collect(Collectors.toMap(Outcome::branchIndex, Outcome::response)),
                            questions.stream().collect(Collectors.toMap(JudgeQuestion::slot, Function.identity()))));
        });
        return trials;
    }
}
