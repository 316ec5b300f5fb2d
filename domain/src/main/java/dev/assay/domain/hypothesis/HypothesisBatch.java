package dev.assay.domain.hypothesis;

import dev.assay.domain.replay.RequestKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hypotheses that are scored in one call.
 *
 * @param hypotheses in input order, at least one
 * @param shown their ids in the order in which the model sees them
 */
public record HypothesisBatch(List<Hypothesis> hypotheses, List<String> shown) {

    public HypothesisBatch {
        hypotheses = List.copyOf(hypotheses);
        shown = List.copyOf(shown);
    }

    /**
     * Cuts {@code hypotheses} as {@code plan} says.
     *
     * @param shuffleSeed orders each batch by the SHA-256 of {@code seed:batchIndex:id}; null: shown in input order
     */
    public static List<HypothesisBatch> cut(BatchPlan plan, List<Hypothesis> hypotheses, @Nullable Long shuffleSeed) {
        List<HypothesisBatch> batches = new ArrayList<>();
        for (List<Integer> places : plan.batches(hypotheses.size())) {
            List<Hypothesis> batch = places.stream().map(hypotheses::get).toList();
            String salt = shuffleSeed == null ? null : shuffleSeed + ":" + batches.size() + ":";
            Stream<String> ids = batch.stream().map(Hypothesis::id);
            List<String> shown = (salt == null
                            ? ids
                            : ids.sorted(Comparator.comparing(id -> RequestKey.sha256(salt + id))))
                    .toList();
            batches.add(new HypothesisBatch(batch, shown));
        }
        return batches;
    }

    /** The ids in input order. */
    public List<String> ids() {
        return hypotheses.stream().map(Hypothesis::id).toList();
    }

    /** The first prompt to the model. */
    public String prompt(Rubric rubric) {
        return ChallengePrompt.ask(rubric, ordered(shown));
    }

    /** The prompt after {@code reply} left hypotheses without usable scores. */
    public String repair(Rubric rubric, ChallengeReply reply) {
        Set<String> invalid = Set.copyOf(reply.invalid());
        return ChallengePrompt.repair(
                rubric, ordered(shown.stream().filter(invalid::contains).toList()), reply.readings());
    }

    private List<Hypothesis> ordered(List<String> ids) {
        Map<String, Hypothesis> byId =
                hypotheses.stream().collect(Collectors.toMap(Hypothesis::id, hypothesis -> hypothesis));
        return ids.stream().map(id -> Objects.requireNonNull(byId.get(id))).toList();
    }
}
