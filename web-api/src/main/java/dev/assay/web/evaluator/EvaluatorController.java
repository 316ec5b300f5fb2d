package dev.assay.web.evaluator;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.text.Excerpt;
import dev.assay.store.evaluator.EvaluatorRepository;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.regex.Pattern;

/** What decided on answers. */
@Controller("/api/v1/evaluators/{hash}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "results")
final class EvaluatorController {

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    private final EvaluatorRepository evaluators;

    EvaluatorController(EvaluatorRepository evaluators) {
        this.evaluators = evaluators;
    }

    /**
     * Gets an evaluator.
     *
     * @param hash as the results of checks and judge calls name it
     * @return its definition
     */
    @Get
    @Operation(
            summary = "Get what gave a verdict: the check, grader or judge with this hash",
            operationId = "getEvaluator",
            description = "The hash is the SHA-256 of the definition as canonical JSON. An evaluator stays when the"
                    + " campaigns that used it are deleted.")
    EvaluatorView get(String hash) {
        if (!HASH.matcher(hash).matches()) {
            throw missing(hash);
        }
        return evaluators.find(hash).map(EvaluatorView::of).orElseThrow(() -> missing(hash));
    }

    private static AssayException missing(String hash) {
        return new AssayException(ErrorCode.NOT_FOUND, "There is no evaluator " + Excerpt.of(hash));
    }
}
