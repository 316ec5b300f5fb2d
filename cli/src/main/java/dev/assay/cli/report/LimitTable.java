package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.rendering.Numbers;
import java.util.List;

/** The limits of a provider as a table, one row each. */
public final class LimitTable {

    private LimitTable() {}

    /**
     * The table, or a sentence that there is none.
     *
     * @param limits the API's answer
     */
    public static String of(String provider, JsonNode limits) {
        if (limits.path("items").isEmpty()) {
            return "No limits are configured for " + provider + ".\n";
        }
        TextTable table =
                new TextTable(List.of("Account", "Models", "Limit", "Allowed", "Used", "Free", "Why", "Waiting"));
        for (JsonNode pool : limits.path("items")) {
            for (JsonNode limit : pool.path("limits")) {
                table.row(List.of(
                        pool.path("account").asText(),
                        pool.path("models").asText(),
                        limit.path("name").asText(),
                        Numbers.count(limit.path("limit").asLong()),
                        Numbers.count(limit.path("used").asLong()),
                        Numbers.count(limit.path("free").asLong()),
                        limit.path("why").asText(),
                        Numbers.count(pool.path("waiting").asLong())));
            }
        }
        return table.text();
    }
}
