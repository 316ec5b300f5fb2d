package dev.assay.cli.evaluation;

import static dev.assay.cli.evaluation.EvaluationServer.ended;
import static dev.assay.cli.evaluation.EvaluationServer.events;
import static dev.assay.cli.evaluation.EvaluationServer.get;
import static dev.assay.cli.evaluation.EvaluationServer.model;
import static dev.assay.cli.evaluation.EvaluationServer.post;
import static dev.assay.cli.evaluation.EvaluationServer.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.evaluation.EvaluationServer.Sent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.compaction.JudgeCompaction;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.Conversation;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.LoopId;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The document "Evaluational Parallelism": its examples and what it says, in its order. It runs in {@link EvaluationTest}, on the
 * server that is there.
 */
abstract class EvaluationalParallelism {

    private static final String MINIMAL = """
        {"prompts": ["Explain quantum entanglement."], "systemPrompt": "Be concise.",
         "branches": [{"provider": "stub", "model": "claude-opus-4-6"}, {"provider": "stub", "model": "claude-haiku-4-5"}],
         "strategy": {"type": "pick-first"}}
        """;

    /** What the models are asked from now on. */
    private static List<JsonNode> requests() {
        List<JsonNode> requests = new CopyOnWriteArrayList<>();
        model.replyBy(request -> {
            requests.add(request);
            return null;
        });
        return requests;
    }

    // Overview

    @Test
    void shouldGiveEveryBranchAnIdenticalCopyOfTheBaseContextAndTheSamePrompt() throws Exception {
        List<JsonNode> requests = requests();

        ended("", """
            {"prompts": ["And now?"],
             "context": {"systemPrompt": "Be brief.", "tools": [{"type": "calculator"}],
                         "messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]},
             "branches": [{"provider": "stub", "model": "a"}, {"provider": "stub", "model": "b"}]}
            """);

        assertThat(requests).hasSize(2);
        assertThat(texts(requests.getFirst().path("messages"), "content"))
                .containsExactly("Be brief.", "Hello", "Hi", "And now?");
        assertThat(requests.getFirst().at("/tools/0/function/name").asText()).isEqualTo("calculator");
        assertThat(requests.get(1).path("messages"))
                .isEqualTo(requests.getFirst().path("messages"));
        assertThat(requests.get(1).path("tools")).isEqualTo(requests.getFirst().path("tools"));
    }

    @Test
    void shouldRunBranchesConcurrently() throws Exception {
        model.delay(Duration.ofSeconds(30));
        String id = Json.tree(post("", MINIMAL).body()).path("id").asText();

        await().atMost(Duration.ofSeconds(20)).until(() -> model.inFlight() == 2);

        assertThat(get("/" + id).path("outcomes"))
                .as("nothing is picked before all finished")
                .isEmpty();
        model.release();
        assertThat(get("/" + id + "?wait=20s").path("selectedIndex").asInt()).isZero();
    }

    // Entry point: the minimal example, and the session that continues with the winner

    @Test
    void shouldRunTheMinimalExampleAndContinueWithTheWinningContext() throws Exception {
        model.answerBy((name, prompt) -> name + " on: " + prompt);
        JsonNode result = ended("", MINIMAL);
        List<JsonNode> requests = requests();

        JsonNode next = ended("/" + result.path("id").asText() + "/continue", "{\"prompts\": [\"And simpler?\"]}");

        assertThat(result.path("selectedIndex").asInt()).isZero();
        assertThat(result.at("/context/systemPrompt").asText()).isEqualTo("Be concise.");
        assertThat(requests).singleElement().satisfies(request -> {
            assertThat(request.path("model").asText()).isEqualTo("claude-opus-4-6");
            assertThat(texts(request.path("messages"), "content"))
                    .containsExactly(
                            "Be concise.",
                            "Explain quantum entanglement.",
                            "claude-opus-4-6 on: Explain quantum entanglement.",
                            "And simpler?");
        });
        assertThat(next.path("sessionId")).isEqualTo(result.path("sessionId"));
    }

    // ParallelLoopResult

