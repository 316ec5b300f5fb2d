package dev.assay.web.judge;

import dev.assay.domain.judge.JudgePreview;
import dev.assay.web.connection.BodyPlace;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Shows exactly what a judge would read: prompt and compaction. Asks no model. */
@Controller("/api/v1/judge")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "judge")
final class JudgePreviewController {

    private final RequestReader reader;

    JudgePreviewController(RequestReader reader) {
        this.reader = reader;
    }

    @Post(
            value = "/preview",
            consumes = {MediaType.APPLICATION_JSON, "application/yaml", "application/x-yaml", "text/yaml"})
    @Operation(
            summary = "Preview what a judge would read",
            operationId = "previewJudge",
            description =
                    "Takes {priorContext, context, query, responses, maxContextTokens, systemPrompt, reply, fence}. "
                            + "priorContext is used as it is; context is a list of messages that is written out as a "
                            + "transcript. The last four are those of a campaign's judge.")
    @ApiResponse(
            responseCode = "200",
            description = "The preview",
            content = @Content(schema = @Schema(implementation = JudgePreview.class)))
    JudgePreview preview(HttpRequest<?> request, @Body byte[] body) {
        return BodyPlace.whileReading(request, () -> {
            return reader.preview(reader.document(request, body));
        });
    }
}
