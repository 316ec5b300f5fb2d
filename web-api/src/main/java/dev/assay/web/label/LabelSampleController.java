package dev.assay.web.label;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.label.SampleRequest;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.label.SampleRepository;
import dev.assay.store.label.StoredSample;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.connection.SentFile;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
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
import java.util.List;
import java.util.stream.IntStream;

/** Random samples of answers that people are asked to label. */
@Controller("/api/v1/campaigns/{id}/label-samples")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "labels")
final class LabelSampleController {

    private final CampaignQueries campaigns;
    private final SampleRepository samples;
    private final LabelFiles files;
    private final RequestReader reader;

    LabelSampleController(CampaignQueries campaigns, SampleRepository samples, LabelFiles files, RequestReader reader) {
        this.campaigns = campaigns;
        this.samples = samples;
        this.files = files;
        this.reader = reader;
    }

    /**
     * Makes a sample.
     *
     * @param id id of the campaign
     * @param body what it takes
     * @return the sample
     */
    @Post(consumes = MediaType.APPLICATION_JSON)
    @Status(HttpStatus.CREATED)
    @Operation(
            summary = "Make a random sample of answers to label",
            operationId = "makeLabelSample",
            description = "Takes {count, seed, branches, check}. A sample never changes; a larger one of the same seed"
                    + " begins with a smaller one. A count above the answers that there are takes all.")
    @ApiResponse(responseCode = "201", description = "The sample")
    SampleView make(
            HttpRequest<?> request,
            String id,
            @Body
                    @RequestBody(
                            description = "What the sample takes",
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(implementation = SampleRequest.class)))
                    byte[] body) {
        StoredCampaign campaign = campaigns.required(id);
        List<String> known =
                campaign.definition().branches().stream().map(Branch::id).toList();
        SampleRequest asked = SampleRequest.read(reader.small(request, body), known);
        List<Integer> branches = IntStream.range(0, known.size())
                .filter(index -> asked.branches().isEmpty() || asked.branches().contains(known.get(index)))
                .boxed()
                .toList();
        return SampleView.of(samples.make(campaign, asked.count(), asked.seed(), branches, asked.check()));
    }

    /**
     * Gets a sample.
     *
     * @param id id of the campaign
     * @param sample id of the sample
     * @param format csv: its items, for people to fill in
     * @return the sample, or the file
     */
    @Get(
            value = "/{sample}",
            produces = {MediaType.APPLICATION_JSON, "text/csv"})
    @Operation(
            summary = "Get a sample, or its answers as CSV to fill in",
            operationId = "getLabelSample",
            description = "The CSV has item, prompt, context, response, label and note: nothing says which branch"
                    + " answered, or whether it passed.")
    @ApiResponse(
            responseCode = "200",
            description = "The sample, or the file",
            content = {
                @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = SampleView.class)),
                @Content(mediaType = "text/csv", schema = @Schema(type = "string"))
            })
    HttpResponse<?> get(
            HttpRequest<?> request,
            String id,
            String sample,
            @QueryValue @Nullable @Schema(pattern = "^csv$") String format) {
        StoredCampaign campaign = campaigns.required(id);
        StoredSample stored = samples.find(id, sample)
                .orElseThrow(
                        () -> new AssayException(ErrorCode.NOT_FOUND, "Campaign " + id + " has no sample " + sample));
        if (format == null) {
            return HttpResponse.ok(SampleView.of(stored)).contentType(MediaType.APPLICATION_JSON_TYPE);
        }
        if (!format.equals("csv")) {
            throw AssayException.invalid(
                    "A parameter of the request is not valid", List.of(new FieldError("format", "Write csv")));
        }
        return HttpResponse.ok(SentFile.of(request, files.sample(campaign, sample), MediaType.of("text/csv"))
                .attach(sample + ".csv"));
    }
}
