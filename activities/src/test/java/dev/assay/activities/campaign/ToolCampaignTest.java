package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.tool.ToolServer;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.store.campaign.StoredCampaign;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Campaigns whose branches call tools, on PostgreSQL. */
final class ToolCampaignTest {

    private static ToolServer server;
    private static Engine engine;

    @BeforeAll
    static void start() {
        server = new ToolServer();
        engine = new Engine(server.policy());
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
        server.close();
    }

    private static String tool(String name, String method) {
        return """
            {type: http, name: %s, description: Tests., method: %s, url: "%s/%s",
             headers: {X-Key: "${key}"}, parameters: {type: object}}\
            """.formatted(name, method, server.url(), name);
    }

    private static long asked(String path) {
        return server.asked().stream()
                .filter(asked -> asked.contains(path + " "))
                .count();
    }

    @Test
    void shouldKeepTheWholeConversationAndNoTurnsWhenALoopIsDone() {
        engine.submit("tools", """
            name: tools
            cases: [{id: sum, prompt: 6*7?, checks: [{type: contains, value: "42"}], metadata: {time: "2026-03-01T12:30:00Z"}}]
            branches:
              - id: b
                kind: scripted
                tools: [{type: calculator}, {type: current_time}, %s]
                script:
                  answers:
                    - [{toolCalls: [{name: current_time}, {name: done, arguments: {a: 1}}]},
                       {text: So., toolCalls: [{name: calculator, arguments: {expression: 6*7}}]}, "{result}"]
            trials: 3
            """.formatted(tool("done", "POST")), Map.of());

        StoredCampaign ended = engine.awaitEnd("tools");

        assertThat(ended.verdict()).isEqualTo(Verdict.PASS);
        assertThat(asked("/tools/done")).isEqualTo(3);
        assertThat(engine.store.query("""
            SELECT DISTINCT response, jsonb_array_length(messages) AS messages, messages->2->>'content' AS time
            FROM outcome WHERE campaign_id = 'tools'\
            """))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly("42", 7, "2026-03-01T12:30:00Z"));
        assertThat(engine.store.query("SELECT turn, count(*) AS n FROM ledger WHERE campaign_id = 'tools' GROUP BY 1"))
                .hasSize(3);
        assertThat(engine.store.count("SELECT count(*) FROM turn")).isZero();
        assertThat(engine.store.count("SELECT count(*) FROM tool_result")).isZero();
    }

    @Test
    void shouldStoreNoSecretOfAToolWhenItsServerSaysItAgain() {
        engine.submit("telling", """
            name: telling
            cases: [{id: a, prompt: Hello}]
            branches:
              - id: b
                kind: scripted
                tools: [%s, %s]
                script: {answers: [[{toolCalls: [{name: tell}, {name: refuse}]}, "{result}"]]}
            """.formatted(tool("tell", "POST"), tool("refuse", "POST")), Map.of());

        engine.awaitEnd("telling");

        assertThat(server.asked()).anyMatch(asked -> asked.contains("/tools/tell s3cret"));
        String stored = engine
                .store
                .query("SELECT table_name AS name FROM information_schema.tables"
                        + " WHERE table_schema = 'public' AND table_type = 'BASE TABLE'")
                .stream()
                .map(table -> engine.store.query("SELECT t::text AS row FROM " + table.get("name") + " t"))
                .map(String::valueOf)
                .collect(Collectors.joining());
        assertThat(stored).contains("you sent [secret]", "no good: [secret]").doesNotContain("s3cret");
        assertThat(engine.events.toString()).doesNotContain("s3cret");
    }

    /** The first turn is on record, a tool runs for long: what happened is not repeated by whoever goes on. */
    @Test
    void shouldGoOnFromTheLastTurnWhenALoopWasStopped() {
        engine.submit("stopped", """
            name: stopped
            cases: [{id: a, prompt: Hello}]
            branches:
              - id: b
                kind: scripted
                tools: [%s, %s]
                script:
                  answers: [[{toolCalls: [{name: once}]}, {toolCalls: [{name: slow}]}, "{result}"]]
            """.formatted(tool("once", "POST"), tool("slow", "POST")), Map.of());
        await().atMost(Engine.PATIENCE).until(() -> asked("/tools/slow") == 1);
        assertThat(engine.store.query("""
            SELECT t.turn, r.result IS NOT NULL AS done FROM turn t JOIN tool_result r USING
                (campaign_id, ordinal, branch_index, turn) WHERE campaign_id = 'stopped' ORDER BY 1\
            """))
                .extracting(row -> row.values().toString())
                .containsExactly("[1, true]", "[2, false]");
        engine.store.get(CampaignChanges.class).steer("stopped", SteeringVerb.CANCEL);
        await().atMost(Engine.PATIENCE)
                .until(() -> engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'stopped'") == 1);
        assertThat(engine.store.query(
                        "SELECT status, total_tokens > 0 AS paid FROM outcome WHERE campaign_id = 'stopped'"))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly("CANCELLED", true));

        engine.store.get(CampaignChanges.class).steer("stopped", SteeringVerb.RESUME);
        engine.startOrWake("stopped");
        StoredCampaign ended = engine.awaitEnd("stopped");

        assertThat(ended.state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(asked("/tools/once")).isEqualTo(1);
        assertThat(asked("/tools/slow"))
                .as("it may have run, so it is not run again")
                .isEqualTo(1);
        assertThat(engine.store.query(
                        "SELECT turn, count(*) AS n FROM ledger WHERE campaign_id = 'stopped' GROUP BY 1 ORDER BY 1"))
                .as("the model is asked once for each turn")
                .extracting(row -> row.values().toString())
                .containsExactly("[1, 1]", "[2, 1]", "[3, 1]");
        assertThat(engine.store.query("SELECT response FROM outcome WHERE campaign_id = 'stopped'"))
                .singleElement()
                .satisfies(row -> assertThat(row.values().toString()).contains("It may have run or not"));
        assertThat(engine.store.count("SELECT count(*) FROM turn")).isZero();
    }

    @Test
    void shouldFailTheCellWhenItsToolIsNotAllowedOrItsInputIsRefused() {
        engine.submit("refusing", """
            name: refusing
            cases: [{id: a, prompt: Hello}]
            branches:
              - id: forbidden
                kind: scripted
                tools: [{type: http, name: far, description: Far., url: "https://elsewhere.example/x"}]
                script: {answers: [x]}
              - id: filtered
                kind: scripted
                inputFilters: [{type: max-length, max: 2}]
                script: {answers: [x]}
              - id: warned
                kind: scripted
                inputFilters: [{type: max-length, max: 2, action: warn, message: Long.}]
                script: {answers: [x]}
            """, Map.of());

        engine.awaitEnd("refusing");

        assertThat(engine.store.query("SELECT status, error_code, array_to_string(warnings, '|') FROM outcome"
                        + " WHERE campaign_id = 'refusing' ORDER BY branch_index"))
                .extracting(row -> row.values().toString())
                .containsExactly(
                        "[MODEL_ERROR, TOOL_NOT_ALLOWED, ]",
                        "[MODEL_ERROR, INPUT_REJECTED, ]",
                        "[COMPLETED, null, Long.]");
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'refusing'"))
                .as("only the warned branch was asked")
                .isEqualTo(1);
        assertThat(engine.events.stream()
                        .filter(event -> event.sessionId().equals("refusing/0"))
                        .filter(AgentEvent.InputRejected.class::isInstance))
                .hasSize(1);
    }
}
