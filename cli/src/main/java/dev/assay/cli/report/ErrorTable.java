package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.rendering.Numbers;
import dev.assay.domain.text.Excerpt;
import java.util.List;

/** The errors with which cells ended, by code with the newest words, and how to run these cells again. */
public final class ErrorTable {

    private static final int WORDS = 120;

    private ErrorTable() {}

    /**
     * The table; empty where no cell ended with an error.
     *
     * @param errors rows of the API
     */
    public static String of(String campaignId, JsonNode errors) {
        if (errors.isEmpty()) {
            return "";
        }
        TextTable table = new TextTable(List.of("Error", "Cells"));
        errors.forEach(error -> table.row(List.of(
                error.path("code").asText(), Numbers.count(error.path("cells").asLong()))));
        StringBuilder text = new StringBuilder(table.text());
        errors.forEach(error -> text.append(error.path("code").asText())
                .append(": ")
                .append(Excerpt.of(error.path("message").asText(), WORDS))
                .append('\n'));
        return text.append("Run them again with: assay rerun ")
                .append(campaignId)
                .append(" --errored\n")
                .toString();
    }
}