    @Test
    void shouldGiveBackContextMessagesIndexOutcomesAndTotalUsage() throws Exception {
        JsonNode result = ended("", """
            {"prompts": ["Why?"], "context": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}],
             "tools": [{"type": "calculator"}], "strategy": {"type": "llm-judge", "judge": {"kind": "scripted",
              "script": {"answers": ["2"], "usage": {"input": 7, "output": 1}}}},
             "branches": [{"kind": "scripted", "script": {"answers": ["A"], "usage": {"input": 10, "output": 2}}},
                          {"kind": "scripted", "systemPrompt": "Mine.",
                           "script": {"answers": ["B"], "usage": {"input": 20, "output": 4, "reasoning": 3}}}]}
            """);

        assertThat(result.path("selectedIndex").asInt()).isEqualTo(1);
        assertThat(texts(result.path("selectedMessages"), "content")).containsExactly("Why?", "B");
        assertThat(texts(result.path("selectedContext"), "content")).containsExactly("Hi", "Hello", "Why?", "B");
        assertThat(result.at("/context/messages")).isEqualTo(result.path("selectedContext"));
        assertThat(result.at("/context/systemPrompt").asText()).isEqualTo("Mine.");
        assertThat(texts(result.at("/context/tools"), "type")).containsExactly("calculator");
        assertThat(texts(result.path("outcomes"), "selected")).containsExactly("false", "true");
        assertThat(result.at("/evaluationUsage/total").asInt()).isEqualTo(8);
        assertThat(result.at("/totalUsage/total").asInt()).isEqualTo(12 + 24 + 8);
        assertThat(result.at("/totalUsage/reasoning").asInt()).isEqualTo(3);
    }

    @Test
    void shouldResumeNormallyWhenTheSelectedContextIsFedIntoAnother() throws Exception {
        ObjectNode fed = JsonNodeFactory.instance.objectNode();
        fed.set("context", ended("", MINIMAL).path("context"));
        fed.putArray("prompts").add("Go on");
        fed.putArray("branches").addObject().put("provider", "stub").put("model", "next");
        List<JsonNode> requests = requests();

        ended("", fed.toString());

        assertThat(texts(requests.getFirst().path("messages"), "content"))
                .containsExactly("Be concise.", "Explain quantum entanglement.", "Paris", "Go on");
    }

    // Built-in strategies

    @ParameterizedTest
    @CsvSource({"pick-first, 0", "token-efficient, 1", "elaborate, 2"})
    void shouldSelectByTheRuleOfABuiltInStrategy(String strategy, int selected) throws Exception {
        JsonNode result = ended("", """
            {"prompts": ["Why?"], "strategy": {"type": "%s"}, "branches": [
              {"kind": "scripted", "script": {"answers": ["first"], "usage": {"input": 10, "output": 20}}},
              {"kind": "scripted", "script": {"answers": ["brief"], "usage": {"input": 10, "output": 2}}},
              {"kind": "scripted", "script": {"answers": ["long"], "usage": {"input": 10, "output": 200}}}]}
            """.formatted(strategy));

        assertThat(result.path("selectedIndex").asInt()).isEqualTo(selected);
    }

    @Test
    void shouldPassASingleBranchThroughWithTransparentAndRefuseMore() throws Exception {
        String one = "{\"kind\": \"scripted\", \"script\": {\"answers\": [\"Only\"]}}";
        String request = "{\"prompts\": [\"Why?\"], \"strategy\": {\"type\": \"transparent\"}, \"branches\": [%s]}";

        JsonNode result = ended("", request.formatted(one));
        HttpResponse<String> two = post("", request.formatted(one + "," + one));

        assertThat(texts(result.path("selectedMessages"), "content")).containsExactly("Why?", "Only");
        assertThat(result.at("/evaluationUsage/total").asInt()).isZero();
        assertThat(two.statusCode()).isEqualTo(422);
        assertThat(texts(Json.tree(two.body()).path("errors"), "path")).containsExactly("strategy.type");
    }

    // agent_loop_continue mode

    @Test
    void shouldContinueTheContextWhenThereAreNoPrompts() throws Exception {
        List<JsonNode> requests = requests();

        JsonNode result = ended("", """
            {"context": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"},
                         {"role": "user", "content": "Why?"}],
             "branches": [{"provider": "stub", "model": "a"}]}
            """);

        assertThat(texts(requests.getFirst().path("messages"), "content")).containsExactly("Hi", "Hello", "Why?");
        assertThat(result.at("/outcomes/0/originalContextLength").asInt()).isEqualTo(3);
        assertThat(texts(result.at("/outcomes/0/messages"), "content"))
                .as("new messages of the branch")
                .containsExactly("Paris");
    }

