package dev.assay.workflows.campaign;

import dev.assay.domain.steering.SteeringVerb;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes into PostgreSQL an operator's requests to a campaign's workflow. All of them are idempotent. Runs on the orchestration
 * queue.
 */
@ActivityInterface
public interface SteeringActivities {

    /** Pauses, resumes or cancels; fails for good when the campaign's state refuses that. */
    @ActivityMethod(name = "steer")
    Steered steer(String campaignId, SteeringVerb verb);

    /**
     * Changes limits; fails for good, naming every error, when the campaign cannot take them.
     *
     * @param limits any of {@code maxConcurrent}, {@code budgetUsd}, {@code trials} and {@code maxOutage}, as a user wrote them
     */
    @ActivityMethod(name = "setLimits")
    Steered setLimits(String campaignId, Map<String, Object> limits);

    /**
     * Opens cells again that failed or errored, or all of some branches. It fails for good when it names a case or branch that the campaign does not have.
     *
     * @param cells any of {@code only}, {@code cases}, {@code branches} and {@code whole}, as a user wrote them
     */
    @ActivityMethod(name = "rerun")
    Steered rerun(String campaignId, Map<String, Object> cells);

    /**
     * A campaign after it was steered.
     *
     * @param budgetUsd what all calls together may cost, in US dollars; null: no budget
     */
    record Steered(
            String state,
            int epoch,
            int maxConcurrent,
            @Nullable BigDecimal budgetUsd,
            int trials) {}
}
