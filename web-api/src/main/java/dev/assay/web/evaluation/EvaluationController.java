package dev.assay.web.evaluation;

import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.evaluation.StoredEvaluation;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.web.IdempotencyKey;
import dev.assay.web.PageSize;
import dev.assay.web.access.Requester;
import dev.assay.web.connection.AnswerPlace;
import dev.assay.web.connection.BodyPlace;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import dev.assay.web.stream.StreamPlaces;
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
import io.micronaut.http.sse.Event;
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
import org.reactivestreams.Publisher;

/** Evaluations: one prompt through several branches, the best answer back. */
@Controller(EvaluationController.PATH)
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "evaluations")
final class EvaluationController {

    static final String PATH = "/api/v1/evaluations";

    private static final int DEFAULT_PAGE = 50;

    private static final String EXAMPLE = """
        {"prompts": ["Explain quantum entanglement."],
         "branches": [{"id": "haiku", "provider": "anthropic", "model": "claude-haiku-5-5"},
                      {"id": "opus", "provider": "anthropic", "model": "claude-opus-5-5"}],
         "strategy": {"type": "llm-judge", "judge": {"provider": "anthropic", "model": "claude-opus-5-5"}}}
        """;

    private static final String EXAMPLE_CONTINUATION = """
        {"prompts": ["Now in one sentence."]}
        """;

    private final EvaluationSubmitter submitter;
    private final RequestReader reader;
    private final EvaluationQueries reads;
    private final EvaluationAnswers answers;
    private final EvaluationCancel cancel;
    private final EvaluationEvents events;
    private final StreamPlaces places;
    private final Requester requester;

    EvaluationController(
            EvaluationSubmitter submitter,
            RequestReader reader,
            EvaluationQueries reads,
            EvaluationAnswers answers,
            EvaluationCancel cancel,
            EvaluationEvents events,
            StreamPlaces places,
            Requester requester) {
        this.places = places;
        this.requester = requester;
        this.submitter = submitter;
        this.reader = reader;
        this.reads = reads;
        this.answers = answers;
        this.cancel = cancel;
        this.events = events;
    }

