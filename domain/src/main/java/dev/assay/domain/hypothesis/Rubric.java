package dev.assay.domain.hypothesis;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which hypotheses are scored. All numbers are decimals, and nothing is rounded before the rule is applied.
 *
 * @param dimensions what is scored, at least one; their weights sum to 1
 * @param minDimension a score below it fails the hypothesis
 * @param borderline a composite below it fails the hypothesis
 * @param pass a composite from here on passes, unless a score is too low
 * @param tieBreak dimensions that rank hypotheses of equal composite, the first one first
 */
public record Rubric(
        List<Dimension> dimensions,
        Scale scale,
        BigDecimal minDimension,
        BigDecimal borderline,
        BigDecimal pass,
        List<String> tieBreak) {

    /** The rubric of ADR-006. */
    public static final Rubric DEFAULT = new Rubric(
            List.of(
                    new Dimension(
                            "specificity",
                            new BigDecimal("0.25"),
                            "How precise and testable the hypothesis is.",
                            List.of(
                                    new Anchor(BigDecimal.ONE, "Vague; nothing would refute it."),
                                    new Anchor(BigDecimal.valueOf(3), "Names what is claimed; a test needs work."),
                                    new Anchor(BigDecimal.valueOf(5), "States conditions and outcome to be tested."))),
                    new Dimension(
                            "novelty",
                            new BigDecimal("0.20"),
                            "How far the hypothesis goes beyond what is known.",
                            List.of(
                                    new Anchor(BigDecimal.ONE, "Known, or follows from what is known."),
                                    new Anchor(BigDecimal.valueOf(3), "A new combination of known ideas."),
                                    new Anchor(BigDecimal.valueOf(5), "A new idea that nobody would expect."))),
                    new Dimension(
                            "connectionValidity",
                            new BigDecimal("0.25"),
                            "How sound the connection is that the hypothesis draws.",
                            List.of(
                                    new Anchor(BigDecimal.ONE, "The connection does not hold."),
                                    new Anchor(BigDecimal.valueOf(3), "Plausible, with steps missing."),
                                    new Anchor(BigDecimal.valueOf(5), "Each step follows from the one before."))),
                    new Dimension(
                            "feasibility",
                            new BigDecimal("0.15"),
                            "How well the hypothesis can be tested with means that exist.",
                            List.of(
                                    new Anchor(BigDecimal.ONE, "It cannot be tested."),
                                    new Anchor(BigDecimal.valueOf(3), "It can be tested with much effort."),
                                    new Anchor(BigDecimal.valueOf(5), "It can be tested now."))),
                    new Dimension(
                            "grounding",
                            new BigDecimal("0.15"),
                            "How well evidence and sources support the hypothesis.",
                            List.of(
                                    new Anchor(BigDecimal.ONE, "No evidence."),
                                    new Anchor(BigDecimal.valueOf(3), "Some evidence, part of it indirect."),
                                    new Anchor(BigDecimal.valueOf(5), "Strong evidence, with sources.")))),
            new Scale(BigDecimal.ONE, BigDecimal.valueOf(5)),
            BigDecimal.valueOf(2),
            new BigDecimal("3.0"),
            new BigDecimal("3.5"),
            List.of("connectionValidity", "specificity"));

    public Rubric {
        dimensions = List.copyOf(dimensions);
        tieBreak = List.copyOf(tieBreak);
    }

    /**
     * One dimension of a rubric.
     *
     * @param name names its score in replies and results
     * @param weight its part of the composite, above 0
     * @param description what it means; null: its name says it
     */
    public record Dimension(
            String name, BigDecimal weight, @Nullable String description, List<Anchor> anchors) {

        public Dimension {
            anchors = List.copyOf(anchors);
        }
    }

    /** The meaning of one score. */
    public record Anchor(BigDecimal score, String text) {}

    /** The least and the greatest score, both allowed. */
    public record Scale(BigDecimal min, BigDecimal max) {

        /** Whether {@code score} is one. */
        public boolean holds(BigDecimal score) {
            return score.compareTo(min) >= 0 && score.compareTo(max) <= 0;
        }
    }

    /** The weighted sum. */
    public BigDecimal composite(Map<String, BigDecimal> scores) {
        return dimensions.stream()
                .map(dimension -> dimension.weight().multiply(Objects.requireNonNull(scores.get(dimension.name()))))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** The verdict on scores. */
    public HypothesisVerdict verdict(Map<String, BigDecimal> scores) {
        BigDecimal composite = composite(scores);
        boolean tooLow = dimensions.stream()
                .map(dimension -> Objects.requireNonNull(scores.get(dimension.name())))
                .anyMatch(score -> score.compareTo(minDimension) < 0);
        if (tooLow || composite.compareTo(borderline) < 0) {
            return HypothesisVerdict.FAIL;
        }
        return composite.compareTo(pass) < 0 ? HypothesisVerdict.BORDERLINE : HypothesisVerdict.PASS;
    }
}
