package dev.assay.web.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.campaigns.baseline.Baselines;
import dev.assay.campaigns.launch.ReuseSources;
import dev.assay.campaigns.plan.EarlierRuns;
import dev.assay.campaigns.plan.LimitsOfProviders;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.estimate.CampaignEstimate;
import dev.assay.domain.estimate.PlanAssumptions;
import dev.assay.domain.estimate.RecordedRuns;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.connection.BodyPlace;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import dev.assay.web.scoring.ScoringSubmitter;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Shows what a campaign would cost, and what its result could show. Stores and starts nothing. */
@Controller("/api/v1/campaigns/plan")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "campaigns")
final class PlanController {

    private final ProviderQueries providers;
    private final EarlierRuns recorded;
    private final CampaignQueries campaigns;
    private final Baselines baselines;
    private final ReuseSources reuse;
    private final ScoringSubmitter scorings;
    private final RequestReader reader;
    private final LimitsOfProviders limits;

    PlanController(
            ProviderQueries providers,
            EarlierRuns recorded,
            CampaignQueries campaigns,
            Baselines baselines,
            ReuseSources reuse,
            ScoringSubmitter scorings,
            RequestReader reader,
            LimitsOfProviders limits) {
        this.providers = providers;
        this.recorded = recorded;
        this.campaigns = campaigns;
        this.baselines = baselines;
        this.reuse = reuse;
        this.scorings = scorings;
        this.reader = reader;
        this.limits = limits;
    }

    /**
     * Plans a campaign.
     *
     * @param body the campaign file
     * @param from the earlier campaign to learn from; the newest of the same name, or that asked the same models, when left out. Its
     *     pass rate counts when it has ended and has the same cases
     * @param of the campaign whose stored answers are scored: the body is a scoring file then, and no branch is asked
     * @param rate the expected pass rate of trials, 0 to 1; as measured, else 0.8, when left out
     * @param icc share of the variance that lies between cases, 0 to 1; as measured, else 0.5, when left out
     * @param correlation of the case rates of two branches, −1 to 1; 0.5 when left out
     * @param difference that a comparison should find, −1 to 1, below 0 a loss; −0.05 when left out
     * @param power how often it should find it, 0.01 to 0.99; 0.8 when left out
     */
    @Post(
            consumes = {MediaType.APPLICATION_JSON, "application/yaml", "application/x-yaml", "text/yaml"},
            produces = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Plan a campaign: its cost, and what it could show",
            operationId = "planCampaign",
            description =
                    "Takes a campaign file, or with `of` a scoring file. Answers calls, tokens, cost, the width of the"
                        + " intervals, the smallest difference that can be found, and the cases that are needed. Also"
                        + " answers how often the gate would pass and repeat its verdict. Tokens and cost are those of"
                        + " an earlier campaign, else what the limits allow, else unknown. duration is the least time"
                        + " that known limits and the times of earlier calls allow. Nothing is stored or started.")
    @ApiResponse(
            responseCode = "200",
            description = "The plan",
            content = @Content(schema = @Schema(implementation = CampaignEstimate.class)))
    String plan(
            HttpRequest<?> request,
            @Body byte[] body,
            @QueryValue @Nullable String from,
            @QueryValue @Nullable String of,
            @QueryValue @Nullable Double rate,
            @QueryValue @Nullable Double icc,
            @QueryValue @Nullable Double correlation,
            @QueryValue @Nullable Double difference,
            @QueryValue @Nullable Double power) {
        PlanAssumptions.Given given = new PlanAssumptions.Given(rate, icc, correlation, difference, power);
        return BodyPlace.whileReading(request, () -> {
            JsonNode document = reader.document(request, body);
            WorkerCapabilities offer = providers.offer();
            CampaignSubmission submission = of == null
                    ? reader.read("Reading the campaign file", () -> CampaignReader.read(document, offer))
                    : scorings.read(scorings.answers(of), document, offer);
            baselines.check(submission.definition());
            reuse.check(submission.definition());
            if (from != null) {
                campaigns.required(from);
            }
            RecordedRuns runs = recorded.find(submission, from);
            return Json.write(CampaignEstimate.of(submission, limits.inForce(offer.providers()), runs, given));
        });
    }
}
