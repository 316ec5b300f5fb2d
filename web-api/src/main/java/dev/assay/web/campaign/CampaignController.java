package dev.assay.web.campaign;

import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.store.campaign.CampaignSearch;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.web.Flag;
import dev.assay.web.IdempotencyKey;
import dev.assay.web.PageSize;
import dev.assay.web.access.Requester;
import dev.assay.web.connection.AnswerPlace;
import dev.assay.web.connection.BodyPlace;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import dev.assay.web.stream.StreamPlaces;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.sse.Event;
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
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.reactivestreams.Publisher;

/** Campaigns: submit, list, watch. */
@Controller("/api/v1/campaigns")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "campaigns")
final class CampaignController {

    private static final int DEFAULT_PAGE = 50;

    private static final String EXAMPLE = """
        name: capitals
        cases:
          - id: france
            prompt: What is the capital of France?
            checks:
              - {type: icontains, value: Paris}
        branches:
          - {id: small, provider: openai, model: gpt-6.1-terra}
          - {id: large, provider: anthropic, model: claude-opus-5-5}
        trials: 5
        strategy: {type: llm-judge, judge: {provider: anthropic, model: claude-opus-5-5}}
        gate: {passThreshold: 0.8}
        limits: {maxConcurrent: 50, budgetUsd: 20}
        """;

    private final CampaignSubmitter submitter;
    private final RequestReader reader;
    private final CampaignQueries reads;
    private final ProgressEvents events;
    private final StreamPlaces places;
    private final Requester requester;

    CampaignController(
            CampaignSubmitter submitter,
            RequestReader reader,
            CampaignQueries reads,
            ProgressEvents events,
            StreamPlaces places,
            Requester requester) {
        this.places = places;
        this.requester = requester;
        this.submitter = submitter;
        this.reader = reader;
        this.reads = reads;
        this.events = events;
    }

    /**
     * Submits a campaign.
     *
     * @param body the campaign file
     * @param idempotencyKey the client's name of this submission, 1 to 255 characters
     */
    @Post(consumes = {MediaType.APPLICATION_JSON, "application/yaml", "application/x-yaml", "text/yaml"})
    @Operation(
            summary = "Submit a campaign",
            operationId = "createCampaign",
            description = "Takes a campaign file with its suite and cassettes inlined. Everything is validated first; "
                    + "a problem document names every error with its path, and nothing is stored then. "
                    + "With an Idempotency-Key the same submission sent again answers with the same campaign.")
    @ApiResponse(
            responseCode = "202",
            description = "The campaign is stored and starts; Location names it",
            content = @Content(schema = @Schema(implementation = CampaignView.class)))
    HttpResponse<CampaignView> create(
            HttpRequest<?> request,
            @Body
                    @RequestBody(
                            description = "A campaign file, YAML or JSON",
                            required = true,
                            content = {
                                @Content(
                                        mediaType = "application/yaml",
                                        schema = @Schema(ref = "/schemas/campaign.json"),
                                        examples = @ExampleObject(name = "capitals", value = EXAMPLE)),
                                @Content(
                                        mediaType = MediaType.APPLICATION_JSON,
                                        schema = @Schema(ref = "/schemas/campaign.json")),
                                @Content(
                                        mediaType = "application/x-yaml",
                                        schema = @Schema(ref = "/schemas/campaign.json")),
                                @Content(mediaType = "text/yaml", schema = @Schema(ref = "/schemas/campaign.json"))
                            })
                    byte[] body,
            @Header(IdempotencyKey.HEADER) @Nullable String idempotencyKey) {
        SubmissionOrigin origin = requester.origin(request, idempotencyKey);
        StoredCampaign campaign =
                BodyPlace.whileReading(request, () -> submitter.submit(reader.document(request, body), origin));
        return HttpResponse.<CampaignView>accepted(
                        UriBuilder.of("/api/v1/campaigns").path(campaign.id()).build())
                .body(reads.view(campaign));
    }

    /**
     * Lists campaigns.
     *
     * @param state only these; all when left out
     * @param verdict only with these; all when left out
     * @param q only whose name or id has it, in capitals or not
     * @param suite only over suites of this name
     * @param name only of this name
     * @param metadata only with these, each as NAME=VALUE
     * @param scoring true: only scorings of stored answers; false: all others; both when left out
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize items on a page, 1 to 1,000; 50 when left out
     * @return a page of campaigns
     */
    @Get
    @Operation(summary = "List campaigns, newest first", operationId = "listCampaigns")
    Page<CampaignView> list(
            HttpRequest<?> request,
            @QueryValue @Nullable List<CampaignState> state,
            @QueryValue @Nullable List<Verdict> verdict,
            @QueryValue @Nullable String q,
            @QueryValue @Nullable String suite,
            @QueryValue @Nullable String name,
            @QueryValue @Nullable List<String> metadata,
            @QueryValue @Nullable @Schema(type = "boolean") String scoring,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        CampaignSearch filter = new CampaignSearch(
                Set.copyOf(Objects.requireNonNullElse(state, List.of())),
                Set.copyOf(Objects.requireNonNullElse(verdict, List.of())),
                q,
                suite,
                Flag.of("scoring", scoring),
                name,
                MetadataFilter.of(request.getParameters().getAll("metadata")),
                null);
        int size = PageSize.of(pageSize, DEFAULT_PAGE);
        return AnswerPlace.whileReading(request, room -> reads.list(filter, new PageRequest(pageToken, size, room)));
    }

