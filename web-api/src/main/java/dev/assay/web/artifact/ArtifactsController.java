package dev.assay.web.artifact;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.rendering.MarkdownReport;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.connection.SentFile;
import dev.assay.web.matrix.HeldMatrices;
import dev.assay.web.matrix.MatrixReading;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
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
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The results of a campaign as the files that {@code assay run --output} writes. */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "results")
final class ArtifactsController {

    private final CampaignQueries campaigns;
    private final CampaignArtifacts artifacts;
    private final HeldMatrices matrices;

    ArtifactsController(CampaignQueries campaigns, CampaignArtifacts artifacts, HeldMatrices matrices) {
        this.campaigns = campaigns;
        this.artifacts = artifacts;
        this.matrices = matrices;
    }

    /**
     * Writes the files of a campaign.
     *
     * @param id id of the campaign
     * @param format zip, junit, markdown, html or summary; zip when left out
     * @param part of the zip: trials for the directories of trials, totals for aggregated.json and summary.json; both when left out
     * @param since Matrix-Version of an answer before: only the directories of trials that changed since, where that is known
     * @param maxBytes of Markdown, 2,000 to 1,000,000; 1,000,000 when left out
     * @return the file
     */
    @Get(
            value = "/artifacts",
            produces = {"application/zip", "application/xml", "text/markdown", "text/html", MediaType.APPLICATION_JSON})
    @Operation(
            summary = "Get the results as files: the directory of a run, JUnit's XML, Markdown, an HTML page, or"
                    + " summary.json",
            operationId = "getArtifacts",
            description = "In every state, from the results as they stand now; a cell without a result is skipped."
                    + " The file is written while it is read. Of a zip with the directories of trials Matrix-Version"
                    + " names the state, unless the campaign is too large for a matrix.")
    @ApiResponse(
            responseCode = "200",
            description = "The file",
            content = {
                @Content(mediaType = "application/zip", schema = @Schema(type = "string", format = "binary")),
                @Content(mediaType = "application/xml", schema = @Schema(type = "string")),
                @Content(mediaType = "text/markdown", schema = @Schema(type = "string")),
                @Content(mediaType = "text/html", schema = @Schema(type = "string")),
                @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(type = "object"))
            })
    HttpResponse<StreamedFile> artifacts(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable @Schema(pattern = "^(zip|junit|markdown|html|summary)$") String format,
            @QueryValue @Nullable @Schema(pattern = "^(trials|totals)$") String part,
            @QueryValue @Nullable String since,
            @QueryValue @Nullable @Schema(minimum = "2000", maximum = "1000000") Integer maxBytes) {
        StoredCampaign campaign = campaigns.required(id);
        ArtifactForm form = ArtifactForm.of(format);
        return switch (form) {
            case ZIP ->
                zip(request, campaign, since == null ? ArtifactPart.of(part) : Set.of(ArtifactPart.TRIALS), since);
            case JUNIT -> answer(request, campaign, form, artifacts.junit(campaign));
            case MARKDOWN -> answer(request, campaign, form, artifacts.markdown(campaign, room(maxBytes)));
            case HTML -> answer(request, campaign, form, artifacts.html(campaign));
            case SUMMARY -> answer(request, campaign, form, artifacts.summary(campaign));
        };
    }

    private static int room(@Nullable Integer maxBytes) {
        int room = Objects.requireNonNullElse(maxBytes, MarkdownReport.MAX_BYTES);
        if (room < MarkdownReport.MIN_BYTES || room > MarkdownReport.MAX_BYTES) {
            throw AssayException.invalid(
                    "A parameter of the request is not valid",
                    List.of(new FieldError("maxBytes", "Write a number from 2000 to 1000000")));
        }
        return room;
    }

    private HttpResponse<StreamedFile> zip(
            HttpRequest<?> request, StoredCampaign campaign, Set<ArtifactPart> parts, @Nullable String since) {
        MatrixReading matrix = parts.contains(ArtifactPart.TRIALS) ? matrix(campaign, since) : null;
        RecordedCells cells =
                matrix == null ? RecordedCells.all(campaign.grid()) : RecordedCells.of(campaign.grid(), matrix);
        MutableHttpResponse<StreamedFile> answer =
                answer(request, campaign, ArtifactForm.ZIP, artifacts.zip(campaign, parts, cells));
        return matrix == null ? answer : answer.header("Matrix-Version", matrix.version());
    }

    /** The matrix; null: the campaign is too large for one, and {@code since} was not asked. */
    private @Nullable MatrixReading matrix(StoredCampaign campaign, @Nullable String since) {
        try {
            return matrices.readAll(campaign.id(), since);
        } catch (AssayException e) {
            if (since != null || e.code() != ErrorCode.INVALID_INPUT) {
                throw e;
            }
            return null;
        }
    }

    private static MutableHttpResponse<StreamedFile> answer(
            HttpRequest<?> request, StoredCampaign campaign, ArtifactForm form, InputStream content) {
        MediaType type = MediaType.of(form.mediaType());
        StreamedFile file = SentFile.of(request, content, type).attach(form.fileName(campaign.id()));
        return HttpResponse.ok(file).contentType(type);
    }
}
