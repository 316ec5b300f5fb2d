package dev.assay.web.hypothesis;

import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.hypothesis.StoredHypotheses;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.web.IdempotencyKey;
import dev.assay.web.PageSize;
import dev.assay.web.access.Requester;
import dev.assay.web.connection.AnswerPlace;
import dev.assay.web.connection.BodyPlace;
import dev.assay.web.document.RequestReader;
import dev.assay.web.evaluation.EvaluationAnswers;
import dev.assay.web.evaluation.EvaluationWait;
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
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;

/** Hypothesis evaluations: a list of hypotheses, scored by a rubric in batches. */
@Controller(HypothesisController.PATH)
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "hypothesis-evaluations")
final class HypothesisController {

    static final String PATH = "/api/v1/hypothesis-evaluations";

    private static final int DEFAULT_PAGE = 50;

    private static final String EXAMPLE = """
        {"challenger": {"provider": "anthropic", "model": "claude-haiku-4-5"},
         "hypotheses": [{"id": "h1", "statement": "Sleep loss lowers immune memory.", "rationale": "T cells form at night."},
                        {"id": "h2", "statement": "Green tea cures colds."}]}
        """;

    private final HypothesisEvaluations evaluations;
    private final HypothesisQueries reads;
    private final RequestReader reader;
    private final EvaluationAnswers answers;
    private final Requester requester;

    HypothesisController(
            HypothesisEvaluations evaluations,
            HypothesisQueries reads,
            RequestReader reader,
            EvaluationAnswers answers,
            Requester requester) {
        this.answers = answers;
        this.requester = requester;
        this.evaluations = evaluations;
        this.reads = reads;
        this.reader = reader;
    }

    /**
     * Scores hypotheses by a rubric.
     *
     * @param wait how long to wait for the result, as in 30s or 2m, at most 10 minutes; not at all when left out
     * @param idempotencyKey the client's name of this submission, 1 to 255 characters
     */
    @Post(consumes = {MediaType.APPLICATION_JSON, "application/yaml", "application/x-yaml", "text/yaml"})
    @Operation(
            summary = "Score hypotheses by a rubric",
            operationId = "createHypothesisEvaluation",
            description =
                    "Takes {challenger, hypotheses, rubric, parallelConfig, shuffleSeed, limits}. The challenger is"
                            + " written as a judge is. Answers 200 when it ended within the wait, else 202. With an"
                            + " Idempotency-Key the same submission sent again answers with the same evaluation.")
    @ApiResponse(
            responseCode = "200",
            description = "The evaluation has ended",
            content = @Content(schema = @Schema(implementation = HypothesisEvaluationView.class)))
    @ApiResponse(
            responseCode = "202",
            description = "The evaluation is stored and goes on; Location names it",
            content = @Content(schema = @Schema(implementation = HypothesisEvaluationView.class)))
    HttpResponse<HypothesisEvaluationView> create(
            HttpRequest<?> request,
            @Body
                    @RequestBody(
                            description = "A hypothesis evaluation, YAML or JSON",
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(ref = "/schemas/hypothesis-evaluation.json"),
                                            examples = @ExampleObject(name = "two", value = EXAMPLE)))
                    byte[] body,
            @QueryValue("wait") @Nullable Duration wait,
            @Header(IdempotencyKey.HEADER) @Nullable String idempotencyKey) {
        Duration patience = EvaluationWait.patience(wait);
        SubmissionOrigin origin = requester.origin(request, idempotencyKey);
        StoredHypotheses stored =
                BodyPlace.whileReading(request, () -> evaluations.submit(reader.document(request, body), origin));
        return answers.submitted(reads, PATH, stored.id(), patience, request);
    }

    /**
     * Lists hypothesis evaluations.
     *
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize items on a page, 1 to 1,000; 50 when left out
     * @return a page of evaluations, without their hypotheses
     */
    @Get
    @Operation(summary = "List hypothesis evaluations, newest first", operationId = "listHypothesisEvaluations")
    Page<HypothesisListItem> list(
            HttpRequest<?> request,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        int size = PageSize.of(pageSize, DEFAULT_PAGE);
        return AnswerPlace.whileReading(request, room -> reads.list(new PageRequest(pageToken, size, room)));
    }

    /**
     * Gets a hypothesis evaluation.
     *
     * @param id id of the evaluation
     * @param wait how long to wait for its end, as in 30s; not at all when left out
     * @return the evaluation
     */
    @Get("/{id}")
    @Operation(summary = "Get a hypothesis evaluation and its result", operationId = "getHypothesisEvaluation")
    HypothesisEvaluationView get(String id, @QueryValue("wait") @Nullable Duration wait, HttpRequest<?> request) {
        return answers.read(reads, id, EvaluationWait.patience(wait), request);
    }

    /**
     * Cancels a hypothesis evaluation.
     *
     * @param id id of the evaluation
     * @return the evaluation
     */
    @Post("/{id}/cancel")
    @Operation(
            summary = "Cancel a hypothesis evaluation",
            operationId = "cancelHypothesisEvaluation",
            description = "Workers stop its calls within 2 s. Scores until then are kept.")
    HypothesisEvaluationView cancel(String id, HttpRequest<?> request) {
        return answers.cancelled(reads, id, request);
    }
}
