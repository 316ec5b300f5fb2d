package dev.assay.activities.selection;

import dev.assay.activities.campaign.CampaignDirectory;
import dev.assay.activities.campaign.CampaignQueues;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.Halt;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.judging.TrialJudging;
import dev.assay.activities.metrics.WorkerMetrics;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.evaluation.SelectionStrategy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.selection.Choice;
import dev.assay.domain.selection.CustomChoice;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.selection.Selector;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeRepository;
import dev.assay.store.trial.TrialRepository;
import dev.assay.store.trial.TrialRepository.SelectedTrial;
import dev.assay.workflows.slice.BatchResult;
import dev.assay.workflows.slice.TrialActivities;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Selection: reads the outcomes of a batch of trials, picks the winners, records them. */
@Singleton
public class TrialActivitiesImpl implements TrialActivities {

    private static final Duration RETRY_OPEN = Duration.ofSeconds(1);

    private final CampaignDirectory directory;
    private final CampaignQueues queues;
    private final OutcomeRepository outcomes;
    private final TrialRepository trials;
    private final TrialJudging judging;
    private final CustomStrategies strategies;
    private final Halt halt;
    private final WorkerIdentity worker;
    private final WorkerMetrics metrics;

    public TrialActivitiesImpl(
            CampaignDirectory directory,
            CampaignQueues queues,
            OutcomeRepository outcomes,
            TrialRepository trials,
            TrialJudging judging,
            CustomStrategies strategies,
            Halt halt,
            WorkerIdentity worker,
            WorkerMetrics metrics) {
        this.directory = directory;
        this.queues = queues;
        this.outcomes = outcomes;
        this.trials = trials;
        this.judging = judging;
        this.strategies = strategies;
        this.halt = halt;
        this.worker = worker;
        this.metrics = metrics;
    }

    @Override
    public BatchResult selectTrials(SelectionBatch batch) {
        StoredCampaign campaign = directory.get(batch.campaignId());
        SortedSet<Integer> open =
                new TreeSet<>(OrdinalRanges.ordinals(batch.trials()).boxed().toList());
        open.removeAll(trials.closed(batch.run(), open));
        Map<Integer, List<Outcome>> ready = ready(campaign, open);
        Map<Integer, TrialJudging.Judged> selections = new TreeMap<>();
        Map<Integer, Choice.AskJudge> questions = questions(campaign, ready, selections);
        TrialJudging.Asked judged = judging.decide(campaign, batch.epoch(), batch.refers(), questions, selections);
        CellBatch.Result asked = judged.asked();
        List<SelectedTrial> selected = new ArrayList<>();
        selections.forEach((ordinal, selection) -> selected.add(selected(campaign, ready, ordinal, selection)));
        if (trials.record(campaign, batch.epoch(), worker.id(), selected)) {
            open.removeAll(selections.keySet());
            selections.values().forEach(selection -> metrics.selected(selection.selection()));
        }
        Duration retryAfter = asked.open().isEmpty() ? RETRY_OPEN : asked.retryAfter();
        return new BatchResult(
                OrdinalRanges.of(open),
                open.isEmpty() ? 0 : retryAfter.toMillis(),
                halt.halted(batch.run()),
                asked.pace(),
                !open.isEmpty() && !asked.awaited(),
                referrals(campaign, judged.elsewhere()));
    }

    /** What judges are to decide; what is decided without them is added to {@code selections}. */
    private Map<Integer, Choice.AskJudge> questions(
            StoredCampaign campaign, Map<Integer, List<Outcome>> ready, Map<Integer, TrialJudging.Judged> selections) {
        Map<Integer, Choice.AskJudge> questions = new TreeMap<>();
        ready.forEach((ordinal, ofTrial) -> {
            switch (Selector.choose(campaign.definition().strategy(), ofTrial)) {
                case Choice.Made(Selection selection) ->
                    selections.put(ordinal, new TrialJudging.Judged(selection, true));
                case Choice.AskJudge question -> questions.put(ordinal, question);
                case Choice.AskCustom(String name, List<Outcome> candidates) ->
                    selections.put(ordinal, new TrialJudging.Judged(CustomChoice.of(custom(name), candidates), true));
            }
        });
        return questions;
    }

    private List<BatchResult.Referral> referrals(StoredCampaign campaign, Map<String, SortedSet<Integer>> elsewhere) {
        return elsewhere.entrySet().stream()
                .map(trials -> new BatchResult.Referral(
                        queues.provider(campaign, trials.getKey()), OrdinalRanges.of(trials.getValue())))
                .toList();
    }

    /** @throws AssayException NO_WORKER when only other workers have it: Temporal tries again until one of them takes the trials */
    private SelectionStrategy custom(String name) {
        return strategies
                .find(name)
                .orElseThrow(() -> new AssayException(
                        ErrorCode.NO_WORKER,
                        "Worker " + worker.id() + " has no custom strategy " + name
                                + "; give it the plugins of the others"));
    }

    /** The trials that have an outcome of every branch. */
    private Map<Integer, List<Outcome>> ready(StoredCampaign campaign, Set<Integer> open) {
        int branches = campaign.definition().branches().size();
        Map<Integer, List<Outcome>> ready = new TreeMap<>(outcomes.forSelection(
                campaign.id(), open, campaign.definition().strategy().readsChecks()));
        ready.values().removeIf(ofTrial -> ofTrial.size() < branches);
        return ready;
    }

    private static SelectedTrial selected(
            StoredCampaign campaign, Map<Integer, List<Outcome>> ready, int ordinal, TrialJudging.Judged judged) {
        TrialGrid grid = campaign.grid();
        List<Outcome> outcomes = ready.getOrDefault(ordinal, List.of());
        boolean complete = judged.isFinal()
                && outcomes.stream().allMatch(outcome -> outcome.status().isFinal());
        boolean failed = outcomes.stream().anyMatch(outcome -> outcome.status().isFailure());
        return new SelectedTrial(
                ordinal, grid.caseIndex(ordinal), grid.trial(ordinal), complete, failed, judged.selection());
    }
}