    @Test
    void shouldRefuseToContinueAContextThatIsEmptyOrEndsOnTheAssistant() throws Exception {
        String branches = "\"branches\": [{\"provider\": \"stub\", \"model\": \"a\"}]}";

        assertThat(post("", "{\"prompts\": [], " + branches).statusCode()).isEqualTo(422);
        assertThat(post("", "{\"context\": [{\"role\": \"assistant\", \"content\": \"Hi\"}], " + branches)
                        .statusCode())
                .isEqualTo(422);
    }

    @Test
    void shouldTellInEachOutcomeHowLongTheSharedContextWas() throws Exception {
        JsonNode result = ended(
                "", EvaluationServer.TWO.replace("llm-judge", "pick-first").replaceFirst(", \"judge\": \\{[^}]*}", ""));

        assertThat(texts(result.path("outcomes"), "originalContextLength")).containsExactly("2", "2");
        assertThat(result.path("selectedContext")).hasSize(2 + 2 + 1);
    }

    // LLM Judge: prompt construction

    @Test
    void shouldAskASeparateModelWithThePromptOfTheDocument() throws Exception {
        model.answerBy((name, prompt) -> switch (name) {
            case "magic" -> "Think of two magic dice...";
            case "judge" -> "2";
            default -> "Quantum entanglement is when two particles share a quantum state...";
        });
        List<JsonNode> requests = requests();

        JsonNode result = ended("", """
            {"context": [{"role": "user", "content": "What is quantum mechanics?"},
                         {"role": "assistant", "content": "Quantum mechanics is the branch of physics that..."}],
             "prompts": ["Can you explain quantum entanglement in simple terms?"],
             "branches": [{"provider": "stub", "model": "plain"}, {"provider": "stub", "model": "magic"}],
             "strategy": {"type": "llm-judge", "judge": {"provider": "stub", "model": "judge"}}}
            """);

        assertThat(result.at("/selection/judge/0/prompt").asText()).isEqualTo("""
            Prior conversation context:
            User: What is quantum mechanics?
            Assistant: Quantum mechanics is the branch of physics that...

            Original query:
            Can you explain quantum entanglement in simple terms?

            Response 1:
            Quantum entanglement is when two particles share a quantum state...

            Response 2:
            Think of two magic dice...

            Which response is best? Reply with ONLY the response number (e.g., "1" or "2").\
            """);
        JsonNode judged = requests.getLast();
        assertThat(judged.path("model").asText()).isEqualTo("judge");
        assertThat(judged.at("/messages/1/content")).isEqualTo(result.at("/selection/judge/0/prompt"));
        assertThat(judged.path("messages"))
                .as("its system prompt, and no history")
                .hasSize(2);
        assertThat(result.path("selectedIndex").asInt()).isEqualTo(1);
    }

    @Test
    void shouldShowTheJudgeOnlyTextsAndOnlyTheLastOfEachBranch() {
        Content.ToolCall call = new Content.ToolCall("c", "search", JsonNodeFactory.instance.objectNode());
        List<Message> context = List.of(
                new Message(Role.USER, List.of(new Content.Text("Look"), new Content.Image("image/png", "AAAA")), null),
                new Message(Role.ASSISTANT, List.of(new Content.Thinking("Hm"), call), null),
                new Message(
                        Role.TOOL, List.of(new Content.Text("found")), new Message.ToolResult("c", "search", false)),
                Message.assistant("Seen"));
        List<Message> branch = List.of(
                Message.user("Why?"),
                new Message(Role.ASSISTANT, List.of(new Content.Text("Let me search"), call), null),
                new Message(Role.TOOL, List.of(new Content.Text("raw")), new Message.ToolResult("c", "search", false)),
                new Message(Role.ASSISTANT, List.of(new Content.Thinking("Hm"), new Content.Text("So.")), null));

        assertThat(Transcript.ofPrompts(context, List.of(Message.user("Why?"), Message.user("Say"))))
                .isEqualTo(new Conversation("User: Look\nTool [search]: found\nAssistant: Seen", "Why?\nSay"));
        assertThat(Transcript.response(branch)).isEqualTo("So.");
    }

    @Test
    void shouldTakeTheLastUserMessageAsTheQueryInContinueMode() {
        assertThat(Transcript.ofContext(
                        List.of(Message.user("First"), Message.assistant("Yes"), Message.user("Second"))))
                .isEqualTo(new Conversation("User: First\nAssistant: Yes", "Second"));
        assertThat(Transcript.ofContext(List.of(Message.user("Only"))))
                .as("without a prior context")
                .isEqualTo(new Conversation("", "Only"));
    }

