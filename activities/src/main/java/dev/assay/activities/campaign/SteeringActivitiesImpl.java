package dev.assay.activities.campaign;

import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.EndInTemporal;
import dev.assay.domain.steering.LimitChange;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.workflows.OperatorEnds;
import dev.assay.workflows.campaign.SteeringActivities;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Steers campaigns for operators who ask their workflows. */
@Singleton
public class SteeringActivitiesImpl implements SteeringActivities {

    private final CampaignChanges steering;

    public SteeringActivitiesImpl(CampaignChanges steering) {
        this.steering = steering;
    }

    @Override
    public Steered steer(String campaignId, SteeringVerb verb) {
        EndInTemporal end = verb == SteeringVerb.CANCEL ? cancelRequest() : null;
        return answered(() -> end == null ? steering.steer(campaignId, verb) : steering.cancelled(campaignId, end));
    }

    /** The request to cancel the workflow that asks; null: an update asks it to cancel the campaign. */
    private static @Nullable EndInTemporal cancelRequest() {
        ActivityExecutionContext context = Activity.getExecutionContext();
        return OperatorEnds.cancelRequest(context.getWorkflowClient()
                .fetchHistory(
                        context.getInfo().getWorkflowId(), context.getInfo().getWorkflowRunId())
                .getEvents());
    }

    @Override
    public Steered setLimits(String campaignId, Map<String, Object> limits) {
        return answered(() -> steering.change(campaignId, LimitChange.read(limits)));
    }

    @Override
    public Steered rerun(String campaignId, Map<String, Object> cells) {
        return answered(() -> steering.rerun(campaignId, Rerun.read(cells)));
    }

    /** Answers at once with errors that the operator can correct. All others are transient, and Temporal retries. */
    private static Steered answered(Supplier<StoredCampaign> change) {
        try {
            StoredCampaign campaign = change.get();
            return new Steered(
                    campaign.state().name(),
                    campaign.epoch(),
                    campaign.maxConcurrent(),
                    campaign.budgetUsd(),
                    campaign.trials());
        } catch (AssayException e) {
            if (e.code().kind() == ErrorCode.Kind.USER) {
                throw ApplicationFailure.newNonRetryableFailure(
                        e.getMessage(), e.code().name());
            }
            throw e;
        }
    }
}
