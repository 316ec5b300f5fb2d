package dev.assay.web.comparison;

import dev.assay.domain.comparison.BranchRef;
import dev.assay.domain.comparison.Comparison;
import dev.assay.domain.comparison.ComparisonReport;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.gate.Pairing;
import dev.assay.domain.json.Json;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.text.Excerpt;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Objects;

/** The comparison of campaigns that have ended. */
@Controller("/api/v1/compare")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "compare")
final class ComparisonController {

    private static final int MOST_REDUCERS = 20;

    private final ComparisonQueries reads;

    ComparisonController(ComparisonQueries reads) {
        this.reads = reads;
    }

    /**
     * Compares two campaigns that have ended, or two branches of one.
     *
     * @param a the baseline, as CAMPAIGN or CAMPAIGN:BRANCH; a campaign with one branch needs no branch
     * @param b what is compared with it, written likewise
     * @param maxDrop the drop of the trial rate that is accepted, 0 to 1; 0.02 when left out
     * @param reducer further numbers to compare, such as pass_at_5, at_least_3 or median; may be given several times
     * @param pair what cases must have in common: content, or question, which leaves checks, threshold and metadata out; content when
     *     left out
     */
    @Get(produces = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Compare two campaigns, or two branches of one",
            operationId = "compare",
            description = "Pairs the cases that both have with the same prompts, context, checks and metadata. Answers"
                + " the differences of their definitions, and the metrics trial-rate, cases-passed, each reducer,"
                + " tokens, cost and latency. Also answers the cases that flipped, and whether the trial rate drops by"
                + " more than maxDrop. With pair=question also answers the evaluators of both: where they differ, the"
                + " comparison is of judges, not of branches.")
    @ApiResponse(
            responseCode = "200",
            description = "The comparison",
            content = @Content(schema = @Schema(implementation = ComparisonReport.class)))
    byte[] compare(
            @QueryValue String a,
            @QueryValue String b,
            @QueryValue @Nullable Double maxDrop,
            @QueryValue @Nullable List<String> reducer,
            @QueryValue @Nullable String pair) {
        double drop = maxDrop == null ? Comparison.DEFAULT_MAX_DROP : maxDrop;
        if (!(drop >= 0 && drop <= 1)) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, "maxDrop must be a number from 0 to 1, but is " + maxDrop);
        }
        List<Reducer> reducers = reducers(Objects.requireNonNullElse(reducer, List.of()));
        return Json.bytes(reads.compare(BranchRef.parse(a), BranchRef.parse(b), reducers, drop, pairing(pair)));
    }

    private static Pairing pairing(@Nullable String word) {
        Pairing pairing = word == null ? Pairing.CONTENT : Pairing.BY_WORD.get(word);
        if (pairing == null) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "pair must be content or question, but is `" + Excerpt.of(String.valueOf(word)) + "`");
        }
        return pairing;
    }

    private static List<Reducer> reducers(List<String> names) {
        if (names.size() > MOST_REDUCERS) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, "At most " + MOST_REDUCERS + " reducers can be compared at once");
        }
        return names.stream().distinct().map(ComparisonController::reducer).toList();
    }

    private static Reducer reducer(String name) {
        Reducer known = Reducer.named(name);
        if (known == null) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "There is no reducer `" + Excerpt.of(name) + "`: write pass_at_K, pass_k_K, at_least_K,"
                            + " at_least_J_of_K, mean, median, mode, max or min");
        }
        return known;
    }
}
