package dev.assay.web.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.store.evaluator.StoredEvaluator;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/**
 * What decides on answers.
 *
 * @param evaluator its hash, as results and judge calls name it
 * @param kind check, grader or judge
 * @param definition all that may change what it says of an answer
 * @param firstSeenAt when a worker first used it
 */
@Schema(name = "Evaluator")
record EvaluatorView(
        String evaluator,
        String kind,
        @Schema(implementation = Object.class) JsonNode definition,
        Instant firstSeenAt) {

    static EvaluatorView of(StoredEvaluator stored) {
        return new EvaluatorView(
                stored.evaluator().hash(),
                stored.evaluator().kind(),
                Json.tree(stored.evaluator().definition()),
                stored.firstSeenAt());
    }
}
