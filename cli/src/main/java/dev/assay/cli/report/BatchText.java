package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.rendering.Numbers;
import java.util.List;

/** Batches of providers as a table, and one as lines. */
public final class BatchText {

    private static final List<String> COLUMNS =
            List.of("Batch", "Campaign", "Provider", "Model", "State", "Lines", "Out", "Answered", "Expires");

    private BatchText() {}

    /** The table of batches, or a sentence that there is none. */
    public static String table(List<JsonNode> batches) {
        if (batches.isEmpty()) {
            return "There is no batch.\n";
        }
        TextTable table = new TextTable(COLUMNS);
        for (JsonNode batch : batches) {
            table.row(List.of(
                    batch.path("id").asText(),
                    batch.path("campaign").asText(),
                    batch.path("provider").asText(),
                    batch.path("model").asText(),
                    batch.path("state").asText(),
                    Numbers.count(batch.path("lines").asLong()),
                    Numbers.count(batch.path("out").asLong()),
                    Numbers.count(batch.path("answered").asLong()),
                    said(batch, "expiresAt")));
        }
        return table.text();
    }

    /** A batch, one fact a line. */
    public static String of(JsonNode batch) {
        StringBuilder text = new StringBuilder();
        text.append("Batch ")
                .append(batch.path("id").asText())
                .append(": ")
                .append(batch.path("state").asText());
        text.append("\nCampaign: ").append(batch.path("campaign").asText());
        text.append("\nAsks: ")
                .append(batch.path("provider").asText())
                .append(" ")
                .append(batch.path("model").asText())
                .append(", as ")
                .append(said(batch, "providerId"));
        text.append("\nLines: ")
                .append(Numbers.count(batch.path("lines").asLong()))
                .append(", ")
                .append(Numbers.count(batch.path("out").asLong()))
                .append(" out, ")
                .append(Numbers.count(batch.path("answered").asLong()))
                .append(" answered, ")
                .append(Numbers.count(batch.path("failed").asLong()))
                .append(" failed, ")
                .append(Numbers.count(batch.path("expired").asLong()))
                .append(" expired, ")
                .append(Numbers.count(batch.path("canceled").asLong()))
                .append(" cancelled, ")
                .append(Numbers.count(batch.path("missing").asLong()))
                .append(" missing");
        text.append("\nCost: ")
                .append(said(batch, "costUsd"))
                .append(" USD, at most ")
                .append(said(batch, "reservedUsd"));
        text.append("\nSubmitted: ")
                .append(said(batch, "submittedAt"))
                .append(", expires: ")
                .append(said(batch, "expiresAt"))
                .append(", looked at next: ")
                .append(said(batch, "nextPollAt"))
                .append('\n');
        if (batch.hasNonNull("error")) {
            text.append("Trouble: ")
                    .append(batch.path("error").path("message").asText())
                    .append('\n');
        }
        return text.toString();
    }

    private static String said(JsonNode batch, String field) {
        return batch.hasNonNull(field) ? batch.path(field).asText() : Numbers.UNKNOWN;
    }
}