    /**
     * Gets a campaign.
     *
     * @param id id of the campaign
     * @param ifNoneMatch the ETag of the answer that the client has
     * @return the campaign
     */
    @Get("/{id}")
    @Operation(
            summary = "Get a campaign",
            operationId = "getCampaign",
            description =
                    "With the ETag of an earlier answer in If-None-Match it answers 304 while nothing was recorded"
                            + " since. The ETag holds for 15 s at most: what holds a campaign up changes with the time,"
                            + " too.")
    @ApiResponse(
            responseCode = "200",
            description = "The campaign",
            content = @Content(schema = @Schema(implementation = CampaignView.class)))
    @ApiResponse(responseCode = "304", description = "Nothing was recorded since", content = @Content)
    HttpResponse<CampaignView> get(String id, @Header(HttpHeaders.IF_NONE_MATCH) @Nullable String ifNoneMatch) {
        String tag = reads.tag(id);
        MutableHttpResponse<CampaignView> answer =
                tag.equals(ifNoneMatch) ? HttpResponse.notModified() : HttpResponse.ok(reads.view(id));
        return answer.header(HttpHeaders.ETAG, tag).header(HttpHeaders.CACHE_CONTROL, "no-cache");
    }

    /**
     * Gets the progress of a campaign.
     *
     * @param id id of the campaign
     * @return its progress
     */
    @Get("/{id}/progress")
    @Operation(summary = "Get the progress of a campaign and of each branch", operationId = "getProgress")
    ProgressView progress(String id) {
        return reads.progress(id);
    }

    /**
     * Gets the account of a campaign.
     *
     * @param id id of the campaign
     * @return what happened to it, and what to do
     */
    @Get("/{id}/account")
    @Operation(
            summary = "Get the account of a campaign: what happened, what holds it up, and what to do",
            operationId = "getAccount",
            description = "The command line, the pages and the event stream say the same. Above 10,000 finished cells"
                    + " errors, skipped cells, re-run ones and the spend may be some seconds old.")
    CampaignAccount account(String id) {
        return reads.account(id);
    }

    /**
     * Streams the progress of a campaign.
     *
     * @param id id of the campaign
     * @param matrix whether events called matrix hold the changes of the matrix of results; false when left out
     * @return events called progress
     */
    @Get(value = "/{id}/events", produces = MediaType.TEXT_EVENT_STREAM)
    @Operation(
            summary = "Watch a campaign",
            operationId = "watchCampaign",
            description = "Server-sent events called progress: within a second of what is recorded, and every 15 s. The"
                    + " stream ends after the campaign has."
                    + " Their data is the answer of /progress. With matrix=true also events called matrix: the"
                    + " version, the version before it, and the changes in base64, as /matrix answers them; null:"
                    + " ask it.")
    @ApiResponse(
            responseCode = "200",
            description = "The events",
            content = @Content(mediaType = MediaType.TEXT_EVENT_STREAM, schema = @Schema(type = "string")))
    Publisher<Event<String>> events(
            String id, @QueryValue @Nullable @Schema(type = "boolean") String matrix, HttpRequest<?> request) {
        reads.required(id);
        return places.take(request, events.of(id, Boolean.TRUE.equals(Flag.of("matrix", matrix))));
    }

    /**
     * Reads the report of a campaign.
     *
     * @param id id of the campaign
     * @param cases whether branches have the result of each case, which is most of a large report; true when left out
     * @return the report
     */
    @Get(value = "/{id}/report", produces = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Get the report of a campaign",
            operationId = "getReport",
            description =
                    "Pass rates with their intervals, wins, usage and cost: as computed when the campaign completed, "
                            + "else as its results stand now. A cell without a result counts as no evidence.")
    @ApiResponse(
            responseCode = "200",
            description = "The report",
            content = @Content(schema = @Schema(implementation = CampaignSummary.class)))
    byte[] report(String id, @QueryValue @Nullable @Schema(type = "boolean") String cases) {
        return Boolean.FALSE.equals(Flag.of("cases", cases)) ? reads.reportWithoutCases(id) : reads.report(id);
    }
}
