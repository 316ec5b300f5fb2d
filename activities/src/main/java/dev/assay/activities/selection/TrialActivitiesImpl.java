package dev.assay.activities.selection;

import dev.assay.activities.campaign.CampaignDirectory;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.DefectLimit;
import dev.assay.activities.cell.Halt;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.judging.TextRoom;
import dev.assay.activities.judging.TrialGrading;
import dev.assay.activities.judging.TrialJudging;
import dev.assay.activities.metrics.WorkerMetrics;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.selection.Choice;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.selection.Selector;
import dev.assay.domain.selection.Strategy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeRepository;
import dev.assay.store.trial.TrialRepository;
import dev.assay.store.trial.TrialRepository.SelectedTrial;
import dev.assay.workflows.slice.BatchResult;
import dev.assay.workflows.slice.TrialActivities;
import io.temporal.activity.Activity;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Selection: has the outcomes of a batch of trials graded, reads them, picks the winners, records them. */
@Singleton
public class TrialActivitiesImpl implements TrialActivities {

    private static final Duration RETRY_OPEN = Duration.ofSeconds(1);

    private final CampaignDirectory directory;
    private final OutcomeRepository outcomes;
    private final TrialRepository trials;
    private final TrialGrading grading;
    private final TrialJudging judging;
    private final StrategyRuns strategies;
    private final TextRoom room;
    private final Halt halt;
    private final DefectLimit defects;
    private final WorkerIdentity worker;
    private final WorkerMetrics metrics;

    public TrialActivitiesImpl(
            CampaignDirectory directory,
            OutcomeRepository outcomes,
            TrialRepository trials,
            TrialGrading grading,
            TrialJudging judging,
            StrategyRuns strategies,
            TextRoom room,
            Halt halt,
            DefectLimit defects,
            WorkerIdentity worker,
            WorkerMetrics metrics) {
        this.directory = directory;
        this.outcomes = outcomes;
        this.trials = trials;
        this.grading = grading;
        this.judging = judging;
        this.strategies = strategies;
        this.room = room;
        this.halt = halt;
        this.defects = defects;
        this.worker = worker;
        this.metrics = metrics;
    }

    @Override
    public BatchResult selectTrials(SelectionBatch batch) {
        return defects.run(batch.campaignId(), () -> select(batch), () -> BatchResult.halted(batch.trials()));
    }

    /** What a trial needs is on record, so both activities do the same: the workflow only says which of them people see. */
    @Override
    public BatchResult judgeTrials(SelectionBatch batch) {
        return selectTrials(batch);
    }

    private BatchResult select(SelectionBatch batch) {
        StoredCampaign campaign = directory.get(batch.campaignId());
        SortedSet<Integer> open = campaign.order().ordinals(batch.trials());
        open.removeAll(trials.closed(batch.run(), open));
        CellBatch.Result asked = CellBatch.Result.NOTHING;
        List<BatchResult.Referral> referrals = new ArrayList<>();
        SortedSet<Integer> out = new TreeSet<>();
        for (TextRoom.Part part : room.parts(open, outcomes.octets(campaign.id(), open))) {
            TextRoom.Stay stay = room.enter(
                    part.bytes(), () -> Activity.getExecutionContext().heartbeat("waits for memory"));
            if (stay == null) {
                break;
            }
            try (stay) {
                Selected selected = select(campaign, batch, new TreeSet<>(part.ordinals()));
                open.removeAll(selected.closed());
                open.removeAll(selected.out());
                out.addAll(selected.out());
                asked = asked.and(selected.asked());
                referrals.addAll(selected.referrals());
            }
        }
        Duration retryAfter = asked.open().isEmpty() ? RETRY_OPEN : asked.retryAfter();
        return new BatchResult(
                campaign.order().positions(open),
                open.isEmpty() ? 0 : retryAfter.toMillis(),
                halt.halted(batch.run()),
                asked.pace(),
                !open.isEmpty() && !asked.awaited(),
                referrals,
                List.of(),
                campaign.order().positions(out));
    }

    /**
     * The selection of trials whose texts were read together.
     *
     * @param asked the calls that this worker made
     * @param referrals trials that other workers go on with
     * @param out trials whose judges or graders are asked in a batch of their provider
     */
    private record Selected(
            Set<Integer> closed, CellBatch.Result asked, List<BatchResult.Referral> referrals, Set<Integer> out) {}

