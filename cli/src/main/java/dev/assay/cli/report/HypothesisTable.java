package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.hypothesis.ModeComparison;
import dev.assay.domain.rendering.Numbers;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A hypothesis evaluation that has ended, for people: as text, and as Markdown. */
public final class HypothesisTable {

    private static final List<String> HEADINGS =
            List.of("Hypothesis", "Rank", "Composite", "Verdict", "Model", "Batch");

    private HypothesisTable() {}

    /**
     * The text for a terminal.
     *
     * @param evaluation as the API shows it
     */
    public static String text(JsonNode evaluation) {
        TextTable table = new TextTable(HEADINGS);
        rows(evaluation).forEach(table::row);
        return table.text() + "\n" + summary(evaluation) + "\n";
    }

    /**
     * A report.
     *
     * @param evaluation as the API shows it
     */
    public static String markdown(JsonNode evaluation) {
        StringBuilder text = new StringBuilder("# Hypotheses\n\n")
                .append(summary(evaluation))
                .append("\n\n");
        markdown(text, HEADINGS);
        markdown(text, HEADINGS.stream().map(heading -> "---").toList());
        rows(evaluation).forEach(row -> markdown(text, row));
        evaluation
                .path("warnings")
                .forEach(warning -> text.append("\n- Warning: ").append(inline(warning.asText())));
        reasons(evaluation, text);
        return text.append('\n').toString();
    }

    private static void reasons(JsonNode evaluation, StringBuilder text) {
        for (String list : List.of("scoredHypotheses", "rejected")) {
            for (JsonNode one : evaluation.path(list)) {
                text.append("\n\n## ").append(inline(one.path("id").asText())).append("\n\n");
                String scores = one.path("scores").properties().stream()
                        .map(score -> score.getKey() + " " + score.getValue().asText())
                        .collect(Collectors.joining(", "));
                text.append(inline(scores)).append('\n');
                one.path("reasons").forEach(reason -> text.append("\n- ").append(inline(reason.asText())));
            }
        }
    }

    private static void markdown(StringBuilder text, List<String> cells) {
        text.append(cells.stream().map(HypothesisTable::inline).collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    /** On one line, and no column, tag or link of its own. */
    private static String inline(String text) {
        return text.replaceAll("\\s+", " ").replaceAll("([\\\\|<>\\[\\]`*_])", "\\\\$1");
    }

    private static List<List<String>> rows(JsonNode evaluation) {
        List<List<String>> rows = new ArrayList<>();
        for (String list : List.of("scoredHypotheses", "rejected")) {
            for (JsonNode one : evaluation.path(list)) {
                rows.add(List.of(
                        one.path("id").asText(),
                        one.path("rank").asText(),
                        one.path("composite").decimalValue().toPlainString(),
                        one.path("verdict").asText(),
                        one.path("modelVerdict").asText("").replace("null", "")
                                + (one.path("disagreement").asBoolean() ? " ≠" : ""),
                        batch(one)));
            }
        }
        for (JsonNode one : evaluation.path("unscored")) {
            rows.add(List.of(one.path("id").asText(), "", "", "unscored", "", batch(one)));
        }
        return rows;
    }

    private static String batch(JsonNode one) {
        return Long.toString(one.path("batchIndex").asLong() + 1);
    }

    private static String summary(JsonNode evaluation) {
        JsonNode summary = evaluation.path("summary");
        JsonNode metrics = evaluation.path("metrics");
        JsonNode mean = summary.path("meanComposite");
        String error =
                evaluation.path("error").isTextual() ? evaluation.path("error").asText() + "\n\n" : "";
        return error
                + "%d of %d scored: %d pass, %d borderline, %d fail; mean composite %s. %s, %s of %s batches failed, %s, %s."
                        .formatted(
                                summary.path("scored").asInt(),
                                summary.path("total").asInt(),
                                summary.path("passed").asInt(),
                                summary.path("borderline").asInt(),
                                summary.path("failed").asInt(),
                                mean.isNumber() ? mean.decimalValue().toPlainString() : Numbers.UNKNOWN,
                                Numbers.count(metrics.path("calls").asLong(), "call"),
                                metrics.path("failedBatches").asText(),
                                metrics.path("batches").asText(),
                                Numbers.millis(wallMs(metrics)),
                                Numbers.cost(cost(evaluation)));
    }

    private static @Nullable Long wallMs(JsonNode metrics) {
        return metrics.path("wallMs").isNumber() ? metrics.path("wallMs").longValue() : null;
    }

    private static @Nullable BigDecimal cost(JsonNode evaluation) {
        return evaluation.path("costUsd").isNumber()
                ? evaluation.path("costUsd").decimalValue()
                : null;
    }

    /**
     * Modes side by side.
     *
     * @param evaluations of the same hypotheses, by mode
     */
    public static String modes(Map<String, JsonNode> evaluations, List<ModeComparison> comparisons) {
        TextTable modes = new TextTable(List.of("Mode", "Time", "Calls", "Cost", "Failed batches", "Scored"));
        evaluations.forEach((mode, evaluation) -> {
            JsonNode metrics = evaluation.path("metrics");
            Function<String, String> count = field -> metrics.path(field).asText();
            modes.row(List.of(
                    mode,
                    Numbers.millis(wallMs(metrics)),
                    count.apply("calls"),
                    Numbers.cost(cost(evaluation)),
                    count.apply("failedBatches") + " of " + count.apply("batches"),
                    evaluation.at("/summary/scored").asText() + " of "
                            + evaluation.at("/summary/total").asText()));
        });
        TextTable pairs = new TextTable(List.of("Modes", "Mean |difference|", "Equal verdicts"));
        comparisons.forEach(one -> pairs.row(List.of(
                one.first() + ", " + one.second(),
                one.meanAbsoluteDifference() == null
                        ? Numbers.UNKNOWN
                        : one.meanAbsoluteDifference().toPlainString() + " (of " + one.compared() + ")",
                one.equalVerdicts() + " of " + one.compared())));
        return modes.text() + "\n" + pairs.text();
    }
}
