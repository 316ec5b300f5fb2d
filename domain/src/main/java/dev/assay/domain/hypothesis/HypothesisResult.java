package dev.assay.domain.hypothesis;

import dev.assay.domain.hypothesis.Reading.Evaluated;
import dev.assay.domain.hypothesis.ScoredHypothesis.ModelOpinion;
import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The result of an evaluation's batches, in any order of their ends. Each hypothesis stands in exactly one of the three
 * lists.
 *
 * @param scored those that pass or are borderline, best first
 * @param rejected those that fail, best first
 * @param unscored the others, in input order
 * @param errors the batches that failed, in order
 * @param warnings what users should know, as sentences
 */
public record HypothesisResult(
        List<ScoredHypothesis> scored,
        List<ScoredHypothesis> rejected,
        List<Unscored> unscored,
        List<BatchError> errors,
        List<String> warnings,
        HypothesisSummary summary) {

    public HypothesisResult {
        scored = List.copyOf(scored);
        rejected = List.copyOf(rejected);
        unscored = List.copyOf(unscored);
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
    }

    /** Stands where a batch has not ended yet. */
    public static final String PENDING = "PENDING: The batch has not ended yet.";

    /** A hypothesis without a score. */
    public record Unscored(String id, int batchIndex, String error) {}

    /** A batch that failed. */
    public record BatchError(int batchIndex, List<String> hypothesisIds, String error) {

        public BatchError {
            hypothesisIds = List.copyOf(hypothesisIds);
        }
    }

    /**
     * Merges the results of the batches.
     *
     * @param batches the ids of each batch, all in input order
     * @param ends of the batches that have ended, in any order
     */
    public static HypothesisResult of(Rubric rubric, List<List<String>> batches, List<BatchEnd> ends) {
        Map<Integer, BatchEnd> byIndex = new LinkedHashMap<>();
        ends.forEach(end -> byIndex.put(end.batchIndex(), end));
        Merging merging = new Merging(rubric);
        for (int i = 0; i < batches.size(); i++) {
            merging.add(i, batches.get(i), byIndex.get(i));
        }
        return merging.result();
    }

    /** Share of the batches that failed; 0 for none. */
    public double partialFailureRate(int batches) {
        return batches == 0 ? 0 : (double) errors.size() / batches;
    }

    /** Why there is no result; null: there is one, or batches have not ended. */
    public @Nullable String error(int batches) {
        return errors.isEmpty() || errors.size() < batches
                ? null
                : "All hypothesis evaluation batches failed; the first one: "
                        + errors.getFirst().error();
    }

    /** Whether nothing was scored. */
    public boolean isFailure() {
        return summary.scored() == 0;
    }

    /** The batches of one evaluation, added in order. */
    private static final class Merging {

        private static final int SHOWN_IDS = 10;

        private final Rubric rubric;
        private final List<ScoredHypothesis> all = new ArrayList<>();
        private final List<Unscored> unscored = new ArrayList<>();
        private final List<BatchError> errors = new ArrayList<>();
        private final List<String> warnings = new ArrayList<>();

        Merging(Rubric rubric) {
            this.rubric = rubric;
        }

        void add(int batchIndex, List<String> ids, @Nullable BatchEnd end) {
            if (end == null) {
                ids.forEach(id -> unscored.add(new Unscored(id, batchIndex, PENDING)));
                return;
            }
            int before = unscored.size();
            for (String id : ids) {
                Reading reading = end.reply().readings().get(id);
                if (reading instanceof Evaluated evaluated) {
                    all.add(scored(id, batchIndex, evaluated));
                } else {
                    unscored.add(new Unscored(id, batchIndex, end.error(reading)));
                }
            }
            warn(batchIndex, ids, end, unscored.subList(before, unscored.size()));
        }

        private void warn(int batchIndex, List<String> ids, BatchEnd end, List<Unscored> missing) {
            String batch = "Batch " + (batchIndex + 1);
            if (!end.isUsable()) {
                errors.add(new BatchError(batchIndex, ids, end.error()));
                warnings.add(batch + " (" + String.join(", ", ids) + ") failed: " + end.error());
            } else if (!missing.isEmpty()) {
                String which =
                        String.join(", ", missing.stream().map(Unscored::id).toList());
                warnings.add(batch + " left " + which + " unscored: "
                        + missing.getFirst().error());
            }
            if (!end.reply().unknownIds().isEmpty()) {
                warnings.add(batch + " was answered with ids that were not asked about, which do not count: "
                        + end.reply().unknownIds().stream().limit(SHOWN_IDS).collect(Collectors.joining(", ")));
            }
        }

        private ScoredHypothesis scored(String id, int batchIndex, Evaluated evaluated) {
            HypothesisVerdict verdict = rubric.verdict(evaluated.scores());
            HypothesisVerdict opinion = evaluated.modelVerdict();
            return new ScoredHypothesis(
                    id,
                    0,
                    evaluated.scores(),
                    JsonNumbers.plain(rubric.composite(evaluated.scores())),
                    verdict,
                    new ModelOpinion(opinion, opinion != null && opinion != verdict),
                    evaluated.reasons(),
                    batchIndex);
        }

        HypothesisResult result() {
            return new HypothesisResult(
                    ranked(all.stream().filter(one -> !one.isRejected()).toList()),
                    ranked(all.stream().filter(ScoredHypothesis::isRejected).toList()),
                    unscored,
                    errors,
                    warnings,
                    HypothesisSummary.of(all, unscored.size()));
        }

        /** By composite, then by the dimensions that break ties; equals keep the order of the input. */
        private List<ScoredHypothesis> ranked(List<ScoredHypothesis> inInputOrder) {
            Comparator<ScoredHypothesis> order =
                    Comparator.comparing(ScoredHypothesis::composite, Comparator.reverseOrder());
            for (String dimension : rubric.tieBreak()) {
                order = order.thenComparing(one -> score(one, dimension), Comparator.reverseOrder());
            }
            List<ScoredHypothesis> sorted = inInputOrder.stream().sorted(order).toList();
            return IntStream.range(0, sorted.size())
                    .mapToObj(i -> sorted.get(i).ranked(i + 1))
                    .toList();
        }

        private static BigDecimal score(ScoredHypothesis one, String dimension) {
            return Objects.requireNonNull(one.scores().get(dimension));
        }
    }
}