    /**
     * Runs a prompt through several branches.
     *
     * @param wait how long to wait for the result, as in 30s or 2m, at most 10 minutes; not at all when left out
     * @param idempotencyKey the client's name of this submission, 1 to 255 characters
     */
    @Post(consumes = {MediaType.APPLICATION_JSON, "application/yaml", "application/x-yaml", "text/yaml"})
    @Operation(
            summary = "Run a prompt through several branches and select the best answer",
            operationId = "createEvaluation",
            description = "Takes {prompts, context, systemPrompt, tools, branches, strategy, checks, limits, onCancel,"
                    + " name}. Branches, strategy, checks and limits are written as in a campaign file; the ids of"
                    + " branches may be left out. Without prompts the context is continued: it must not be empty,"
                    + " nor end on an assistant message. Answers 200 when it ended within the wait, else 202. With"
                    + " an Idempotency-Key the same submission sent again answers with the same evaluation.")
    @ApiResponse(
            responseCode = "200",
            description = "The evaluation has ended",
            content = @Content(schema = @Schema(implementation = EvaluationView.class)))
    @ApiResponse(
            responseCode = "202",
            description = "The evaluation is stored and goes on; Location names it",
            content = @Content(schema = @Schema(implementation = EvaluationView.class)))
    HttpResponse<EvaluationView> create(
            HttpRequest<?> request,
            @Body
                    @RequestBody(
                            description = "An evaluation, YAML or JSON",
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(ref = "/schemas/evaluation.json"),
                                            examples = @ExampleObject(name = "entanglement", value = EXAMPLE)))
                    byte[] body,
            @QueryValue("wait") @Nullable Duration wait,
            @Header(IdempotencyKey.HEADER) @Nullable String idempotencyKey) {
        Duration patience = EvaluationWait.patience(wait);
        SubmissionOrigin origin = requester.origin(request, idempotencyKey);
        StoredEvaluation evaluation =
                BodyPlace.whileReading(request, () -> submitter.submit(reader.document(request, body), origin));
        return answers.submitted(reads, PATH, evaluation.id(), patience, request);
    }

    /**
     * Lists evaluations.
     *
     * @param sessionId only those of this session; all when left out
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize items on a page, 1 to 1,000; 50 when left out
     * @return a page of evaluations
     */
    @Get
    @Operation(
            summary = "List evaluations, newest first",
            operationId = "listEvaluations",
            description = "Without messages, contexts and judge calls: an evaluation itself has them.")
    Page<EvaluationListItem> list(
            HttpRequest<?> request,
            @QueryValue @Nullable String sessionId,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        int size = PageSize.of(pageSize, DEFAULT_PAGE);
        return AnswerPlace.whileReading(request, room -> reads.list(sessionId, new PageRequest(pageToken, size, room)));
    }

    /**
     * Gets an evaluation.
     *
     * @param id id of the evaluation
     * @param wait how long to wait for its end, as in 30s; not at all when left out
     * @return the evaluation
     */
    @Get("/{id}")
    @Operation(summary = "Get an evaluation and its result", operationId = "getEvaluation")
    EvaluationView get(String id, @QueryValue("wait") @Nullable Duration wait, HttpRequest<?> request) {
        return answers.read(reads, id, EvaluationWait.patience(wait), request);
    }

    /**
     * Continues an evaluation.
     *
     * @param id id of the evaluation
     * @param body the next prompts and their branches; what is left out is as before
     * @param wait how long to wait for the result, as in 30s; not at all when left out
     * @param idempotencyKey the client's name of this submission, 1 to 255 characters
     */
    @Post(
            value = "/{id}/continue",
            consumes = {MediaType.APPLICATION_JSON, "application/yaml", "application/x-yaml", "text/yaml"})
    @Operation(
            summary = "Continue an evaluation from its selected context",
            operationId = "continueEvaluation",
            description = "Takes {prompts, systemPrompt, tools, branches, strategy, checks, limits, onCancel}. Without"
                    + " branches the one that won goes on alone. The session stays, and its loop numbers go on. An"
                    + " evaluation that goes on, or selected nothing, cannot be continued (409).")
    @ApiResponse(
            responseCode = "200",
            description = "The continuation has ended",
            content = @Content(schema = @Schema(implementation = EvaluationView.class)))
    @ApiResponse(
            responseCode = "202",
            description = "The continuation is stored and goes on; Location names it",
            content = @Content(schema = @Schema(implementation = EvaluationView.class)))
    HttpResponse<EvaluationView> proceed(
            String id,
            HttpRequest<?> request,
            @Body
                    @RequestBody(
                            description = "A continuation, YAML or JSON",
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(type = "object"),
                                            examples = @ExampleObject(name = "shorter", value = EXAMPLE_CONTINUATION)))
                    byte[] body,
            @QueryValue("wait") @Nullable Duration wait,
            @Header(IdempotencyKey.HEADER) @Nullable String idempotencyKey) {
        Duration patience = EvaluationWait.patience(wait);
        SubmissionOrigin origin = requester.origin(request, idempotencyKey);
        StoredEvaluation evaluation =
                BodyPlace.whileReading(request, () -> submitter.proceed(id, reader.document(request, body), origin));
        return answers.submitted(reads, PATH, evaluation.id(), patience, request);
    }

    /**
     * Cancels an evaluation, or one branch of it.
     *
     * @param id id of the evaluation
     * @param body which branch; the whole evaluation when left out
     * @return the evaluation
     */
    @Post(value = "/{id}/cancel", consumes = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Cancel an evaluation or one of its branches",
            operationId = "cancelEvaluation",
            description = "Takes {branch: id}, or nothing for the whole evaluation. Workers stop its calls within 2 s;"
                    + " the usage until then is kept. A cancelled evaluation selects among the branches that"
                    + " had completed unless its onCancel is discard; when one branch is cancelled the others go"
                    + " on.")
    EvaluationView cancel(
            String id,
            @Body
                    @Nullable
                    @RequestBody(
                            description = "The branch",
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(type = "object"),
                                            examples =
                                                    @ExampleObject(name = "branch", value = "{\"branch\": \"opus\"}")))
                    String body,
            HttpRequest<?> request) {
        String branch = CancelRequest.branch(reader.optional(body));
        return branch == null
                ? answers.cancelled(reads, id, request)
                : answers.view(reads, cancel.branch(id, branch), request);
    }

    /**
     * Streams the events of an evaluation.
     *
     * @param id id of the evaluation
     * @param lastEventId id of the last event that the client has; from the first one when left out
     * @return the events
     */
    @Get(value = "/{id}/events", produces = MediaType.TEXT_EVENT_STREAM)
    @Operation(
            summary = "Watch an evaluation",
            operationId = "watchEvaluation",
            description =
                    "Server-sent events from ParallelLoopStart to ParallelLoopEnd, numbered in the evaluation, each"
                            + " with the loop that it belongs to. A client that sends Last-Event-ID gets those that"
                            + " followed.")
    @ApiResponse(
            responseCode = "200",
            description = "The events",
            content = @Content(mediaType = MediaType.TEXT_EVENT_STREAM, schema = @Schema(type = "string")))
    Publisher<Event<String>> events(
            String id, @Header("Last-Event-ID") @Nullable String lastEventId, HttpRequest<?> request) {
        reads.required(id);
        return places.take(request, events.of(id, lastEventId));
    }
}
