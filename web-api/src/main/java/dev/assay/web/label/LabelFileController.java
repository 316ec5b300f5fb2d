package dev.assay.web.label;

import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Files of labels that name their campaigns themselves. */
@Controller("/api/v1/labels")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "labels")
final class LabelFileController {

    private final LabelReading reading;

    LabelFileController(LabelReading reading) {
        this.reading = reading;
    }

    /**
     * Imports labels of any campaigns.
     *
     * @param labeller the person of lines that name none; who sends the request when left out
     * @param dryRun true: nothing is stored
     * @param body the file
     * @return what came of it
     */
    @Post(consumes = "text/csv")
    @Operation(
            summary = "Import labels of any campaigns from CSV",
            operationId = "importLabelsOfCampaigns",
            description = "As the import of one campaign; each line names its campaign, or an item of a sample.")
    ImportedLabels store(
            HttpRequest<?> request,
            @QueryValue @Nullable String labeller,
            @QueryValue @Nullable @Schema(type = "boolean") String dryRun,
            @Body byte[] body) {
        return reading.store(request, null, labeller, dryRun, body);
    }
}
