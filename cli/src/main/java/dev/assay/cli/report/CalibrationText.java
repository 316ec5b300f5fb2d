package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.rendering.Numbers;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How far verdicts agree with people, for people. */
public final class CalibrationText {

    private CalibrationText() {}

    /** All that the API says, as tables and sentences. */
    public static String of(JsonNode calibration) {
        StringBuilder text = new StringBuilder();
        JsonNode labels = calibration.path("labels");
        text.append("Labels: ")
                .append(labels.path("draws").asInt())
                .append(" answers of ")
                .append(labels.path("cases").asInt())
                .append(" cases by ")
                .append(labels.path("labellers").asInt())
                .append(" people")
                .append(
                        labels.path("sample").isTextual()
                                ? ", " + labels.path("sample").asText()
                                : "")
                .append(".\n\n");
        TextTable table = new TextTable(List.of(
                "Branch", "Labelled", "Agreement", "Sensitivity", "Specificity", "Kappa", "Raw rate", "Corrected"));
        for (JsonNode branch : calibration.path("branches")) {
            JsonNode corrected = branch.path("corrected");
            table.row(List.of(
                    branch.path("branchId").asText(),
                    branch.path("labelled").asText(),
                    share(branch.path("agreement")),
                    share(branch.path("sensitivity")),
                    share(branch.path("specificity")),
                    kappa(branch.path("kappa")),
                    share(branch.path("raw")),
                    corrected.path("why").isTextual() ? corrected.path("why").asText() : share(corrected)));
        }
        text.append(table.text());
        calibration
                .path("warnings")
                .forEach(warning -> text.append(warning.asText()).append('\n'));
        return text.toString();
    }

    /** One line for each branch with labels, for reports. */
    public static String lines(JsonNode calibration) {
        StringBuilder text = new StringBuilder();
        JsonNode branches = calibration.path("branches");
        for (JsonNode branch : branches) {
            if (branch.path("labelled").asInt() > 0) {
                JsonNode corrected = branch.path("corrected");
                text.append(branches.size() > 1 ? branch.path("branchId").asText() + ": people" : "People")
                        .append(" agree with these verdicts in ")
                        .append(Numbers.percent(number(branch.path("agreement"), "value")))
                        .append(" of ")
                        .append(branch.path("labelled").asInt())
                        .append(" labelled trials (")
                        .append(interval(branch.path("agreement")))
                        .append(")")
                        .append(corrected.path("value").isNumber() ? "; corrected rate " + share(corrected) : "")
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String share(JsonNode share) {
        return share.path("value").isNumber()
                ? Numbers.percent(number(share, "value")) + " (" + interval(share) + ")"
                : "—";
    }

    private static String interval(JsonNode share) {
        return Numbers.interval(number(share, "low"), number(share, "high"));
    }

    private static String kappa(JsonNode kappa) {
        return kappa.path("value").isNumber()
                ? String.format(Locale.ROOT, "%.2f", kappa.path("value").asDouble())
                : "—";
    }

    private static @Nullable Double number(JsonNode node, String name) {
        return node.path(name).isNumber() ? (Double) node.path(name).asDouble() : null;
    }
}
