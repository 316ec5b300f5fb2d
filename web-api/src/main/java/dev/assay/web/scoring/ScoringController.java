package dev.assay.web.scoring;

import dev.assay.campaigns.scoring.ScoringReports;
import dev.assay.store.campaign.CampaignSearch;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.web.IdempotencyKey;
import dev.assay.web.PageSize;
import dev.assay.web.access.Requester;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.campaign.CampaignView;
import dev.assay.web.connection.AnswerPlace;
import dev.assay.web.connection.BodyPlace;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.uri.UriBuilder;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Scorings of a campaign: submit, list. */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "scorings")
final class ScoringController {

    private static final int DEFAULT_PAGE = 50;
    private static final int FLIPS = 100;

    private static final String EXAMPLE = """
        name: capitals, strictly
        checks:
          - {type: regex, value: "^Paris"}
        keepChecks: true
        """;

    private final ScoringSubmitter submitter;
    private final RequestReader reader;
    private final CampaignQueries campaigns;
    private final ScoringReports reports;
    private final Requester requester;

    ScoringController(
            ScoringSubmitter submitter,
            RequestReader reader,
            CampaignQueries campaigns,
            ScoringReports reports,
            Requester requester) {
        this.reports = reports;
        this.submitter = submitter;
        this.reader = reader;
        this.campaigns = campaigns;
        this.requester = requester;
    }

    /**
     * Scores the stored answers of a campaign.
     *
     * @param id id of the campaign whose answers are scored
     * @param body the scoring file
     * @param idempotencyKey the client's name of this submission, 1 to 255 characters
     */
    @Post(
            uri = "/scorings",
            consumes = {MediaType.APPLICATION_JSON, "application/yaml", "application/x-yaml", "text/yaml"})
    @Operation(
            summary = "Score the stored answers of a campaign by other checks, graders or judges",
            operationId = "createScoring",
            description =
                    "No branch is asked. The scoring is a campaign of its own; it is PENDING until the answers are"
                            + " copied. The campaign that is scored must have ended. With an Idempotency-Key the same"
                            + " submission sent again answers with the same scoring.")
    @ApiResponse(
            responseCode = "202",
            description = "The scoring is stored and starts; Location names it",
            content = @Content(schema = @Schema(implementation = CampaignView.class)))
    HttpResponse<CampaignView> create(
            HttpRequest<?> request,
            String id,
            @Body
                    @RequestBody(
                            description = "A scoring file, YAML or JSON",
                            required = true,
                            content = {
                                @Content(
                                        mediaType = "application/yaml",
                                        schema = @Schema(ref = "/schemas/scoring.json"),
                                        examples = @ExampleObject(name = "capitals", value = EXAMPLE)),
                                @Content(
                                        mediaType = MediaType.APPLICATION_JSON,
                                        schema = @Schema(ref = "/schemas/scoring.json")),
                                @Content(
                                        mediaType = "application/x-yaml",
                                        schema = @Schema(ref = "/schemas/scoring.json")),
                                @Content(mediaType = "text/yaml", schema = @Schema(ref = "/schemas/scoring.json"))
                            })
                    byte[] body,
            @Header(IdempotencyKey.HEADER) @Nullable String idempotencyKey) {
        SubmissionOrigin origin = requester.origin(request, idempotencyKey);
        StoredCampaign scoring =
                BodyPlace.whileReading(request, () -> submitter.submit(id, reader.document(request, body), origin));
        return HttpResponse.<CampaignView>accepted(
                        UriBuilder.of("/api/v1/campaigns").path(scoring.id()).build())
                .body(campaigns.view(scoring));
    }

    /**
     * Lists the scorings of a campaign.
     *
     * @param id id of the campaign whose answers they score; it may be deleted
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize items on a page, 1 to 1,000; 50 when left out
     * @return a page of campaigns
     */
    @Get("/scorings")
    @Operation(summary = "List the scorings of a campaign, newest first", operationId = "listScorings")
    Page<CampaignView> list(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        int size = PageSize.of(pageSize, DEFAULT_PAGE);
        return AnswerPlace.whileReading(
                request, room -> campaigns.list(CampaignSearch.scoringsOf(id), new PageRequest(pageToken, size, room)));
    }

    /**
     * Reads the report of a scoring.
     *
     * @param id id of the scoring
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize flips on a page, 1 to 1,000; 100 when left out
     * @return the report, while it runs and after
     */
    @Get("/scoring")
    @Operation(
            summary = "Get what a scoring changes of the verdicts of the campaign whose answers it scores",
            operationId = "getScoring",
            description =
                    "Both verdicts are of the same answers. Trials of one case are not independent: each statistic"
                            + " takes a case as a whole. The flips that passed before come first. A campaign that is no"
                            + " scoring is not found.")
    ScoringView report(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        int size = PageSize.of(pageSize, FLIPS);
        return AnswerPlace.whileReading(
                request,
                room -> ScoringView.of(reports.report(campaigns.required(id), new PageRequest(pageToken, size, room))));
    }
}
