package dev.assay.web.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaignfile.DefinitionWriter;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.series.SeriesRepository;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

/** The definition of a campaign, and its speed over time. */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "campaigns")
final class CampaignHistoryController {

    private final CampaignQueries campaigns;
    private final SeriesRepository series;

    CampaignHistoryController(CampaignQueries campaigns, SeriesRepository series) {
        this.campaigns = campaigns;
        this.series = series;
    }

    /**
     * Reads the history of a campaign.
     *
     * @param id id of the campaign
     * @return spans of time
     */
    @Get("/series")
    @Operation(
            summary = "Get the history of a campaign: cells, calls in flight and cost over time",
            operationId = "getSeries",
            description = "At most 300 spans of one length, recorded as the campaign ran.")
    SeriesView series(String id) {
        campaigns.required(id);
        return new SeriesView(series.find(id));
    }

    /**
     * Reads the definition of a campaign.
     *
     * @param id id of the campaign
     * @return a campaign file without its cases
     */
    @Get("/definition")
    @Operation(
            summary = "Get the definition of a campaign, as a campaign file without its cases",
            operationId = "getDefinition",
            description = "trials and limits are those in force; suite names the stored suite.")
    @ApiResponse(
            responseCode = "200",
            description = "The definition",
            content = @Content(schema = @Schema(type = "object")))
    JsonNode definition(String id) {
        StoredCampaign campaign = campaigns.required(id);
        ObjectNode document = DefinitionWriter.write(campaign.definition(), campaign.description());
        document.put("trials", campaign.trials());
        ObjectNode limits = document.withObject("/limits").put("maxConcurrent", campaign.maxConcurrent());
        if (campaign.budgetUsd() != null) {
            limits.put("budgetUsd", campaign.budgetUsd());
        }
        if (campaign.limits().maxOutage() != null) {
            limits.put("maxOutage", campaign.maxOutage().toString());
        }
        document.putObject("suite")
                .put("id", campaign.suiteId())
                .put("name", campaign.suite().name())
                .put("cases", campaign.caseCount());
        return document;
    }
}
