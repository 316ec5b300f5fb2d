package dev.assay.web.outcome;

import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.label.LabelState;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.result.FinalErrors;
import dev.assay.store.result.OutcomeFilter;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.SelectionQueries;
import dev.assay.web.Flag;
import dev.assay.web.PageSize;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.connection.AnswerPlace;
import dev.assay.web.connection.SentFile;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

/** The products of campaigns: outcomes, selections, cassettes. */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "results")
final class OutcomeController {

    private static final int DEFAULT_PAGE = 100;

    /** Fewer: each comes with its prompts. */
    private static final int DEFAULT_SELECTIONS = 20;

    private final CampaignQueries campaigns;
    private final OutcomeQueries outcomes;
    private final SelectionQueries selections;
    private final CassetteExport cassettes;
    private final FinalErrors errors;

    OutcomeController(
            CampaignQueries campaigns,
            OutcomeQueries outcomes,
            SelectionQueries selections,
            CassetteExport cassettes,
            FinalErrors errors) {
        this.campaigns = campaigns;
        this.outcomes = outcomes;
        this.selections = selections;
        this.cassettes = cassettes;
        this.errors = errors;
    }

    /**
     * Lists outcomes.
     *
     * @param id id of the campaign
     * @param caseId only of this case
     * @param branchId only of this branch
     * @param trial only of this repetition, from 1
     * @param status only that ended so
     * @param passed only that passed, or did not; outcomes without evidence are neither
     * @param label only of which people say so: pass, fail, unsure, none or disagrees
     * @param source only whose answers come from there: asked here, copied, or recorded by another tool
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize items on a page, 1 to 1,000; 100 when left out
     * @return a page of outcomes
     */
    @Get("/outcomes")
    @Operation(
            summary = "List outcomes, by trial, then case, then branch",
            operationId = "listOutcomes",
            description =
                    "Filters narrow the list; nextPageToken asks for the items that follow, null means there are none.")
    Page<OutcomeView> list(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable String caseId,
            @QueryValue @Nullable String branchId,
            @QueryValue @Nullable Integer trial,
            @QueryValue @Nullable OutcomeStatus status,
            @QueryValue @Nullable @Schema(type = "boolean") String passed,
            @QueryValue @Nullable @Schema(pattern = "^(pass|fail|unsure|none|disagrees)$") String label,
            @QueryValue @Nullable AnswerSource source,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        campaigns.required(id);
        OutcomeFilter filter = new OutcomeFilter(
                caseId, branchId, trial, status, Flag.of("passed", passed), LabelState.of(label), source);
        int size = PageSize.of(pageSize, DEFAULT_PAGE);
        return AnswerPlace.whileReading(
                request,
                room -> outcomes.page(id, filter, new PageRequest(pageToken, size, room))
                        .map(OutcomeView::of));
    }

    /**
     * Lists failures.
     *
     * @param id id of the campaign
     * @param branchId only of this branch
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize items on a page, 1 to 1,000; 100 when left out
     * @return a page of outcomes
     */
    @Get("/failures")
    @Operation(
            summary = "List the outcomes that did not pass, the newest first",
            operationId = "listFailures",
            description = "Outcomes without evidence are left out. nextPageToken asks for older ones; those that were"
                    + " recorded since stand before the first page.")
    Page<OutcomeView> failures(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable String branchId,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        campaigns.required(id);
        int size = PageSize.of(pageSize, DEFAULT_PAGE);
        return AnswerPlace.whileReading(
                request,
                room -> outcomes.failures(id, branchId, new PageRequest(pageToken, size, room))
                        .map(OutcomeView::of));
    }

    /**
     * Lists errors.
     *
     * @param id id of the campaign
     * @return the errors with which its cells ended, by code
     */
    @Get("/errors")
    @Operation(
            summary = "List the errors with which cells ended, by code with the newest words",
            operationId = "listErrors")
    ErrorList errors(String id) {
        campaigns.required(id);
        return new ErrorList(errors.of(id), null);
    }