    private Selected select(StoredCampaign campaign, SelectionBatch batch, SortedSet<Integer> open) {
        TrialJudging.Asked graded = grading.grade(campaign, batch.epoch(), batch.refers(), open);
        Map<Integer, List<Outcome>> ready = ready(campaign, open);
        Map<Integer, TrialJudging.Judged> selections = new TreeMap<>();
        Map<Integer, Choice.AskJudge> judges = new TreeMap<>();
        Map<Integer, Choice.AskCustom> customs = new TreeMap<>();
        ready.forEach((ordinal, ofTrial) -> {
            switch (choose(campaign, ofTrial)) {
                case Choice.Made(Selection selection) ->
                    selections.put(ordinal, new TrialJudging.Judged(selection, true));
                case Choice.AskJudge question -> judges.put(ordinal, question);
                case Choice.AskCustom question -> customs.put(ordinal, question);
            }
        });
        TrialJudging.Asked judged = judging.decide(campaign, batch.epoch(), batch.refers(), judges, selections);
        CellBatch.Result asked =
                graded.asked().and(judged.asked()).and(strategies.decide(campaign, batch.epoch(), customs, selections));
        List<SelectedTrial> selected = new ArrayList<>();
        selections.forEach((ordinal, selection) -> selected.add(selected(campaign, ready, ordinal, selection)));
        boolean isRecorded = trials.record(campaign, batch.epoch(), worker.id(), selected);
        if (isRecorded) {
            selections.values().forEach(selection -> metrics.selected(selection.selection()));
        }
        return new Selected(
                isRecorded ? selections.keySet() : Set.of(),
                asked,
                referrals(campaign, graded.elsewhere(), judged.elsewhere()),
                Stream.concat(graded.out().stream(), judged.out().stream()).collect(Collectors.toSet()));
    }

    /** An evaluation has only this chance to choose; a campaign may come back to trials that the budget did not cover. */
    private static Choice choose(StoredCampaign campaign, List<Outcome> ofTrial) {
        Strategy strategy = campaign.definition().strategy();
        return campaign.isEvaluation() ? Selector.choose(strategy, ofTrial) : Selector.chooseOrWait(strategy, ofTrial);
    }

    /** A trial that is still to be graded is not judged yet, so it is in one of the two maps only. */
    private static List<BatchResult.Referral> referrals(
            StoredCampaign campaign, Map<String, SortedSet<Integer>> graders, Map<String, SortedSet<Integer>> judges) {
        return Stream.concat(graders.entrySet().stream(), judges.entrySet().stream())
                .map(trials -> new BatchResult.Referral(
                        trials.getKey(), campaign.order().positions(trials.getValue())))
                .toList();
    }

    /** The trials that have an outcome of every branch; of a scoring those with all that is on record. */
    private Map<Integer, List<Outcome>> ready(StoredCampaign campaign, Set<Integer> open) {
        int branches = campaign.definition().branches().size();
        Map<Integer, List<Outcome>> ready = new TreeMap<>(outcomes.forSelection(
                campaign.id(), open, campaign.definition().strategy().readsChecks()));
        if (campaign.definition().isAnswered()) {
            open.forEach(ordinal -> ready.putIfAbsent(ordinal, List.of()));
            ready.keySet().removeAll(grading.waiting(campaign, open));
        } else {
            ready.values().removeIf(ofTrial -> ofTrial.size() < branches);
        }
        return ready;
    }

    private static SelectedTrial selected(
            StoredCampaign campaign, Map<Integer, List<Outcome>> ready, int ordinal, TrialJudging.Judged judged) {
        TrialGrid grid = campaign.grid();
        List<Outcome> outcomes = ready.getOrDefault(ordinal, List.of());
        List<OutcomeStatus> statuses =
                outcomes.stream().map(Outcome::status).distinct().toList();
        boolean isWhole = outcomes.size() == campaign.definition().branches().size();
        boolean complete = isWhole && judged.isFinal() && statuses.stream().allMatch(OutcomeStatus::isFinal);
        // Of a scoring nothing more comes than what is on record.
        boolean done = judged.isFinal()
                && statuses.stream().allMatch(status -> status.isFinal() || status == OutcomeStatus.NOT_NEEDED);
        boolean failed = statuses.stream().anyMatch(OutcomeStatus::isFailure);
        return new SelectedTrial(
                ordinal,
                grid.caseIndex(ordinal),
                grid.trial(ordinal),
                complete,
                failed,
                done && !complete,
                judged.selection());
    }
}
