package dev.assay.cli.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.json.Json;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a reader of the events of evaluations sees. */
@Tag("slow")
@Timeout(180)
class EvaluationEventsTest extends EvaluationServer {

    @Test
    void shouldTellEveryLoopInOrderWhenItsEventsAreRead() throws Exception {
        model.answerBy((name, prompt) -> name.equals("j") ? "1" : "Answer of " + name);
        String id = ended("", TWO).path("id").asText();

        List<Sent> all = events(id, 0);

        assertThat(all.getFirst().name()).isEqualTo("ParallelLoopStart");
        assertThat(all.getFirst().data().path("loopIds")).hasSize(2);
        assertThat(all.getLast().name()).isEqualTo("ParallelLoopEnd");
        assertThat(all.getLast().data().path("selectedIndex").asInt()).isZero();
        assertThat(all.getLast().data().at("/evaluationUsage/total").asInt()).isEqualTo(15);
        assertThat(all)
                .extracting(Sent::id)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, all.size()).boxed().toList());
        List<String> loops = all.stream()
                .map(sent -> sent.data().path("loopId").asText())
                .filter(loop -> !loop.isEmpty())
                .distinct()
                .toList();
        assertThat(loops).as("two branches and the judge").hasSize(3);
        for (String loop : loops) {
            List<String> names = all.stream()
                    .filter(sent -> sent.data().path("loopId").asText().equals(loop))
                    .map(Sent::name)
                    .toList();
            assertThat(names)
                    .startsWith("AgentStart", "TurnStart", "MessageStart", "MessageEnd")
                    .endsWith("MessageStart", "MessageUpdate", "MessageEnd", "TurnEnd", "AgentEnd");
        }
        assertThat(events(id, 5)).isEqualTo(all.subList(5, all.size()));
        assertThat(events(id, all.size())).isEmpty();
    }

    @Test
    void shouldSendEventsWhileTheyHappen() throws Exception {
        model.delay(Duration.ofMillis(700));
        String id = Json.tree(post("", """
            {"prompts": ["Why?"], "branches": [{"provider": "stub", "model": "m"}]}
            """).body()).path("id").asText();
        List<String> seen = new CopyOnWriteArrayList<>();
        Thread reader = Thread.ofVirtual().start(() -> {
            try {
                http.send(request("/" + id + "/events").build(), HttpResponse.BodyHandlers.ofLines())
                        .body()
                        .filter(line -> line.startsWith("event: "))
                        .forEach(seen::add);
            } catch (Exception e) {
                seen.add(e.toString());
            }
        });

        await().atMost(PATIENCE).until(() -> seen.contains("event: TurnStart"));
        assertThat(seen).as("the model has not answered yet").doesNotContain("event: TurnEnd");
        reader.join(PATIENCE);
        assertThat(seen).endsWith("event: AgentEnd", "event: ParallelLoopEnd");
    }

    /** An answer in pieces of a stream. */
    private static StubModel.Reply streamed(String... pieces) {
        StringBuilder events = new StringBuilder();
        for (String piece : pieces) {
            events.append("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":")
                    .append(Json.write(piece))
                    .append("}}]}\n\n");
        }
        events.append("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
        events.append("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":10,"
                + "\"total_tokens\":15}}\n\ndata: [DONE]\n\n");
        return new StubModel.Reply(200, events.toString(), Map.of("Content-Type", "text/event-stream"));
    }

    @Test
    void shouldTellAnAnswerInPiecesWhenTheModelStreamsIt() throws Exception {
        model.replyBy(request -> request.path("stream").asBoolean() ? streamed("Par", "is", " it is.") : null);
        JsonNode result = ended("", """
            {"prompts": ["Capital?"], "branches": [{"id": "a", "provider": "stub", "model": "m"}]}
            """);

        assertThat(result.at("/outcomes/0/response").asText()).isEqualTo("Paris it is.");
        assertThat(result.at("/totalUsage/total").asInt()).isEqualTo(15);
        List<Sent> events = events(result.path("id").asText(), 0);
        assertInOrder(events);
        StringBuilder told = new StringBuilder();
        events.stream().filter(sent -> sent.name().equals("MessageUpdate")).forEach(sent -> {
            assertThat(sent.data().path("offset").asInt()).isEqualTo(told.length());
            assertThat(sent.data().path("part").asText()).isEqualTo("text");
            told.append(sent.data().path("delta").asText());
        });
        assertThat(told).hasToString("Paris it is.");
        assertThat(events)
                .filteredOn(sent -> sent.name().equals("MessageUpdate"))
                .hasSizeGreaterThan(1);
    }

    private static StubModel.Reply unreported(StubModel.Reply streamed) {
        return new StubModel.Reply(
                200, streamed.body().replaceFirst("data: [^\n]*\"usage\"[^\n]*\n\n", ""), streamed.headers());
    }

    @Test
    void shouldNotKnowTheTokensOfStreamsThatReportNone() throws Exception {
        model.replyBy(
                request -> request.path("model").asText().equals("known") ? streamed("1") : unreported(streamed("1")));
        JsonNode result = ended("", """
            {"prompts": ["Capital?"], "branches": [{"id": "a", "provider": "stub", "model": "known"},
                {"id": "b", "provider": "stub", "model": "silent"}],
             "strategy": {"type": "llm-judge", "judge": {"provider": "stub", "model": "silent"}}}
            """);

        assertThat(result.at("/outcomes/0/usage/total").intValue()).isEqualTo(15);
        assertThat(result.at("/outcomes/1/usage").valueStream()).hasSize(6).allMatch(JsonNode::isNull);
        assertThat(result.at("/evaluationUsage/total").isNull()).isTrue();
        assertThat(result.at("/evaluationUnknownUsage").intValue()).isEqualTo(1);
        assertThat(result.at("/totalUsage/total").intValue()).isEqualTo(15);
        assertThat(result.at("/unknownUsage").intValue()).isEqualTo(2);
        JsonNode end = events(result.path("id").asText(), 0).getLast().data();
        assertThat(end.at("/evaluationUsage/input").isNull()).isTrue();
        assertThat(end.at("/unknownUsage").intValue()).isEqualTo(1);
    }

    @Test
    void shouldPrintABranchAsItComesAndTheWinnerOnceWhenStreamedOnTheCommandLine() {
        model.replyBy(request -> request.path("model").asText().equals("m")
                ? streamed("Par", "is\u001B[2J", " it is.")
                : streamed("Ly", "on."));
        String url = server.api().toString();

        CommandRun winner = CommandRun.of(
                "evaluate", "--server", url, "--prompt", "Capital?", "--stream", "stub/m", "--branch", "stub/m");
        CommandRun other = CommandRun.of(
                "evaluate",
                "--server",
                url,
                "--prompt",
                "Capital?",
                "--stream",
                "stub/n",
                "--branch",
                "stub/m",
                "--branch",
                "stub/n");

        assertThat(winner.code()).as(winner.err()).isZero();
        assertThat(winner.out()).isEqualTo("Paris\\u001b[2J it is.\n");
        assertThat(other.out()).isEqualTo("Lyon.\nParis\\u001b[2J it is.\n");
    }
}
