package dev.assay.web.imported;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.campaigns.imported.ImportEnd;
import dev.assay.campaigns.imported.ImportIntake;
import dev.assay.web.access.Requester;
import dev.assay.web.campaign.CampaignIds;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.campaign.CampaignView;
import dev.assay.web.connection.BodyPlace;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
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
import java.util.Optional;

/** Imports of finished results. */
@Controller("/api/v1/imports")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "imports")
final class ImportController {

    private static final String LINES = "application/x-ndjson";

    private static final String HEADER = """
        {"tool": "my-tool", "toolVersion": "1.0", "name": "capitals", "trials": 1,
         "branches": [{"id": "small", "model": "gpt-5-mini"}],
         "aggregates": [{"metric": "accuracy", "branch": "small", "theirs": 1.0, "of": "mean", "check": "exact"}]}\
        """;

    private static final String EXAMPLE = """
        {"case": {"id": "france", "prompts": ["What is the capital of France?"], "metadata": {"target": "Paris"}}}
        {"caseId": "france", "branchId": "small", "trial": 1, "status": "COMPLETED", "response": "Paris", \
        "checks": [{"metric": "exact", "status": "PASSED", "score": 1, "value": "C"}]}
        """;

    private final ImportIntake intake;
    private final ImportEnd end;
    private final CampaignQueries campaigns;
    private final RequestReader reader;
    private final Requester requester;

    ImportController(
            ImportIntake intake, ImportEnd end, CampaignQueries campaigns, RequestReader reader, Requester requester) {
        this.intake = intake;
        this.end = end;
        this.campaigns = campaigns;
        this.reader = reader;
        this.requester = requester;
    }

    /**
     * Begins an import.
     *
     * @param body what there is to say before the results are sent
     */
    @Post(consumes = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Begin an import of finished results",
            operationId = "createImport",
            description =
                    "The header names tool, branches and trials. `files` with their SHA-256 make a second import of"
                        + " the same files find the same campaign; 200 then, with its id. `aggregates` are the tool's"
                        + " own numbers, compared with what the results come to. An import without a request for an"
                        + " hour is removed.")
    @ApiResponse(
            responseCode = "201",
            description = "Send the results now",
            content = @Content(schema = @Schema(implementation = ImportView.class)))
    @ApiResponse(
            responseCode = "200",
            description = "The campaign of the same files, imported before",
            content = @Content(schema = @Schema(implementation = ImportView.class)))
    HttpResponse<ImportView> begin(
            HttpRequest<?> request,
            @Body
                    @RequestBody(
                            description = "The header",
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(type = "object"),
                                            examples = @ExampleObject(name = "capitals", value = HEADER)))
                    byte[] body) {
        JsonNode header = BodyPlace.whileReading(request, () -> reader.small(request, body));
        Optional<String> known = intake.known(header);
        if (known.isPresent()) {
            return HttpResponse.ok(new ImportView(null, known.get()));
        }
        String id = intake.begin(header, requester.origin(request, null).createdBy());
        return HttpResponse.created(new ImportView(id, null));
    }

    /**
     * Takes a piece of the results.
     *
     * @param id id of the import
     * @param sequence number of the piece, from 0; each in turn, and again where the answer was lost
     * @param body lines of JSON, 16 MiB at most
     */
    @Post(uri = "/{id}/results", consumes = LINES)
    @Status(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Send results of an import",
            operationId = "addImportResults",
            description =
                    "A line is {\"case\": …} before the first use of the case, or an outcome as the export `jsonl`"
                            + " writes it. What a campaign finds out itself may be left out, and is ignored. Texts that"
                            + " cannot be stored get U+FFFD in the place of what cannot.")
    void add(
            HttpRequest<?> request,
            String id,
            @QueryValue int sequence,
            @Body
                    @RequestBody(
                            description = "Lines of JSON",
                            required = true,
                            content =
                                    @Content(
                                            mediaType = LINES,
                                            schema = @Schema(type = "string"),
                                            examples = @ExampleObject(name = "capitals", value = EXAMPLE)))
                    byte[] body) {
        BodyPlace.whileReading(request, () -> {
            intake.add(id, sequence, body);
            return id;
        });
    }

    /**
     * Makes a campaign of the results.
     *
     * @param id id of the import
     * @param body may say in `reason` why the tool's run is not complete, or that it is `complete`
     */
    @Post(uri = "/{id}/finish", consumes = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Finish an import",
            operationId = "finishImport",
            description =
                    "The campaign is COMPLETED. It is CANCELLED where `reason` says that the run is not complete, or"
                        + " where cells have no result and `complete` is not true. It shows as a whole or not at all."
                        + " 200 where it was there before.")
    @ApiResponse(
            responseCode = "201",
            description = "The campaign; Location names it",
            content = @Content(schema = @Schema(implementation = CampaignView.class)))
    @ApiResponse(
            responseCode = "200",
            description = "The campaign, which was there before",
            content = @Content(schema = @Schema(implementation = CampaignView.class)))
    HttpResponse<CampaignView> finish(
            HttpRequest<?> request,
            String id,
            @Body
                    @Nullable
                    @RequestBody(
                            content =
                                    @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(type = "object")))
                    String body) {
        JsonNode said = BodyPlace.whileReading(request, () -> reader.optional(body));
        String reason = said.path("reason").isTextual()
                        && !said.path("reason").textValue().isBlank()
                ? said.path("reason").textValue()
                : null;
        ImportEnd.Finished finished = end.finish(
                id, new ImportEnd.Completeness(said.path("complete").asBoolean(false), reason), CampaignIds::next);
        CampaignView view = campaigns.view(finished.campaign());
        return finished.isNew()
                ? HttpResponse.<CampaignView>created(UriBuilder.of("/api/v1/campaigns")
                                .path(view.id())
                                .build())
                        .body(view)
                : HttpResponse.ok(view);
    }

    /**
     * Gives an import up.
     *
     * @param id id of the import
     */
    @Delete("/{id}")
    @Status(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Give up an import that is not finished",
            operationId = "deleteImport",
            description = "Nothing of it stays. An import that is not there is no error.")
    void delete(String id) {
        intake.remove(id);
    }
}
