package dev.assay.activities.delivery;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.delivery.AutoDelivery;
import dev.assay.domain.delivery.AutoDelivery.Why;
import dev.assay.domain.delivery.Delivery;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.DeliveryChoices;
import dev.assay.store.estimate.RecordedRunsRepository;
import dev.assay.workflows.delivery.BatchActivities.EnlistRequest;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/** What {@code delivery: auto} chooses, by what is recorded of a provider and model. A choice that is new is an event of the campaign. */
@Singleton
public class AutoChoices {

    /** What a live call is taken to need while none is recorded. */
    private static final Duration LIVE_CALL = Duration.ofSeconds(5);

    private final BatchRepository batches;
    private final RecordedRunsRepository recorded;
    private final DeliveryChoices choices;

    AutoChoices(BatchRepository batches, RecordedRunsRepository recorded, DeliveryChoices choices) {
        this.batches = batches;
        this.recorded = recorded;
        this.choices = choices;
    }

    /**
     * Chooses for the open cells of a branch, or for calls of judges or graders.
     *
     * @param asked the branch's id, or who judges or grades
     * @param open how many there are; any number from {@code minimum} on counts the same
     */
    Delivery choose(
            StoredCampaign campaign, EnlistRequest request, String asked, Instant deadline, int open, int minimum) {
        AutoDelivery choice = AutoDelivery.choose(
                Instant.now(), deadline, open, minimum, batches.lastDurations(request.provider(), request.model()));
        var _ = choices.record(campaign.id(), asked, choice);
        return choice.delivery();
    }

    /** The cells of a branch go live, since its provider takes no batches. */
    void noBatches(StoredCampaign campaign, int slot) {
        Branch branch = campaign.definition().branches().get(slot);
        if (branch.delivery().way() == Delivery.AUTO) {
            var _ = choices.record(campaign.id(), branch.id(), new AutoDelivery(Delivery.LIVE, Why.NO_BATCHES));
        }
    }

    /** The mean time of a live call, as the ledger has it of the model. */
    Duration liveCall(EnlistRequest request) {
        return recorded.meanLiveCall(request.provider(), request.model()).orElse(LIVE_CALL);
    }
}
