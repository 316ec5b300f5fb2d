package dev.assay.web.label;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.label.Label;
import dev.assay.domain.label.LabelRequest;
import dev.assay.domain.label.LabelValue;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.label.CellLabels;
import dev.assay.store.label.CellName;
import dev.assay.store.label.LabelFilter;
import dev.assay.store.label.LabelQueries;
import dev.assay.store.page.PageRequest;
import dev.assay.web.PageSize;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.connection.AnswerPlace;
import dev.assay.web.connection.SentFile;
import dev.assay.web.document.RequestReader;
import dev.assay.web.outcome.LabelView;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;

/** What people say of answers (docs/labels.md). */
@Controller("/api/v1/campaigns/{id}/labels")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "labels")
final class LabelController {

    private static final int DEFAULT_PAGE = 100;

    private final CampaignQueries campaigns;
    private final CellLabels cells;
    private final LabelQueries labels;
    private final LabelFiles files;
    private final LabelReading reading;
    private final RequestReader reader;

    LabelController(
            CampaignQueries campaigns,
            CellLabels cells,
            LabelQueries labels,
            LabelFiles files,
            LabelReading reading,
            RequestReader reader) {
        this.campaigns = campaigns;
        this.cells = cells;
        this.labels = labels;
        this.files = files;
        this.reading = reading;
        this.reader = reader;
    }

    /**
     * Labels an answer.
     *
     * @param id id of the campaign
     * @param caseId id of the case
     * @param branchId id of the branch
     * @param trial which repetition, from 1
     * @param body the label
     * @return the labels of the cell
     */
    @Put(value = "/{caseId}/{branchId}/{trial}", consumes = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Label an answer",
            operationId = "putLabel",
            description = "Takes {verdict: pass|fail|unsure} or {score: 0 to 1}, and maybe check, labeller, note and"
                    + " sample. It replaces the person's earlier label; the same again changes nothing. A label"
                    + " changes no verdict.")
    LabelList put(
            HttpRequest<?> request,
            String id,
            String caseId,
            String branchId,
            int trial,
            @Body
                    @RequestBody(
                            description = "The label",
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(implementation = Object.class)))
                    byte[] body) {
        StoredCampaign campaign = campaigns.required(id);
        LabelRequest asked = LabelRequest.read(reader.small(request, body));
        Label label = new Label(
                asked.value(),
                asked.check(),
                reading.labeller(request, asked.labeller()),
                asked.note(),
                asked.sample(),
                Instant.now());
        return new LabelList(cells.put(campaign, new CellName(caseId, branchId, trial), label).stream()
                .map(LabelView::of)
                .toList());
    }

    /**
     * Takes a label back.
     *
     * @param id id of the campaign
     * @param caseId id of the case
     * @param branchId id of the branch
     * @param trial which repetition, from 1
     * @param labeller whose; who sends the request when left out
     * @param check of this check; of the trial as a whole when left out
     */
    @Delete("/{caseId}/{branchId}/{trial}")
    @Status(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Take a label back",
            operationId = "deleteLabel",
            description = "It stays on record, as superseded. There may have been none.")
    @ApiResponse(responseCode = "204", description = "The label is not in force")
    void delete(
            HttpRequest<?> request,
            String id,
            String caseId,
            String branchId,
            int trial,
            @QueryValue @Nullable String labeller,
            @QueryValue @Nullable String check) {
        cells.delete(
                campaigns.required(id),
                new CellName(caseId, branchId, trial),
                reading.labeller(request, labeller),
                check);
    }

    /**
     * Lists labels.
     *
     * @param id id of the campaign
     * @param branchId only of this branch
     * @param labeller only of this person
     * @param check only of this check
     * @param verdict only pass, fail or unsure
     * @param sample only that came with this sample
     * @param format csv or jsonl: all as a file
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize items on a page, 1 to 1,000; 100 when left out
     * @return a page of labels, or the file
     */
    @Get(produces = {MediaType.APPLICATION_JSON, "text/csv", "application/x-ndjson"})
    @Operation(
            summary = "List labels in force, by trial, then case, then branch",
            operationId = "listLabels",
            description = "nextPageToken asks for the items that follow, null means there are none. With format all"
                    + " labels come as a file; csv is what an import reads.")
    @ApiResponse(
            responseCode = "200",
            description = "A page of labels, or the file",
            content = {
                @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = LabelPage.class)),
                @Content(mediaType = "text/csv", schema = @Schema(type = "string")),
                @Content(mediaType = "application/x-ndjson", schema = @Schema(type = "string"))
            })
    HttpResponse<?> list(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable String branchId,
            @QueryValue @Nullable String labeller,
            @QueryValue @Nullable String check,
            @QueryValue @Nullable @Schema(pattern = "^(pass|fail|unsure)$") String verdict,
            @QueryValue @Nullable String sample,
            @QueryValue @Nullable @Schema(pattern = "^(csv|jsonl)$") String format,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        StoredCampaign campaign = campaigns.required(id);
        LabelFilter filter = new LabelFilter(branchId, labeller, check, word(verdict), sample);
        int size = PageSize.of(pageSize, DEFAULT_PAGE);
        return switch (format) {
            case null ->
                HttpResponse.ok(AnswerPlace.whileReading(
                                request,
                                room -> LabelPage.of(labels.page(id, filter, new PageRequest(pageToken, size, room)))))
                        .contentType(MediaType.APPLICATION_JSON_TYPE);
            case "csv" ->
                HttpResponse.ok(SentFile.of(request, files.csv(campaign, filter), MediaType.of("text/csv"))
                        .attach(id + "-labels.csv"));
            case "jsonl" ->
                HttpResponse.ok(
                        SentFile.of(request, files.jsonl(campaign, filter), MediaType.of("application/x-ndjson"))
                                .attach(id + "-labels.jsonl"));
            default -> throw wrong("format", "Write csv or jsonl");
        };
    }

    private static LabelValue.@Nullable Word word(@Nullable String verdict) {
        return switch (verdict) {
            case null -> null;
            case "pass" -> LabelValue.Word.PASS;
            case "fail" -> LabelValue.Word.FAIL;
            case "unsure" -> LabelValue.Word.UNSURE;
            default -> throw wrong("verdict", "Write pass, fail or unsure");
        };
    }

    private static AssayException wrong(String name, String message) {
        return AssayException.invalid(
                "A parameter of the request is not valid", List.of(new FieldError(name, message)));
    }

    /**
     * Imports labels.
     *
     * @param id the campaign of lines that name none
     * @param labeller the person of lines that name none; who sends the request when left out
     * @param dryRun true: nothing is stored
     * @param body the file
     * @return what came of it
     */
    @Post(consumes = "text/csv")
    @Operation(
            summary = "Import labels from CSV",
            operationId = "importLabels",
            description = "Columns campaign, case, branch, trial, check, label, labeller, note and at in any order, or"
                    + " item in place of the first four. All lines are read first: when one is wrong, nothing is"
                    + " stored. At most 64 MiB.")
    ImportedLabels store(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable String labeller,
            @QueryValue @Nullable @Schema(type = "boolean") String dryRun,
            @Body byte[] body) {
        campaigns.required(id);
        return reading.store(request, id, labeller, dryRun, body);
    }
}
