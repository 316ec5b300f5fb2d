package dev.assay.campaigns.imported;

import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.selection.Choice;
import dev.assay.domain.selection.Selector;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeRepository;
import dev.assay.store.trial.TrialRepository;
import dev.assay.store.trial.TrialRepository.SelectedTrial;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Selects in the trials of an import, as its strategy does. The strategies of imports ask nobody. */
@Singleton
public class ImportedTrials {

    private static final int AT_ONCE = 500;
    private static final String WORKER = "import";

    private final OutcomeRepository outcomes;
    private final TrialRepository trials;

    ImportedTrials(OutcomeRepository outcomes, TrialRepository trials) {
        this.outcomes = outcomes;
        this.trials = trials;
    }

    /** Records a selection for each trial with all its outcomes. */
    @Transactional
    public void select(StoredCampaign campaign) {
        int size = campaign.grid().size();
        for (int from = 0; from < size; from += AT_ONCE) {
            List<Integer> ordinals = IntStream.range(from, Math.min(size, from + AT_ONCE))
                    .boxed()
                    .toList();
            Map<Integer, List<Outcome>> ofTrials = outcomes.forSelection(
                    campaign.id(), ordinals, campaign.definition().strategy().readsChecks());
            List<SelectedTrial> selected = new ArrayList<>();
            ofTrials.forEach((ordinal, ofTrial) -> {
                if (ofTrial.size() == campaign.definition().branches().size()
                        && Selector.choose(campaign.definition().strategy(), ofTrial) instanceof Choice.Made made) {
                    selected.add(selected(campaign, ordinal, ofTrial, made));
                }
            });
            var _ = trials.record(campaign, campaign.epoch(), WORKER, selected);
        }
    }

    private static SelectedTrial selected(
            StoredCampaign campaign, int ordinal, List<Outcome> ofTrial, Choice.Made made) {
        return new SelectedTrial(
                ordinal,
                campaign.grid().caseIndex(ordinal),
                campaign.grid().trial(ordinal),
                true,
                ofTrial.stream().map(Outcome::status).anyMatch(OutcomeStatus::isFailure),
                false,
                made.selection());
    }
}