    // Judge's comprehension criteria, and compaction in two iterations

    @Test
    void shouldHoldContextAndResponsesWithinFourFifthsOfTheJudgesWindow() {
        List<String> responses = List.of("r".repeat(200), "r".repeat(196));

        assertThat(JudgeCompaction.compact("", responses, 124).compaction().satisfied())
                .as("99 of 99 tokens")
                .isTrue();
        assertThat(JudgeCompaction.compact("c", responses, 124).compaction().iteration())
                .as("100 of 99 tokens")
                .isPositive();
    }

    @Test
    void shouldCompactNothingWhenTheJudgeHasNoWindow() {
        String long100k = "word ".repeat(20_000);

        assertThat(JudgeCompaction.compact(long100k, List.of(long100k), null)
                        .compaction()
                        .iteration())
                .isZero();
    }

    @Test
    void shouldCompactTheContextFirstTierByTierAndLeaveResponsesWhole() {
        String response = "A whole answer.";
        String lines = Stream.iterate(1, i -> i + 1)
                .limit(200)
                .map(i -> "line " + i)
                .reduce((a, b) -> a + "\n" + b)
                .orElseThrow();
        String paragraphs = "first\n\n" + "middle ".repeat(500) + "\n\nlast";
        String wall = "x".repeat(4_000);

        JudgeCompaction.Result tail = JudgeCompaction.compact(lines, List.of(response), 300);
        JudgeCompaction.Result ends = JudgeCompaction.compact(paragraphs, List.of(response), 100);
        JudgeCompaction.Result limit = JudgeCompaction.compact(wall, List.of(response), 1_000);

        assertThat(tail.context().lines()).hasSize(80).first().isEqualTo("line 121");
        assertThat(ends.context()).isEqualTo("first\n\n...\n\nlast");
        assertThat(limit.context()).as("(800 − 4) × 4 bytes").hasSize(3_184).endsWith("x...");
        assertThat(List.of(tail, ends, limit)).allSatisfy(result -> {
            assertThat(result.responses()).containsExactly(response);
            assertThat(result.compaction().iteration()).isEqualTo(1);
        });
        assertThat(JudgeCompaction.compact(wall, List.of("r".repeat(3_190)), 1_000)
                        .context())
                .as("never less than 200")
                .hasSize(200);
    }

    @Test
    void shouldCompactResponsesTooWhenTheContextAloneDoesNotSuffice() {
        JudgeCompaction.Result result =
                JudgeCompaction.compact("c".repeat(900), List.of("a".repeat(4_000), "b".repeat(4_000)), 600);

        assertThat(result.compaction().iteration()).isEqualTo(2);
        assertThat(result.compaction().contextTier())
                .as("it stays at its most compacted form")
                .isEqualTo(3);
        assertThat(result.context()).hasSize(200);
        assertThat(result.responses()).as("max(200, (480 − 50) × 4 / 2)").allMatch(text -> text.length() == 860);
        assertThat(result.compaction().satisfied()).isTrue();
    }

    @Test
    void shouldWarnByAProgressMessageAndKeepTheOriginalsWhenNothingFits() throws Exception {
        String long1k = "word ".repeat(200).strip();
        JsonNode result = ended("", """
            {"prompts": ["Why?"], "branches": [{"kind": "scripted", "script": {"answers": ["%1$s"]}},
                                               {"kind": "scripted", "script": {"answers": ["%1$s"]}}],
             "strategy": {"type": "llm-judge", "judge": {"id": "small-judge", "kind": "scripted", "maxContextTokens": 50,
                                                         "script": {"answers": ["2"]}}}}
            """.formatted(long1k));

        List<Sent> warnings = events(result.path("id").asText(), 0).stream()
                .filter(sent -> sent.name().equals("ProgressMessage"))
                .toList();
        assertThat(warnings).singleElement().satisfies(warning -> {
            assertThat(warning.data().path("loopId").asText())
                    .isEqualTo(result.path("sessionId").asText() + ".small-judge.3");
            assertThat(warning.data().toString()).contains("2 branches", "its budget of 40");
        });
        assertThat(result.at("/selection/judge/0/prompt").asText()).doesNotContain(long1k);
        assertThat(result.path("selectedIndex").asInt())
                .as("it goes on best-effort")
                .isEqualTo(1);
        assertThat(result.at("/selectedMessages/1/content").asText()).isEqualTo(long1k);
    }

    // Session identity and loop IDs

