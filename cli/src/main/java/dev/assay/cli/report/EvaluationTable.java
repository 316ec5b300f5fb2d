package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.rendering.Numbers;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The branches of an evaluation that has ended, side by side, and the warnings of the evaluation and of their loops. */
public final class EvaluationTable {

    private EvaluationTable() {}

    /**
     * The table.
     *
     * @param evaluation as the API shows it
     */
    public static String of(JsonNode evaluation) {
        StringBuilder warnings = new StringBuilder();
        for (JsonNode warning : evaluation.path("warnings")) {
            warnings.append("Warning: %s: %s%n"
                    .formatted(
                            warning.path("code").asText(),
                            warning.path("message").asText()));
        }
        TextTable table = new TextTable(List.of("", "Branch", "Status", "Tokens", "Cost", "Time", "Error"));
        for (JsonNode outcome : evaluation.path("outcomes")) {
            table.row(List.of(
                    outcome.path("selected").asBoolean() ? "→" : "",
                    outcome.path("branchId").asText(),
                    outcome.path("status").asText(),
                    tokens(outcome.at("/usage/total")),
                    Numbers.cost(decimal(outcome.path("costUsd"))),
                    Numbers.millis(outcome.path("latencyMs").asLong()),
                    outcome.path("error").path("message").asText("")));
            for (JsonNode warning : outcome.path("warnings")) {
                warnings.append(
                        "Warning (%s): %s%n".formatted(outcome.path("branchId").asText(), warning.asText()));
            }
        }
        return table.text() + warnings;
    }

    private static String tokens(JsonNode total) {
        return total.isNumber() ? Numbers.count(total.longValue()) : Numbers.UNKNOWN;
    }

    private static @Nullable BigDecimal decimal(JsonNode number) {
        return number.isNumber() ? number.decimalValue() : null;
    }
}
