package dev.assay.cli.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.json.Json;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Branches and judges that fail, are late, or are cancelled. */
@Tag("slow")
@Timeout(180)
class EvaluationFailureTest extends EvaluationServer {

    @Test
    void shouldFailWithEachReasonWhenNoBranchCompletes() throws Exception {
        model.refuse(Set.of("Never?"));
        JsonNode result = ended("", """
            {"prompts": ["Never?"], "branches": [{"id": "a", "provider": "stub", "model": "m"},
                                                 {"id": "b", "provider": "stub", "model": "m"}]}
            """);
        model.refuse(Set.of());

        assertThat(result.path("state").asText()).isEqualTo("FAILED");
        assertThat(result.path("selectedIndex").isNull()).isTrue();
        assertThat(result.at("/error/code").asText()).isEqualTo("ALL_BRANCHES_FAILED");
        assertThat(result.at("/error/message").asText()).contains("branches[0]", "branches[1]", "Not this one");
        List<Sent> events = events(result.path("id").asText(), 0);
        assertThat(events)
                .extracting(Sent::name)
                .contains("AgentStart", "AgentEnd")
                .endsWith("ParallelLoopEnd");
        assertThat(post("/" + result.path("id").asText() + "/continue", "{\"prompts\": [\"x\"]}")
                        .statusCode())
                .isEqualTo(409);
    }

    /** Two branches, of which the one at {@code place} is {@code broken}, and a judge. */
    private static JsonNode withBroken(int place, String broken, String judge) throws Exception {
        String sound = "{\"id\": \"sound\", \"kind\": \"scripted\", \"script\": {\"answers\": [\"Well\"]}}";
        return ended("", """
            {"prompts": ["Why?"], "limits": {"timeoutSeconds": 1, "maxAttempts": 1}, "branches": [%s, %s, %s],
             "strategy": {"type": "llm-judge", "judge": {"kind": "scripted", "script": %s}}}
            """.formatted(
                        place == 0 ? broken : sound.replace("sound", "first"),
                        place == 1 ? broken : sound.replace("sound", "second"),
                        place == 2 ? broken : sound.replace("sound", "third"),
                        judge));
    }

    @Test
    void shouldJudgeTheOthersWhenABranchFailsInAnyPlace() throws Exception {
        String failing = """
            {"id": "broken", "kind": "scripted", "script": {"answers": ["x"], "failures": [{"status": 400}]}}\
            """;
        String late = """
            {"id": "late", "kind": "scripted", "script": {"answers": ["x"], "delayMs": 30000}}\
            """;
        for (int place = 0; place < 3; place++) {
            JsonNode failed = withBroken(place, failing, "{\"answers\": [\"2\"]}");
            JsonNode timedOut = withBroken(place, late, "{\"answers\": [\"2\"]}");

            // The judge is shown two responses; the second is that of the last branch that completed.
            int second = place == 2 ? 1 : 2;
            assertThat(failed.path("selectedIndex").asInt()).isEqualTo(second);
            assertThat(failed.at("/outcomes/" + place + "/status").asText()).isEqualTo("MODEL_ERROR");
            assertThat(timedOut.path("selectedIndex").asInt()).isEqualTo(second);
            assertThat(timedOut.at("/outcomes/" + place + "/status").asText()).isEqualTo("TIMED_OUT");
            assertThat(timedOut.at("/outcomes/" + place + "/error/code").asText())
                    .isEqualTo("CELL_TIMED_OUT");
        }
    }

    @Test
    void shouldTakeTheFirstAndSaySoWhenTheJudgeFailsOrIsLate() throws Exception {
        String sound = """
            {"id": "sound", "kind": "scripted", "script": {"answers": ["Well"]}}\
            """;
        for (String judge : List.of(
                "{\"answers\": [\"2\"], \"failures\": [{\"status\": 400}]}",
                "{\"answers\": [\"2\"], \"delayMs\": 30000}",
                "{\"answers\": [\"neither\"]}")) {
            JsonNode result = withBroken(0, sound, judge);

            assertThat(result.path("state").asText()).isEqualTo("COMPLETED");
            assertThat(result.path("selectedIndex").asInt()).isZero();
            assertThat(result.at("/selection/fallback").asBoolean()).isTrue();
            assertThat(result.at("/selection/decided").asBoolean()).isFalse();
            assertThat(events(result.path("id").asText(), 0))
                    .extracting(Sent::name)
                    .endsWith("ParallelLoopEnd");
        }
    }

