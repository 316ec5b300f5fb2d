package dev.assay.activities.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.check.StoppedComputing;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.replay.ScriptedClient;
import dev.assay.activities.tool.RunnableTool;
import dev.assay.activities.tool.ToolServer;
import dev.assay.activities.tool.Toolbox;
import dev.assay.activities.tool.ToolboxException;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.tool.ToolException;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.usage.Usage;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.TaskKind;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.compute.pool.ComputeSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AgentToolsTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:30:00Z");

    private final ToolServer server = new ToolServer();
    private final ComputePool pool = new ComputePool(ComputeSettings.of(Map.of()));
    private final Toolboxes toolboxes = new Toolboxes(server.policy(), Map.of("TOOL_KEY", "s3cret"), Computing.HERE);
    private Computing computing = pool;
    private final Memory memory = new Memory();
    private final List<ModelRequest> requests = new ArrayList<>();
    private final List<AgentEvent> events = new ArrayList<>();

    @AfterEach
    void close() {
        pool.close();
        toolboxes.close();
        server.close();
    }

    /** A record in memory, as PostgreSQL keeps it. */
    private static final class Memory implements LoopRecord {

        private final List<RecordedTurn> turns = new ArrayList<>();
        private final Map<String, Message> results = new HashMap<>();

        @Override
        public List<RecordedTurn> turns() {
            return turns.stream()
                    .map(turn -> {
                        Map<Integer, RecordedTurn.Call> calls = new HashMap<>();
                        results.forEach((place, result) -> {
                            String[] at = place.split("/", 2);
                            if (at[0].equals("" + turn.turn())) {
                                calls.put(Integer.parseInt(at[1]), new RecordedTurn.Call(result));
                            }
                        });
                        return new RecordedTurn(
                                turn.turn(),
                                turn.message(),
                                turn.measured(),
                                turn.elapsed(),
                                calls,
                                turn.provenance(),
                                turn.warnings());
                    })
                    .toList();
        }

        void forget() {
            turns.clear();
            results.clear();
        }

        @Override
        public void turn(RecordedTurn turn) {
            turns.add(turn);
        }

        @Override
        public synchronized void toolStarts(int turn, int call) {
            results.put(turn + "/" + call, null);
        }

        @Override
        public synchronized void toolEnds(int turn, int call, Message result) {
            results.put(turn + "/" + call, result);
        }
    }

    /** A branch whose tools are these; {@code turns} are the scripted turns that call them. */
    private Branch branch(String turns, String more) {
        String tool = """
            {type: http, name: %1$s, description: Tests., method: %2$s, url: "%3$s/%1$s/{q}",
             headers: {X-Key: "${key}"}, timeoutSeconds: %4$s,
             parameters: {type: object, required: [q], properties: {q: {type: string, maxLength: 20}%5$s}}}
            """;
        StringBuilder tools = new StringBuilder("{type: calculator}, {type: current_time}");
        for (String name : List.of("echo", "fail", "redirect", "image", "empty", "large", "huge", "together")) {
            tools.append(", ").append(tool.formatted(name, "GET", server.url(), "10", ""));
        }
        tools.append(", ").append(tool.formatted("slow", "GET", server.url(), "0.2", ""));
        tools.append(", ").append(tool.formatted("order", "POST", server.url(), "10", ", n: {type: integer}"));
        return CampaignReader.read(CampaignDocument.parse("""
            name: tools
            cases: [{id: a, prompt: Hello}]
            branches:
              - id: b
                kind: scripted
                %s
                tools: [%s]
                script: {usage: {input: 10, output: 5}, answers: [[%s, "last: {result}"]]}
            """.formatted(more, tools, turns)), Map.of())
                .definition()
                .branches()
                .getFirst();
    }

    private AgentResult run(Branch branch) throws InterruptedException {
        return run(branch, new ScriptedClient(((Agent.Scripted) branch.agent()).script()));
    }

    private AgentResult run(Branch branch, ModelClient client) throws InterruptedException {
        try (Toolbox toolbox = toolboxes.open(branch.tools(), () -> NOW, "campaign")) {
            return run(branch, client, toolbox);
        }
    }

    private AgentResult run(Branch branch, ModelClient client, Toolbox toolbox) throws InterruptedException {
        AgentTask task = new AgentTask(
                new LoopId("s", "b", 1),
                branch,
                List.of(),
                List.of(Message.user("Hello")),
                1,
                1,
                Duration.ofSeconds(30),
                100);
        return new AgentLoop(System::nanoTime, events::add, toolbox, memory, computing, true).run(task, request -> {
            requests.add(request);
            return client.ask(request);
        });
    }

    /** A tool that says once how far it is; {@code told} is who hears of it. */
    private record Counting(ToolSpec spec, List<Consumer<String>> told) implements RunnableTool {

        @Override
        public Duration timeout() {
            return Duration.ofSeconds(10);
        }

        @Override
        public boolean idempotent() {
            return true;
        }

        @Override
        public String run(JsonNode arguments, Consumer<String> updates) {
            told.add(updates);
            updates.accept("1 of 2");
            return "2";
        }
    }

    @Test
    void shouldTellHowFarAToolIsBetweenItsStartAndItsEnd() throws Exception {
        List<Consumer<String>> told = new ArrayList<>();
        ToolSpec spec = new ToolSpec("count", "Counts.", Json.tree("{\"type\":\"object\"}"), true);
        Branch branch = branch("{toolCalls: [{name: count}]}", "");

        run(
                branch,
                new ScriptedClient(((Agent.Scripted) branch.agent()).script()),
                new Toolbox(List.of(new Counting(spec, told)), List.of()));
        told.getFirst().accept("said too late");

        List<String> names = events.stream().map(AgentEvent::name).toList();
        assertThat(names)
                .containsSubsequence("ToolExecutionStart", "ToolExecutionUpdate", "ToolExecutionEnd")
                .containsOnlyOnce("ToolExecutionUpdate");
        assertThat(events)
                .filteredOn(AgentEvent.ToolExecutionUpdate.class::isInstance)
                .extracting("toolName", "text")
                .containsExactly(tuple("count", "1 of 2"));
    }

    private static String call(String name, String arguments) {
        return "{name: " + name + ", arguments: " + arguments + "}";
    }

    private static String turn(String... calls) {
        return "{toolCalls: [" + String.join(", ", calls) + "]}";
    }

    /** The results of the tools, with ! before those that are errors. */
    private static List<String> results(AgentResult result) {
        return result.said().newMessages().stream()
                .filter(message -> message.role() == Role.TOOL)
                .map(message -> (message.toolResult().isError() ? "!" : "") + message.text())
                .toList();
    }

    @Test
    void shouldRunToolsAndGiveTheirResultsToTheModel() throws Exception {
        AgentResult result = run(branch(
                turn(call("calculator", "{expression: 6*7}"), call("current_time", "{}"))
                        + ", "
                        + turn(call("echo", "{q: a b/ü}"))
                        + ", "
                        + turn(call("order", "{q: x, n: 3}")),
                ""));

        assertThat(result.status()).isEqualTo(OutcomeStatus.COMPLETED);
        assertThat(results(result).subList(0, 2)).containsExactly("42", "2026-03-01T12:30:00Z");
        assertThat(server.asked())
                .containsExactly("GET /tools/echo/a%20b%2F%C3%BC s3cret", "POST /tools/order/x s3cret{\"n\":3}");
        assertThat(Transcript.response(result.said().newMessages()))
                .isEqualTo("last: {\"path\":\"/tools/order/x\",\"body\":\"{'n':3}\"}");
        assertThat(result.said().measured().usage()).isEqualTo(new Usage(40, 20, 0, 0, 0, 60));
        assertThat(requests)
                .hasSize(4)
                .allSatisfy(request -> assertThat(request.tools()).hasSize(12));
        assertThat(requests.getLast().messages()).hasSize(8);
    }

    @Test
    void shouldTellTheModelWhenACallGoesWrong() throws Exception {
        AgentResult result = run(branch(
                turn(
                        call("nothing", "{}"),
                        call("echo", "{}"),
                        call("echo", "{q: " + "x".repeat(21) + "}"),
                        call("echo", "{q: ..}"),
                        call("fail", "{q: a}"),
                        call("redirect", "{q: a}"),
                        call("image", "{q: a}"),
                        call("huge", "{q: a}"),
                        call("slow", "{q: a}"),
                        call("calculator", "{expression: 1/0}"),
                        call("empty", "{q: a}")),
                ""));

        assertThat(results(result))
                .containsExactly(
                        "!There is no tool nothing.",
                        "!The arguments are wrong: $: required property 'q' not found.",
                        "!The arguments are wrong: $.q: must be at most 20 characters long.",
                        "!With these arguments the address must not have . or .. as a path segment, however it is"
                                + " encoded.",
                        "!The server answered HTTP 500: out of order",
                        "!The server redirects (HTTP 302), which is not followed.",
                        "!The server answered with image/png, which is no text.",
                        "!The server gave no answer that can be read: body exceeds capacity: 1048576.",
                        "!The tool did not answer within 0.2 s.",
                        "!The expression divides by zero.",
                        "(no output)");
        assertThat(result.status()).isEqualTo(OutcomeStatus.COMPLETED);
    }

    @Test
    void shouldSayWhatIsLeftOutWhenAResultIsLarge() throws Exception {
        AgentResult result = run(branch(turn(call("large", "{q: a}")), ""));

        assertThat(results(result).getFirst())
                .startsWith("é".repeat(32_768))
                .endsWith("é\n[cut: the first 65536 of 100000 bytes]");
    }

    @Test
    void shouldRunTheCallsOfATurnAtOnceUnlessTheyAreSequential() throws Exception {
        String both = turn(call("together", "{q: a}"), call("together", "{q: b}"));
        assertThat(results(run(branch(both, "")))).containsExactly("both", "both");

        memory.turns.clear();
        memory.results.clear();
        String inOrder = turn(call("slow", "{q: a}"), call("order", "{q: b}"), call("echo", "{q: c}"));
        run(branch(inOrder, "toolExecution: sequential"));

        assertThat(events.stream()
                        .filter(AgentEvent.ToolExecutionStart.class::isInstance)
                        .skip(2)
                        .map(event -> ((AgentEvent.ToolExecutionStart) event).toolName()))
                .containsExactly("slow", "order", "echo");
        assertThat(server.asked().subList(3, 5))
                .containsExactly("POST /tools/order/b s3cret{}", "GET /tools/echo/c s3cret");
    }

    @Test
    void shouldNeitherAskNorRunAgainWhatIsOnRecord() throws Exception {
        Branch branch = branch(
                turn(call("order", "{q: a}"), call("order", "{q: b}"), call("echo", "{q: c}")) + ", "
                        + turn(call("calculator", "{expression: 1+1}")),
                "");
        ModelClient script = new ScriptedClient(((Agent.Scripted) branch.agent()).script());
        assertThatThrownBy(() -> run(branch, request -> {
                    if (request.turn() == 3) {
                        throw new InterruptedException("the worker dies");
                    }
                    return script.ask(request);
                }))
                .isInstanceOfSatisfying(
                        InterruptedLoopException.class,
                        died -> assertThat(died.soFar().measured().usage().total())
                                .isEqualTo(30));
        memory.results.put("1/1", null);
        memory.results.remove("1/2");
        requests.clear();
        events.clear();

        AgentResult result = run(branch, script);

        assertThat(requests).extracting(ModelRequest::turn).containsExactly(3);
        assertThat(server.asked())
                .as("what is on record is not run again; what only began is repeated when that does no harm")
                .containsExactlyInAnyOrder(
                        "POST /tools/order/a s3cret{}",
                        "POST /tools/order/b s3cret{}",
                        "GET /tools/echo/c s3cret",
                        "GET /tools/echo/c s3cret");
        assertThat(results(result).get(1)).startsWith("!The call was interrupted. It may have run or not");
        assertThat(results(result).get(2)).contains("/tools/echo/c");
        assertThat(Transcript.response(result.said().newMessages())).isEqualTo("last: 2");
        assertThat(result.said().measured().usage().total())
                .as("every turn, paid for once")
                .isEqualTo(45);
        assertThat(events.stream().map(AgentEvent::name).filter(name -> name.startsWith("Turn")))
                .containsExactly("TurnEnd", "TurnStart", "TurnEnd");
    }

    @Test
    void shouldNotWriteWhatNobodyNeedsWhenALoopHasOneTurn() throws Exception {
        Branch branch = CampaignReader.read(CampaignDocument.parse("""
            name: plain
            cases: [{id: a, prompt: Hello}]
            branches: [{id: b, kind: scripted, tools: [{type: calculator}], script: {answers: [Hi]}}]
            """), Map.of())
                .definition()
                .branches()
                .getFirst();

        assertThat(Transcript.response(run(branch).said().newMessages())).isEqualTo("Hi");
        assertThat(memory.turns).isEmpty();
    }

    @Test
    void shouldSendNothingWhenAFilterRefusesAndWarnWhenItOnlyWarns() throws Exception {
        String calls = turn(call("calculator", "{expression: 1+1}"));
        AgentLoopException refused = catchThrowableOfType(
                AgentLoopException.class,
                () -> run(branch(calls, "inputFilters: [{type: max-length, max: 3, message: Too much.}]")));

        assertThat(refused.failure().code()).isEqualTo(ErrorCode.INPUT_REJECTED);
        assertThat(requests).isEmpty();
        assertThat(events).extracting(AgentEvent::name).containsExactly("InputRejected");
        events.clear();

        AgentResult warned = run(branch(calls, "inputFilters: [{type: icontains, value: HELL, action: warn}]"));

        assertThat(warned.said().warnings()).containsExactly("The input contains \"HELL\".");
        assertThat(events.getFirst())
                .isInstanceOfSatisfying(
                        AgentEvent.ProgressMessage.class,
                        warning -> assertThat(warning.text()).isEqualTo("The input contains \"HELL\"."));
    }

    @Test
    void shouldSendLessAndKeepAllWhenTheConversationOutgrowsItsWindow() throws Exception {
        AgentResult result = run(branch(
                turn(call("large", "{q: a}")) + ", " + turn(call("calculator", "{expression: 1+1}")),
                "maxContextTokens: 2000"));

        assertThat(results(result).getFirst()).hasSizeGreaterThan(32_000);
        assertThat(requests.get(1).messages().get(2).text())
                .hasSizeLessThan(8_000)
                .endsWith("...");
        assertThat(events)
                .filteredOn(event -> event.name().startsWith("Compaction"))
                .extracting(AgentEvent::name)
                .containsExactly("CompactionStarted", "CompactionEnded", "CompactionStarted", "CompactionEnded");
        assertThat(events).noneMatch(AgentEvent.ProgressMessage.class::isInstance);
    }

    @Test
    void shouldWarnWhenEvenCompactionDoesNotFit() throws Exception {
        AgentResult result = run(branch(turn(call("large", "{q: a}")), "maxContextTokens: 10"));

        assertThat(result.said().warnings())
                .isNotEmpty()
                .allMatch(warning -> warning.endsWith("maxContextTokens is 10."));
        assertThat(events)
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                AgentEvent.ProgressMessage.class,
                                warning -> assertThat(warning.text()).endsWith("maxContextTokens is 10.")));
    }

    @Test
    void shouldRefuseToOfferWhatTheOperatorDoesNotAllow() {
        Branch branch = branch(turn(call("echo", "{q: a}")), "");
        try (Toolboxes strict = new Toolboxes(ToolPolicy.NONE, Map.of(), Computing.HERE);
                Toolboxes keyless = new Toolboxes(server.policy(), Map.of(), Computing.HERE)) {
            assertThatThrownBy(() -> strict.open(branch.tools(), () -> NOW, "campaign"))
                    .isInstanceOfSatisfying(
                            ToolboxException.class,
                            refused -> assertThat(refused.failure().code()).isEqualTo(ErrorCode.TOOL_NOT_ALLOWED))
                    .hasMessageContaining("127.0.0.1 is not among its addresses");
            assertThatThrownBy(() -> keyless.open(branch.tools(), () -> NOW, "campaign"))
                    .hasMessageContaining("TOOL_KEY");
        }
    }

    @Test
    void shouldTellTheModelWhenAToolOrTheCheckOfItsArgumentsTakesTooLong() throws Exception {
        Branch branch = branch(turn(call("calculator", "{expression: 1+1}")), "");
        computing = new StoppedComputing(TaskKind.TOOL);
        assertThat(results(run(branch))).containsExactly("!The tool calculator took more than 5 s.");
        memory.forget();
        computing = new StoppedComputing(TaskKind.SCHEMA);
        assertThat(results(run(branch))).containsExactly("!The check of the arguments took more than 5 s.");
    }

    @Test
    void shouldRefuseTheInputWhenAFilterTakesTooLong() {
        computing = new StoppedComputing(TaskKind.PATTERNS);
        AgentLoopException refused = catchThrowableOfType(
                AgentLoopException.class,
                () -> run(branch(
                        turn(call("calculator", "{expression: 1+1}")), "inputFilters: [{type: regex, value: 'a+b'}]")));

        assertThat(refused.failure().code()).isEqualTo(ErrorCode.INPUT_REJECTED);
        assertThat(refused.failure().message()).isEqualTo("The input filter took more than 5 s.");
        assertThat(requests).isEmpty();
    }

    @Test
    void shouldWarnWhenAFilterThatOnlyWarnsTakesTooLong() throws Exception {
        computing = new StoppedComputing(TaskKind.PATTERNS);
        AgentResult result = run(branch(
                turn(call("calculator", "{expression: 1+1}")),
                "inputFilters: [{type: regex, value: 'a+b', action: warn}]"));

        assertThat(result.status()).isEqualTo(OutcomeStatus.COMPLETED);
        assertThat(result.said().warnings()).containsExactly("The input filter took more than 5 s.");
    }

    @Test
    void shouldTellTheModelAndSendNothingWhenTheBodyOfARequestIsTooLong() throws Exception {
        String large = "{\"x\": \"" + "x".repeat(600_000) + "\"}";
        String larger = "{\"x\": \"" + "x".repeat(1_100_000) + "\"}";

        assertThat(posted(", body: '[{x}]'", large)).contains("xxx");
        assertThat(server.asked()).hasSize(1);
        assertThatThrownBy(() -> posted(", body: '[{x}, {x}]'", large))
                .isInstanceOf(ToolException.class)
                .hasMessage("With these arguments the request has more than 1048576 characters; send less.");
        for (String more : List.of("", ", body: '[{x}]'")) {
            assertThatThrownBy(() -> posted(more, larger))
                    .isInstanceOf(ToolException.class)
                    .hasMessage("The arguments have more than 1048576 characters; send less.");
        }
        assertThat(server.asked()).hasSize(1);
    }

    /** What a tool answers that posts its arguments to the server. */
    private String posted(String more, String arguments) throws InterruptedException {
        Branch branch = CampaignReader.read(CampaignDocument.parse("""
            name: tools
            cases: [{id: a, prompt: Hello}]
            branches:
              - id: b
                kind: scripted
                script: {answers: [x]}
                tools: [{type: http, name: order, description: Tests., method: POST, url: "%s/order",
                  parameters: {type: object, properties: {x: {type: string}}}%s}]
            """.formatted(server.url(), more)), Map.of())
                .definition()
                .branches()
                .getFirst();
        try (Toolbox toolbox = toolboxes.open(branch.tools(), () -> NOW, "campaign")) {
            return toolbox.find("order").orElseThrow().run(Json.tree(arguments), update -> {});
        }
    }
}