    /**
     * Gets one outcome.
     *
     * @param id id of the campaign
     * @param caseId id of the case
     * @param branchId id of the branch
     * @param trial which repetition, from 1
     * @return the outcome with its transcript
     */
    @Get("/outcomes/{caseId}/{branchId}/{trial}")
    @Operation(
            summary = "Get one outcome with its transcript, and what the judge read of the trial",
            operationId = "getOutcome")
    OutcomeDetailView get(String id, String caseId, String branchId, int trial, HttpRequest<?> request) {
        StoredCampaign campaign = campaigns.required(id);
        return AnswerPlace.ofItem(
                request,
                () -> outcomes.octets(id, caseId, branchId, trial),
                () -> outcomes.find(id, caseId, branchId, trial)
                        .map(detail -> OutcomeDetailView.of(detail, campaign.definition()))
                        .orElseThrow(() -> new AssayException(
                                ErrorCode.NOT_FOUND,
                                "Campaign " + id + " has no outcome of case " + caseId + ", branch " + branchId
                                        + ", trial " + trial)));
    }

    /**
     * Gets a file of a trial.
     *
     * @param id id of the campaign
     * @param caseId id of the case
     * @param branchId id of the branch
     * @param trial which repetition, from 1
     * @param file stdout.txt, stderr.txt or trace.jsonl
     * @return its bytes
     */
    @Get(value = "/outcomes/{caseId}/{branchId}/{trial}/{file}", produces = MediaType.APPLICATION_OCTET_STREAM)
    @Operation(
            summary = "Get the output or the trace of a trial",
            operationId = "getTrialFile",
            description = "stdout.txt, stderr.txt or trace.jsonl. A model's answer stands for what it printed.")
    byte[] file(String id, String caseId, String branchId, int trial, String file, HttpRequest<?> request) {
        return AnswerPlace.ofItem(
                request,
                () -> outcomes.octets(id, caseId, branchId, trial),
                () -> file(id, caseId, branchId, trial, file));
    }

    private byte[] file(String id, String caseId, String branchId, int trial, String file) {
        StoredCampaign campaign = campaigns.required(id);
        return outcomes.find(id, caseId, branchId, trial)
                .map(detail -> detail.row().outcome())
                .map(outcome -> TrialFile.of(
                        file,
                        outcome,
                        campaign.definition().branches().get(outcome.branchIndex()),
                        outcomes.programOutput(id, outcome.ordinal(), outcome.branchIndex())
                                .orElse(null)))
                .orElseThrow(() -> new AssayException(
                        ErrorCode.NOT_FOUND,
                        "Campaign " + id + " has no " + file + " of case " + caseId + ", branch " + branchId
                                + ", trial " + trial
                                + "; there are stdout.txt, stderr.txt and trace.jsonl of recorded outcomes"));
    }

    /**
     * Lists selections.
     *
     * @param id id of the campaign
     * @param caseId only of this case
     * @param trial only of this repetition, from 1
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize items on a page, 1 to 1,000; 20 when left out
     * @return a page of selections
     */
    @Get("/selections")
    @Operation(
            summary = "List the selection of each trial, by trial, then case, with what judges read and said",
            operationId = "listSelections",
            description = "Prompts are shown as they were sent, so pages can be large.")
    Page<TrialSelectionView> selections(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable String caseId,
            @QueryValue @Nullable Integer trial,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        CampaignDefinition definition = campaigns.required(id).definition();
        int size = PageSize.of(pageSize, DEFAULT_SELECTIONS);
        return AnswerPlace.whileReading(
                request,
                room -> selections
                        .page(id, caseId, trial, new PageRequest(pageToken, size, room))
                        .map(row -> TrialSelectionView.of(row, definition)));
    }

    /**
     * Writes the recorded answers.
     *
     * @param id id of the campaign
     * @return the lines of the cassette
     */
    @Get(value = "/cassette", produces = CassetteExport.MEDIA_TYPE)
    @Operation(
            summary = "Get the recorded answers as a cassette for replay agents",
            operationId = "getCassette",
            description = "JSON Lines, one recorded answer each. An answer is found again by its request.")
    @ApiResponse(
            responseCode = "200",
            content = @Content(mediaType = CassetteExport.MEDIA_TYPE, schema = @Schema(type = "string")))
    StreamedFile cassette(HttpRequest<?> request, String id) {
        return SentFile.of(request, cassettes.open(campaigns.required(id)), MediaType.of(CassetteExport.MEDIA_TYPE));
    }
}
