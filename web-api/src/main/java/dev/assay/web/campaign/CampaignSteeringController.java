package dev.assay.web.campaign;

import dev.assay.campaigns.steering.CampaignSteering;
import dev.assay.campaigns.upkeep.CampaignDeletion;
import dev.assay.domain.steering.LimitChange;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Campaigns: change, run again, pause, resume, cancel (docs/steering.md). */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "campaigns")
final class CampaignSteeringController {

    private final CampaignQueries reads;
    private final CampaignSteering steering;
    private final CampaignDeletion deletion;
    private final RequestReader reader;

    CampaignSteeringController(
            CampaignQueries reads, CampaignSteering steering, CampaignDeletion deletion, RequestReader reader) {
        this.deletion = deletion;
        this.reader = reader;
        this.reads = reads;
        this.steering = steering;
    }

    /**
     * Changes the limits of a campaign.
     *
     * @param id id of the campaign
     * @param body what changes
     * @return the campaign with its new limits
     */
    @Patch(consumes = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Change the limits of a campaign",
            operationId = "changeCampaign",
            description =
                    "Takes any of {maxConcurrent, budgetUsd, trials, maxOutage}. maxConcurrent counts from now on, on"
                        + " every worker. A raised budget opens the cells that were skipped for it. trials can only be"
                        + " raised: the campaign is extended, and one that has ended goes on by itself. maxOutage is a"
                        + " duration from 0s to 7d. A paused campaign stays paused.")
    CampaignView change(
            String id,
            HttpRequest<?> request,
            @Body
                    @RequestBody(
                            description = "The changes; limits that are left out stay as they are",
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(implementation = LimitChange.class),
                                            examples =
                                                    @ExampleObject(
                                                            name = "more",
                                                            value = "{\"maxConcurrent\": 100, \"budgetUsd\": 50}")))
                    byte[] body) {
        return reads.view(steering.change(id, LimitChange.read(reader.small(request, body))));
    }

    /**
     * Runs cells of a campaign again.
     *
     * @param id id of the campaign
     * @param body which cells; all that did not pass when left out
     * @return the campaign, going on unless it is paused or there was nothing to run again
     */
    @Post(value = "/rerun", consumes = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Rerun cells that failed or errored, or whole branches",
            operationId = "rerunCampaign",
            description =
                    "Takes {only: failed|errored|all|grades, cases: [ids], branches: [ids]}; without a body everything"
                        + " that did not pass. failed: a check failed. errored: MODEL_ERROR, TIMED_OUT or LIMIT. The"
                        + " first draw of a cell that passed or failed keeps counting. Only {whole: true, branches:"
                        + " [ids]} replaces draws: it asks every cell of these branches again, passed ones too, and"
                        + " takes neither cases nor only. What cells recorded before stays in the results store as"
                        + " history, and their trials are selected again. While they are open, asking again opens"
                        + " nothing more.")
    CampaignView rerun(
            String id,
            @Body
                    @Nullable
                    @RequestBody(
                            description = "The cells",
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(implementation = Rerun.class),
                                            examples =
                                                    @ExampleObject(
                                                            name = "errored",
                                                            value = "{\"only\": \"errored\"}")))
                    String body) {
        return reads.view(steering.rerun(id, Rerun.read(reader.optional(body))));
    }

    /**
     * Pauses a campaign.
     *
     * @param id id of the campaign
     * @return the campaign, PAUSED
     */
    @Post("/pause")
    @Operation(
            summary = "Pause a campaign",
            operationId = "pauseCampaign",
            description = "Calls in flight are finished. A campaign that has ended cannot be paused (409).")
    CampaignView pause(String id) {
        return reads.view(steering.steer(id, SteeringVerb.PAUSE));
    }

    /**
     * Resumes a campaign.
     *
     * @param id id of the campaign
     * @return the campaign, going on
     */
    @Post("/resume")
    @Operation(
            summary = "Resume a campaign that is paused or has ended",
            operationId = "resumeCampaign",
            description =
                    "Goes on with every cell that is open, in a new epoch. A completed campaign of which nothing is"
                            + " open stays completed.")
    CampaignView resume(String id) {
        return reads.view(steering.steer(id, SteeringVerb.RESUME));
    }

    /**
     * Cancels a campaign.
     *
     * @param id id of the campaign
     * @return the campaign, CANCELLED
     */
    @Post("/cancel")
    @Operation(
            summary = "Cancel a campaign",
            operationId = "cancelCampaign",
            description = "Calls in flight are aborted; all records stay, and the campaign can be resumed.")
    CampaignView cancel(String id) {
        return reads.view(steering.steer(id, SteeringVerb.CANCEL));
    }

    /**
     * Deletes a campaign.
     *
     * @param id id of the campaign
     */
    @Delete
    @Status(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Delete a campaign that has ended, with all that is its own",
            operationId = "deleteCampaign",
            description = "Results, transcripts, judge calls, ledger and Temporal's histories go for good."
                    + " What other campaigns use stays: suites, cassettes, workspaces. A campaign that goes"
                    + " on is refused (409). Nothing finds it from now on; its rows go in the background.")
    @ApiResponse(responseCode = "204", description = "It is deleted")
    void delete(String id) {
        deletion.delete(id);
    }
}