    @Test
    void shouldStillSelectWhenItIsCancelledWhileTheJudgeReads() throws Exception {
        String id = Json.tree(post("", """
            {"prompts": ["Why?"], "branches": [
              {"id": "a", "kind": "scripted", "script": {"answers": ["Because"]}},
              {"id": "b", "kind": "scripted", "script": {"answers": ["So"]}}],
             "strategy": {"type": "llm-judge", "judge": {"kind": "scripted", "script": {"answers": ["2"], "delayMs": 60000}}}}
            """).body()).path("id").asText();
        await().atMost(PATIENCE).until(() -> get("/" + id).path("outcomes").size() == 2);
        await().atMost(PATIENCE).until(() -> judgeBegan(id));

        JsonNode result = Json.tree(post("/" + id + "/cancel", "").body());

        assertThat(result.path("state").asText()).isEqualTo("CANCELLED");
        assertThat(result.path("selectedBranchId").asText()).isEqualTo("a");
        assertThat(result.at("/selection/fallback").asBoolean()).isTrue();
        List<Sent> events = events(id, 0);
        assertInOrder(events);
        assertThat(events)
                .filteredOn(sent -> sent.data().path("loopId").asText().contains("scripted.scripted"))
                .as("the judge's loop")
                .last()
                .satisfies(end -> assertThat(end.data().path("status").asText()).isEqualTo("CANCELLED"));
    }

