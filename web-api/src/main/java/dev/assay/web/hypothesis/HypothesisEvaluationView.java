package dev.assay.web.hypothesis;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.hypothesis.HypothesisResult.BatchError;
import dev.assay.domain.hypothesis.HypothesisResult.Unscored;
import dev.assay.domain.hypothesis.HypothesisSummary;
import dev.assay.domain.hypothesis.HypothesisVerdict;
import dev.assay.domain.hypothesis.ScoredHypothesis;
import dev.assay.domain.usage.Usage;
import dev.assay.web.evaluation.EvaluationView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hypothesis evaluation and its result. Each hypothesis stands in exactly one of the three lists.
 *
 * @param state how far it is; FAILED also when nothing was scored
 * @param error why there is no result, when all batches failed; null: there is one, or it goes on
 * @param plan which hypotheses are scored in one call
 * @param scoredHypotheses those that pass or are borderline, best first
 * @param rejected those that fail, best first
 * @param unscored the others, in input order
 * @param errors the batches that failed, in order
 * @param warnings what users should know, as sentences
 * @param summary counts and mean
 * @param metrics what the calls took
 * @param usage tokens of all replies, as far as they are known
 * @param unknownUsage batches whose input, output or total was not reported, and so is not in {@code usage} in full
 * @param costUsd cost of all replies whose price is known, in US dollars; null where none is
 * @param progress how many batches are answered; null when it has ended
 * @param createdAt when it was submitted
 * @param createdBy a token's name; local: a user of the server's machine; command: a command that brought its own server; null:
 *     not known
 * @param finishedAt when it ended; null while it goes on
 */
@Schema(name = "HypothesisEvaluation")
public record HypothesisEvaluationView(
        String id,
        CampaignState state,
        @Nullable String error,
        Plan plan,
        List<Scored> scoredHypotheses,
        List<Scored> rejected,
        List<Unscored> unscored,
        List<BatchError> errors,
        List<String> warnings,
        HypothesisSummary summary,
        Metrics metrics,
        Usage usage,
        long unknownUsage,
        @Nullable BigDecimal costUsd,
        EvaluationView.@Nullable Progress progress,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant finishedAt) {

    public HypothesisEvaluationView {
        scoredHypotheses = List.copyOf(scoredHypotheses);
        rejected = List.copyOf(rejected);
        unscored = List.copyOf(unscored);
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
    }

    /**
     * The cut of hypotheses into calls.
     *
     * @param mode single, batched or individual
     * @param batchSize hypotheses of one call, at most
     * @param maxConcurrent calls at once, at most
     * @param batches the ids of each batch in input order
     * @param shuffleSeed by which each batch was shuffled; null: none was
     * @param shown the ids of each batch in the order in which the model saw them
     */
    @Schema(name = "HypothesisPlan")
    public record Plan(
            String mode,

            int batchSize,
            int maxConcurrent,
            List<List<String>> batches,
            @Nullable Long shuffleSeed,
            List<List<String>> shown) {

        public Plan {
            batches = List.copyOf(batches);
            shown = List.copyOf(shown);
        }
    }

    /**
     * A hypothesis with its scores.
     *
     * @param rank its place in its list, from 1
     * @param scores one for each dimension
     * @param composite their weighted sum, not rounded
     * @param verdict by the rubric: pass, borderline or fail
     * @param modelVerdict what the model thinks, in the same words; null: it says nothing
     * @param disagreement whether the model says something else than the rubric
     * @param reasons why, in the model's words
     * @param batchIndex the batch in which it was scored, from 0
     */
    @Schema(name = "ScoredHypothesis")
    public record Scored(
            String id,
            int rank,
            Map<String, BigDecimal> scores,
            BigDecimal composite,
            String verdict,
            @Nullable String modelVerdict,
            boolean disagreement,
            List<String> reasons,
            int batchIndex) {

        static Scored of(ScoredHypothesis one) {
            return new Scored(
                    one.id(),
                    one.rank(),
                    one.scores(),
                    one.composite(),
                    one.verdict().word(),
                    word(one.model().verdict()),
                    one.model().disagrees(),
                    one.reasons(),
                    one.batchIndex());
        }

        private static @Nullable String word(@Nullable HypothesisVerdict verdict) {
            return verdict == null ? null : verdict.word();
        }
    }

    /**
     * The usage of the calls.
     *
     * @param wallMs milliseconds from the start to the end; null while it goes on
     * @param calls all requests
     * @param repairs batches that were asked again after an unusable reply
     * @param batches all batches
     * @param failedBatches those without a usable answer
     * @param partialFailureRate their share of all batches
     */
    @Schema(name = "HypothesisMetrics")
    public record Metrics(
            @Nullable Long wallMs,
            long calls,
            long repairs,
            int batches,
            int failedBatches,
            double partialFailureRate) {}
}
