package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.rendering.Numbers;
import java.util.ArrayList;
import java.util.List;

/** Batches of providers as a table, and one as lines. */
public final class BatchText {

    private static final List<String> COLUMNS = List.of(
            "Batch",
            "Campaign",
            "Asks",
            "State",
            "Lines",
            "Out",
            "Answered",
            "Failed",
            "Expired",
            "Missing",
            "Cost",
            "Expires");

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
                    asked(batch),
                    batch.path("state").asText(),
                    count(batch, "lines"),
                    count(batch, "out"),
                    count(batch, "answered"),
                    count(batch, "failed"),
                    Numbers.count(batch.path("expired").asLong()
                            + batch.path("canceled").asLong()),
                    count(batch, "missing"),
                    cost(batch, "costUsd"),
                    said(batch, "expiresAt")));
        }
        return table.text();
    }

    /** A batch, one fact a line. */
    public static String of(JsonNode batch) {
        List<String> lines = new ArrayList<>();
        lines.add("Batch " + batch.path("id").asText() + ": "
                + batch.path("state").asText());
        lines.add("Campaign: " + batch.path("campaign").asText() + ", cells of kind "
                + batch.path("kind").asText());
        lines.add("Asks: " + asked(batch) + ", which calls it " + said(batch, "providerId"));
        lines.add("Lines: " + count(batch, "lines") + ", " + count(batch, "out") + " out, " + count(batch, "answered")
                + " answered, " + count(batch, "failed") + " failed, " + count(batch, "expired") + " expired, "
                + count(batch, "canceled") + " cancelled, " + count(batch, "missing") + " missing"
                + duplicates(batch));
        lines.add("Cost: " + cost(batch, "costUsd") + " of at most " + cost(batch, "reservedUsd"));
        lines.add("Made: " + said(batch, "createdAt") + ", submitted: " + said(batch, "submittedAt") + ", expires: "
                + said(batch, "expiresAt") + ", looked at next: " + said(batch, "nextPollAt"));
        JsonNode error = batch.path("error");
        if (error.isObject()) {
            lines.add("Trouble: " + error.path("message").asText()
                    + (error.hasNonNull("code") ? " (" + error.path("code").asText() + ")" : ""));
        }
        return String.join("\n", lines) + "\n";
    }

    private static String asked(JsonNode batch) {
        return batch.path("provider").asText() + " " + batch.path("model").asText();
    }

    private static String duplicates(JsonNode batch) {
        return batch.path("duplicates").asLong() == 0 ? "" : "; " + count(batch, "duplicates") + " came twice";
    }

    private static String count(JsonNode batch, String field) {
        return Numbers.count(batch.path(field).asLong());
    }

    private static String cost(JsonNode batch, String field) {
        return Numbers.cost(batch.hasNonNull(field) ? batch.path(field).decimalValue() : null);
    }

    private static String said(JsonNode batch, String field) {
        return batch.hasNonNull(field) ? batch.path(field).asText() : Numbers.UNKNOWN;
    }
}
