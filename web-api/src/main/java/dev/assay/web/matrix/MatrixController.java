package dev.assay.web.matrix;

import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Every cell of a campaign at once. */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "results")
final class MatrixController {

    private final HeldMatrices matrices;

    MatrixController(HeldMatrices matrices) {
        this.matrices = matrices;
    }

    /**
     * Reads the matrix of a campaign.
     *
     * @param id id of the campaign
     * @param since Matrix-Version of an answer before: only what changed is sent, where that is known
     * @param ifNoneMatch ETag of an answer before
     * @return the cells
     */
    @Get(value = "/matrix", produces = MediaType.APPLICATION_OCTET_STREAM)
    @Operation(
            summary = "Get the result of every cell, one byte each",
            operationId = "getMatrix",
            description =
                    "Bytes by trial, then case, then branch; Matrix-Trials, Matrix-Cases and Matrix-Branches say how"
                            + " many. With Matrix-Since only what changed: of each cell its place (4 bytes, the highest"
                            + " first) and its byte. At most 20,000,000 cells. docs/api.md names the bits.")
    @ApiResponse(
            responseCode = "200",
            description = "The cells, or their changes",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM,
                            schema = @Schema(type = "string", format = "binary")))
    @ApiResponse(responseCode = "304", description = "The client has this version", content = @Content)
    HttpResponse<byte[]> matrix(
            String id,
            @QueryValue @Nullable String since,
            @Header(HttpHeaders.IF_NONE_MATCH) @Nullable String ifNoneMatch) {
        MatrixReading reading = matrices.read(id, since);
        String tag = "\"" + reading.version() + (reading.isChanges() ? "-since-" + since : "") + "\"";
        MutableHttpResponse<byte[]> answer =
                tag.equals(ifNoneMatch) ? HttpResponse.notModified() : HttpResponse.ok(reading.body());
        if (reading.isChanges()) {
            answer.header("Matrix-Since", since);
        }
        return answer.header(HttpHeaders.ETAG, tag)
                .header(HttpHeaders.CACHE_CONTROL, "no-cache")
                .header("Matrix-Version", reading.version())
                .header("Matrix-Trials", Integer.toString(reading.trials()))
                .header("Matrix-Cases", Integer.toString(reading.cases()))
                .header("Matrix-Branches", Integer.toString(reading.branches()));
    }
}