    @Test
    void shouldNameLoopsBySessionConfigSegmentAndNumber() {
        ModelChoice opus = new ModelChoice("anthropic", "claude-opus-4-6", Thinking.OFF, Map.of());
        ModelChoice thinking = new ModelChoice("anthropic", "claude-haiku-4-5", Thinking.HIGH, Map.of());

        assertThat(new LoopId("ses_abc123", opus.segment(), 1).text())
                .isEqualTo("ses_abc123.anthropic.claude-opus-4-6.1");
        assertThat(new LoopId("ses_abc123", thinking.segment(), 2).text())
                .isEqualTo("ses_abc123.anthropic.claude-haiku-4-5.thinking.2");
    }

    @Test
    void shouldShareTheSessionAmongBranchesAndTheJudgeAndCountTheirLoops() throws Exception {
        JsonNode result = ended("", """
            {"prompts": ["Why?"],
             "branches": [{"provider": "stub", "model": "claude-opus-4-6"}, {"id": "mine", "provider": "stub", "model": "b"}],
             "strategy": {"type": "llm-judge", "judge": {"provider": "stub", "model": "claude-opus-4-6"}}}
            """);

        String session = result.path("sessionId").asText();
        assertThat(texts(result.path("outcomes"), "loopId"))
                .containsExactly(session + ".stub.claude-opus-4-6.1", session + ".mine.2");
        assertThat(result.at("/selection/judge/0/loopId").asText()).isEqualTo(session + ".stub.claude-opus-4-6.3");
    }

    // Observability

    @Test
    void shouldBracketTheEventsOfAllBranchesWithParallelLoopStartAndEnd() throws Exception {
        JsonNode result = ended("", EvaluationServer.TWO);

        List<Sent> events = events(result.path("id").asText(), 0);

        JsonNode start = events.getFirst().data();
        assertThat(events.getFirst().name()).isEqualTo("ParallelLoopStart");
        assertThat(start.path("sessionId")).isEqualTo(result.path("sessionId"));
        assertThat(start.path("loopIds"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(texts(result.path("outcomes"), "loopId"));
        assertThat(start.path("timestamp").asText()).isNotEmpty();
        JsonNode end = events.getLast().data();
        assertThat(events.getLast().name()).isEqualTo("ParallelLoopEnd");
        assertThat(end.path("sessionId")).isEqualTo(result.path("sessionId"));
        assertThat(end.path("selectedLoopId")).isEqualTo(result.path("selectedLoopId"));
        assertThat(end.path("selectedIndex")).isEqualTo(result.path("selectedIndex"));
        assertThat(end.path("evaluationUsage")).isEqualTo(result.path("evaluationUsage"));
        assertThat(end.path("timestamp").asText()).isNotEmpty();
        assertThat(events.stream()
                        .filter(sent -> sent.name().equals("AgentStart"))
                        .map(sent -> sent.data().path("loopId").asText()))
                .as("by which readers tell branches apart, the judge's among them")
                .containsExactlyInAnyOrder(
                        result.at("/outcomes/0/loopId").asText(),
                        result.at("/outcomes/1/loopId").asText(),
                        result.at("/selection/judge/0/loopId").asText());
    }

    // Complete example

    @Test
    void shouldRunTheCompleteExample() throws Exception {
        model.answerBy((name, prompt) -> prompt.startsWith("Original query:") ? "2" : "Response of " + name);

        JsonNode result = ended("", """
            {"prompts": ["What is the most important physics discovery of the 20th century?"],
             "systemPrompt": "You are a knowledgeable assistant.",
             "branches": [{"provider": "stub", "model": "claude-haiku-4-5"}, {"provider": "stub", "model": "claude-opus-4-6"}],
             "strategy": {"type": "llm-judge", "judge": {"provider": "stub", "model": "claude-opus-4-6",
                                                         "maxContextTokens": 200000}}}
            """);
        JsonNode next = ended("/" + result.path("id").asText() + "/continue", "{\"prompts\": [\"And why?\"]}");

        assertThat(result.path("selectedIndex").asInt()).isEqualTo(1);
        assertThat(result.at("/totalUsage/total").asInt()).isEqualTo(45);
        assertThat(result.at("/selectedMessages/1/content").asText()).isEqualTo("Response of claude-opus-4-6");
        assertThat(next.at("/outcomes/0/branchId").asText()).isEqualTo("stub.claude-opus-4-6");
        assertThat(next.path("selectedContext")).hasSize(4);
    }
}
