package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.rendering.Numbers;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Providers and their limits as tables, and what changed of them as lines. */
public final class LimitTable {

    private LimitTable() {}

    /**
     * The table, or a sentence that there is none, and a line for each group of models with its calls.
     *
     * @param limits the API's answer
     */
    public static String of(String provider, JsonNode limits) {
        if (limits.path("items").isEmpty()) {
            return "No limits are configured for " + provider + ".\n";
        }
        TextTable table =
                new TextTable(List.of("Account", "Models", "Limit", "Allowed", "Used", "Free", "Why", "Waiting"));
        boolean hasLimits = false;
        // The calls are those of all accounts together, a block is of one.
        Set<String> calls = new LinkedHashSet<>();
        for (JsonNode pool : limits.path("items")) {
            hasLimits |= !pool.path("limits").isEmpty();
            calls.add(calls(pool));
            calls.add(blocked(pool));
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
        return (hasLimits ? table.text() : "") + String.join("", calls);
    }

    private static String calls(JsonNode pool) {
        JsonNode calls = pool.path("concurrent");
        return "%s: %s in flight of at most %s (%s to %s%s).\n"
                .formatted(
                        pool.path("models").asText(),
                        Numbers.count(calls.path("inFlight").asLong(), "call"),
                        Numbers.count(calls.path("now").asLong()),
                        Numbers.count(calls.path("min").asLong()),
                        Numbers.count(calls.path("max").asLong()),
                        calls.path("manual").asBoolean() ? ", set by hand" : "");
    }

    /** Empty: it is not blocked. */
    private static String blocked(JsonNode pool) {
        String until = pool.path("blockedUntil").asText("");
        return until.isEmpty()
                ? ""
                : "%s (%s): blocked until %s.\n"
                        .formatted(
                                pool.path("models").asText(),
                                pool.path("account").asText(),
                                until);
    }

    /**
     * The providers as a table, or a sentence that there is none.
     *
     * @param providers the API's answer
     */
    public static String ofProviders(JsonNode providers) {
        if (providers.path("items").isEmpty()) {
            return "No live worker reports a provider.\n";
        }
        TextTable table = new TextTable(List.of("Provider", "Key", "State", "Workers", "In flight at most"));
        for (JsonNode provider : providers.path("items")) {
            if (provider.path("keys").size() > 1) {
                provider.get("keys").forEach(key -> table.row(ofKey(provider, key)));
            } else {
                String state = provider.path("hasKey").asBoolean() ? "enabled" : "missing";
                table.row(row(provider, provider.path("keyVariable").asText("none needed"), state, provider));
            }
        }
        return table.text();
    }

    /** One of several keys. */
    private static List<String> ofKey(JsonNode provider, JsonNode key) {
        String reason = key.path("reason").asText("");
        return row(
                provider,
                key.path("name").asText() + " (" + key.path("variable").asText() + ")",
                key.path("state").asText() + (reason.isEmpty() ? "" : ": " + reason),
                key);
    }

    /** @param counted whose live workers are counted */
    private static List<String> row(JsonNode provider, String key, String state, JsonNode counted) {
        return List.of(
                provider.path("name").asText(),
                key,
                state,
                Numbers.count(counted.path("workers").asLong()),
                Numbers.count(provider.path("maxConcurrent").asLong()));
    }

    /**
     * What changed, as a line.
     *
     * @param change a row of the API
     */
    public static String change(JsonNode change) {
        return "%s  %s of %s (%s): %s → %s, %s by %s%s"
                .formatted(
                        change.path("at").asText(),
                        change.path("name").asText(),
                        change.path("models").asText(),
                        change.path("account").asText(),
                        change.path("old").asText("none"),
                        change.path("new").asText("none"),
                        change.path("why").asText(),
                        change.path("who").asText(),
                        change.hasNonNull("reason")
                                ? ": " + change.get("reason").asText()
                                : "");
    }
}