    @Test
    void shouldEndABranchThatWaitsForItsNextAttemptWithinTwoSecondsWhenItIsCancelled() throws Exception {
        model.replyBy(request -> !request.path("model").asText().equals("late")
                ? null
                : request.toString().contains("\"role\":\"tool\"")
                        ? StubModel.Reply.retryAfter(60)
                        : StubModel.Reply.calculating("6*7"));
        String id = Json.tree(post("", """
            {"prompts": ["6*7?"], "strategy": {"type": "pick-first"}, "branches": [
              {"id": "late", "provider": "stub", "model": "late", "tools": [{"type": "calculator"}]},
              {"id": "sound", "provider": "stub", "model": "m"}]}
            """).body()).path("id").asText();
        await().atMost(PATIENCE).until(() -> hasTold(id, "ProgressMessage"));
        await().atMost(PATIENCE).until(() -> get("/" + id).path("outcomes").size() == 1);

        Instant asked = Instant.now();
        post("/" + id + "/cancel", "{\"branch\": \"late\"}");
        await().atMost(PATIENCE).until(() -> get("/" + id).path("outcomes").size() == 2);

        assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(2));
        JsonNode result = get("/" + id + "?wait=10s");
        assertThat(result.path("selectedBranchId").asText()).isEqualTo("sound");
        assertThat(result.at("/outcomes/0/status").asText()).isEqualTo("CANCELLED");
        assertThat(result.at("/outcomes/0/usage/total").asInt()).isEqualTo(15);
        assertThat(result.at("/totalUsage/total").asInt()).isEqualTo(30);
        assertInOrder(events(id, 0));
    }

    @Test
    void shouldTellThatAJudgeIsAskedAgain() throws Exception {
        JsonNode result = ended("", """
            {"prompts": ["Why?"], "branches": [
              {"id": "a", "kind": "scripted", "script": {"answers": ["Because"]}},
              {"id": "b", "kind": "scripted", "script": {"answers": ["So"]}}],
             "strategy": {"type": "llm-judge", "judge": {"kind": "scripted",
                "script": {"answers": ["2"], "failures": [{"status": 503}]}}}}
            """);

        assertThat(result.path("selectedBranchId").asText()).isEqualTo("b");
        List<Sent> events = events(result.path("id").asText(), 0);
        assertInOrder(events);
        assertThat(events)
                .filteredOn(sent -> sent.name().equals("ProgressMessage"))
                .singleElement()
                .satisfies(
                        sent -> assertThat(sent.data().path("text").asText()).contains("Attempt 1", "is made again"));
    }

    /** The first events of a stream that goes on, until a third loop begins. */
    private static boolean judgeBegan(String id) throws Exception {
        try (Stream<String> lines = http.send(
                        request("/" + id + "/events").build(), HttpResponse.BodyHandlers.ofLines())
                .body()) {
            return lines.filter(line -> line.equals("event: AgentStart"))
                            .limit(3)
                            .count()
                    == 3;
        }
    }

    @Test
    void shouldChooseAmongTheOthersWhenABranchIsCancelled() throws Exception {
        String id = Json.tree(post("", """
            {"prompts": ["Why?"], "strategy": {"type": "pick-first"}, "branches": [
              {"id": "slow", "kind": "scripted", "script": {"answers": ["Late"], "delayMs": 60000}},
              {"id": "quick", "kind": "scripted", "script": {"answers": ["Soon"]}}]}
            """).body()).path("id").asText();
        await().atMost(PATIENCE).until(() -> get("/" + id).path("outcomes").size() == 1);

        HttpResponse<String> cancelled = post("/" + id + "/cancel", "{\"branch\": \"slow\"}");
        assertThat(cancelled.statusCode()).isEqualTo(200);
        JsonNode result = get("/" + id + "?wait=10s");

        assertThat(result.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(texts(result.path("outcomes"), "status")).containsExactly("CANCELLED", "COMPLETED");
        assertThat(result.path("selectedBranchId").asText()).isEqualTo("quick");
        assertThat(post("/" + id + "/cancel", "{\"branch\": \"fast\"}").body()).contains("branches are slow, quick");
    }

    @Test
    void shouldKeepWhatWasPaidForInOutcomeTotalsAndEventsWhenItIsCancelledBetweenTwoAttempts() throws Exception {
        model.replyBy(request -> request.toString().contains("\"role\":\"tool\"")
                ? StubModel.Reply.retryAfter(60)
                : StubModel.Reply.calculating("6*7"));
        String id = Json.tree(post("", """
            {"prompts": ["6*7?"], "branches": [
              {"id": "a", "provider": "stub", "model": "held", "tools": [{"type": "calculator"}]}]}
            """).body()).path("id").asText();
        await().atMost(PATIENCE).until(() -> hasTold(id, "ProgressMessage"));

        JsonNode result = Json.tree(post("/" + id + "/cancel", "").body());

        assertThat(result.at("/outcomes/0/status").asText()).isEqualTo("CANCELLED");
        assertThat(result.at("/outcomes/0/usage/total").asInt()).isEqualTo(15);
        assertThat(texts(result.at("/outcomes/0/messages"), "role")).containsExactly("user", "assistant", "tool");
        assertThat(result.at("/totalUsage/total").asInt()).isEqualTo(15);
        List<Sent> events = events(id, 0);
        assertThat(events)
                .extracting(Sent::name)
                .containsOnlyOnce("AgentStart", "AgentEnd")
                .endsWith("ParallelLoopEnd");
        JsonNode end = events.get(events.size() - 2).data();
        assertThat(end.path("status").asText()).isEqualTo("CANCELLED");
        assertThat(end.at("/usage/total").asInt()).isEqualTo(15);
        assertThat(end.path("messages").size()).isEqualTo(3);
    }

    private static boolean hasTold(String id, String event) throws Exception {
        try (Stream<String> lines = http.send(
                        request("/" + id + "/events").build(), HttpResponse.BodyHandlers.ofLines())
                .body()) {
            return lines.anyMatch(line -> line.equals("event: " + event));
        }
    }

    @Test
    void shouldSelectOrDiscardAsAskedWhenItIsCancelled() throws Exception {
        assertThat(cancelledWith("select").path("selectedBranchId").asText()).isEqualTo("quick");
        assertThat(cancelledWith("discard").path("selectedIndex").isNull()).isTrue();
    }

    private static JsonNode cancelledWith(String rule) throws Exception {
        String id = Json.tree(post("", """
            {"prompts": ["Why?"], "onCancel": "%s", "branches": [
              {"id": "slow", "kind": "scripted", "script": {"answers": ["Late"], "delayMs": 60000}},
              {"id": "quick", "kind": "scripted", "script": {"answers": ["Soon"]}}]}
            """.formatted(rule)).body()).path("id").asText();
        await().atMost(PATIENCE).until(() -> get("/" + id).path("outcomes").size() == 1);

        Instant asked = Instant.now();
        JsonNode result = Json.tree(post("/" + id + "/cancel", "").body());

        assertThat(Duration.between(asked, Instant.now()))
                .as("until nothing runs any more")
                .isLessThan(Duration.ofSeconds(3));
        assertThat(result.path("state").asText()).isEqualTo("CANCELLED");
        assertThat(texts(result.path("outcomes"), "status")).containsExactly("CANCELLED", "COMPLETED");
        assertThat(post("/" + id + "/cancel", "").statusCode()).as("again").isEqualTo(200);
        assertThat(events(id, 0)).extracting(Sent::name).endsWith("ParallelLoopEnd");
        return result;
    }
}
