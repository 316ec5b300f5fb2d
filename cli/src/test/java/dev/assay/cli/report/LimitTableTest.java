package dev.assay.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.json.Json;
import org.junit.jupiter.api.Test;

class LimitTableTest {

    private static final String REFUSED = """
        "models": "gpt*", "blockedUntil": %s,
        "concurrent": {"min": 2, "max": 400, "now": 280, "inFlight": 268, "phase": "STEADY", "manual": false}\
        """;

    @Test
    void shouldSayOnceWhatAGroupMayHaveInFlightWhenItRefusedSomething() {
        String pool = REFUSED.formatted("\"2026-11-23T20:29:46Z\"");

        String text = LimitTable.of("openai", Json.tree("""
            {"items": [{"account": "main", %s, "limits": [
              {"name": "tokensPerDay", "limit": 5000, "used": 1, "free": 4999, "why": "header"}]},
              {"account": "second", %s, "limits": []}]}\
            """.formatted(pool, pool)));

        assertThat(text).contains("tokensPerDay");
        assertThat(text)
                .containsOnlyOnce("gpt*: 268 calls in flight of at most 280 (2 to 400).\n")
                .contains("gpt* (main): blocked until 2026-11-23T20:29:46Z.\ngpt* (second): blocked until"
                        + " 2026-11-23T20:29:46Z.\n");
    }

    @Test
    void shouldPrintNoTableWhenNoPoolHasLimits() {
        String pools =
                "{\"items\": [{\"account\": \"default\", %s, \"limits\": []}]}".formatted(REFUSED.formatted("null"));

        assertThat(LimitTable.of("openai", Json.tree(pools)))
                .isEqualTo("gpt*: 268 calls in flight of at most 280 (2 to 400).\n");
    }
}
