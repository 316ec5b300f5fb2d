package dev.assay.activities.tool;

import static dev.assay.activities.tool.ScriptedMcp.is;
import static dev.assay.activities.tool.ScriptedMcp.isCall;
import static dev.assay.activities.tool.ScriptedMcp.process;
import static dev.assay.activities.tool.ScriptedMcp.send;
import static dev.assay.activities.tool.ScriptedMcp.streaming;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolException;
import dev.assay.work.compute.Computing;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said to an MCP server, and what is made of its answers. */
@Timeout(60)
class McpProtocolTest {

    private static final Duration IN_TIME = Duration.ofSeconds(30);

    private static Toolboxes toolboxes(Tool.McpServer server) {
        return ScriptedMcp.toolboxes(server, Computing.HERE);
    }

    private static Toolbox open(Toolboxes toolboxes, Tool.McpServer server) {
        return toolboxes.open(ScriptedMcp.toolset(server), Instant::now, "campaign");
    }

    private static String greeting(Toolbox toolbox, String name) throws InterruptedException {
        return toolbox.find("greet").orElseThrow().run(Json.tree("{\"name\":\"" + name + "\"}"), _ -> {});
    }

    private static String greeting(Tool.McpServer server) throws InterruptedException {
        try (Toolboxes toolboxes = toolboxes(server);
                Toolbox toolbox = open(toolboxes, server)) {
            return greeting(toolbox, "Ada");
        }
    }

    /** Answers each {@code method} by {@code result}, a JSON object. */
    private static ScriptedMcp.Behaviour answering(String method, String result) {
        return (exchange, message) -> {
            if (!is(message, method)) {
                return false;
            }
            ObjectNode answer = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
            answer.set("id", message.get("id"));
            answer.set("result", Json.tree(result));
            send(exchange, 200, "application/json", answer.toString());
            return true;
        };
    }

    /** The same server, which notes what it is told. */
    private static ScriptedMcp.Behaviour noting(Queue<JsonNode> heard, ScriptedMcp.Behaviour server) {
        return (exchange, message) -> {
            heard.add(message);
            return server.answers(exchange, message);
        };
    }

    private static List<String> methods(Queue<JsonNode> heard) {
        return heard.stream().map(message -> message.path("method").asText()).toList();
    }

    @Test
    void shouldNameTheVersionInEachMessageButTheFirst() throws Exception {
        Queue<String> versions = new ConcurrentLinkedQueue<>();
        ScriptedMcp.Behaviour server = (exchange, message) -> {
            String version = exchange.getRequestHeaders().getFirst("MCP-Protocol-Version");
            versions.add(message.path("method").asText() + " " + version);
            return answering("initialize", """
                {"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}\
                """).answers(exchange, message);
        };
        try (ScriptedMcp old = new ScriptedMcp(server)) {
            assertThat(greeting(old.tools())).isEqualTo("Hello Ada");
        }
        assertThat(versions)
                .containsExactly(
                        "initialize null",
                        "notifications/initialized 2025-03-26",
                        "tools/list 2025-03-26",
                        "tools/call 2025-03-26");
    }

    @Test
    void shouldTellTheServerWhenACallTookTooLong() throws Exception {
        Queue<JsonNode> heard = new ConcurrentLinkedQueue<>();
        CountDownLatch over = new CountDownLatch(1);
        ScriptedMcp.Behaviour slow = streaming((out, answer) -> waitFor(over));
        try (ScriptedMcp server = new ScriptedMcp(noting(heard, slow));
                Toolboxes toolboxes = toolboxes(server.tools());
                Toolbox toolbox = open(toolboxes, server.tools())) {
            assertThatThrownBy(() -> greeting(toolbox, "Ada"))
                    .isInstanceOf(ToolException.class)
                    .hasMessage("The MCP server did not answer in time.");
            await("the word of it").atMost(IN_TIME).until(() -> methods(heard).contains("notifications/cancelled"));
            over.countDown();
        }
        assertThat(only(heard, "notifications/cancelled").path("params").path("requestId"))
                .isEqualTo(only(heard, "tools/call").path("id"));
    }

    private static JsonNode only(Queue<JsonNode> heard, String method) {
        List<JsonNode> found =
                heard.stream().filter(message -> is(message, method)).toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    private static void waitFor(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(IN_TIME.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Test
    void shouldAskNothingWhenTheServerSaysThatSomethingChanged() throws Exception {
        Queue<JsonNode> heard = new ConcurrentLinkedQueue<>();
        ScriptedMcp.Behaviour changing = streaming((out, answer) -> {
            for (String what : List.of("tools/list_changed", "resources/list_changed", "prompts/list_changed")) {
                out.write("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/" + what + "\"}\n\n");
            }
            out.write("data: " + answer + "\n\n");
        });
        try (ScriptedMcp server = new ScriptedMcp(noting(heard, changing));
                Toolboxes toolboxes = toolboxes(server.tools());
                Toolbox toolbox = open(toolboxes, server.tools())) {
            assertThat(greeting(toolbox, "Ada")).isEqualTo("Hello Ada");
            assertThat(greeting(toolbox, "Bob")).isEqualTo("Hello Bob");
        }
        assertThat(methods(heard))
                .containsExactly("initialize", "notifications/initialized", "tools/list", "tools/call", "tools/call");
    }

    @Test
    void shouldSayThatThereIsNoSuchMethodWhenTheServerAsksForOne() throws Exception {
        Queue<JsonNode> heard = new ConcurrentLinkedQueue<>();
        CountDownLatch answered = new CountDownLatch(4);
        ScriptedMcp.Behaviour asking = streaming((out, answer) -> {
            for (String what : List.of("sampling/createMessage", "elicitation/create", "roots/list", "ping")) {
                out.write("data: {\"jsonrpc\":\"2.0\",\"id\":\"" + what + "\",\"method\":\"" + what + "\"}\n\n");
            }
            waitFor(answered);
            out.write("data: " + answer + "\n\n");
        });
        ScriptedMcp.Behaviour all = (exchange, message) -> {
            if (!message.has("method")) {
                heard.add(message);
                answered.countDown();
            }
            return asking.answers(exchange, message);
        };
        try (ScriptedMcp server = new ScriptedMcp(all)) {
            assertThat(greeting(server.tools())).isEqualTo("Hello Ada");
        }
        assertThat(heard)
                .extracting(message -> message.path("id").asText() + " "
                        + (message.has("result")
                                ? "result"
                                : message.path("error").path("code").asText()))
                .containsExactlyInAnyOrder(
                        "sampling/createMessage -32601",
                        "elicitation/create -32601",
                        "roots/list -32601",
                        "ping result");
    }

    /**
     * Of two calls that are there at once, each is told 404 in the first session. A third one goes on in it. Each answer names its
     * session.
     */
    private static final class Forgetful implements ScriptedMcp.Behaviour {

        private final AtomicInteger sessions = new AtomicInteger();
        private final Queue<String> ran = new ConcurrentLinkedQueue<>();
        private final CyclicBarrier both = new CyclicBarrier(2);
        private final CountDownLatch thirdIsThere = new CountDownLatch(1);
        private final CountDownLatch othersAreOver = new CountDownLatch(1);

        @Override
        public boolean answers(HttpExchange exchange, JsonNode message) throws IOException {
            if (is(message, "initialize")) {
                exchange.getResponseHeaders().set("Mcp-Session-Id", "session-" + sessions.incrementAndGet());
            }
            if (!isCall(message)) {
                return false;
            }
            String asked = exchange.getRequestHeaders().getFirst("Mcp-Session-Id");
            exchange.getResponseHeaders().set("Mcp-Session-Id", asked);
            String name = message.path("params").path("arguments").path("name").asText();
            if (name.equals("third")) {
                thirdIsThere.countDown();
                waitFor(othersAreOver);
            } else if (asked.equals("session-1")) {
                meet(both);
                exchange.sendResponseHeaders(404, -1);
                return true;
            }
            ran.add(name);
            return false;
        }
    }

    @Test
    void shouldRunEachCallOnceWhenTwoFindTheSessionForgottenAndAThirdGoesOn() throws Exception {
        Forgetful forgetful = new Forgetful();
        try (ScriptedMcp server = new ScriptedMcp(forgetful);
                Toolboxes toolboxes = toolboxes(server.tools());
                Toolbox toolbox = open(toolboxes, server.tools());
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> third = callers.submit(() -> greeting(toolbox, "third"));
            waitFor(forgetful.thirdIsThere);
            Future<String> first = callers.submit(() -> greeting(toolbox, "first"));
            Future<String> second = callers.submit(() -> greeting(toolbox, "second"));
            assertThat(first.get()).isEqualTo("Hello first");
            assertThat(second.get()).isEqualTo("Hello second");
            forgetful.othersAreOver.countDown();
            assertThat(third.get()).isEqualTo("Hello third");
            assertThat(greeting(toolbox, "fourth")).isEqualTo("Hello fourth");
        }
        assertThat(forgetful.ran).containsExactlyInAnyOrder("first", "second", "third", "fourth");
        assertThat(forgetful.sessions).hasValue(2);
    }

    private static void meet(CyclicBarrier barrier) throws IOException {
        try {
            barrier.await(IN_TIME.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // The draft's name is left out; all other keywords stay.
                "{'$schema':'http://json-schema.org/draft-07/schema#','type':'object','properties':{'n':{'type':'integer','default':3,'minimum':1}},'additionalProperties':false}|"
                    + " {'type':'object','properties':{'n':{'type':'integer','default':3,'minimum':1}},'additionalProperties':false}",
                "{} | {'type':'object','properties':{}}",
                "{'type':'object'} | {'type':'object','properties':{}}",
                // One that cannot be used, and one that cannot be stored.
                "{'type':'object','properties':{'n':{'minimum':'x'}}} | {'type':'object','properties':{}}",
                "{'type':'object','properties':{'n':{'const':'a\\u0000b'}}} |"
                        + " {'type':'object','properties':{'n':{'const':'a\uFFFDb'}}}",
            })
    void shouldOfferTheWholeSchemaOfATool(String written, String offered) throws Exception {
        String tools = "{'tools':[{'name':'one','inputSchema':" + written + "}]}";
        try (ScriptedMcp server = new ScriptedMcp(answering("tools/list", tools.replace('\'', '"')));
                Toolboxes toolboxes = toolboxes(server.tools());
                Toolbox toolbox = open(toolboxes, server.tools())) {
            assertThat(toolbox.specs().getFirst().parameters()).isEqualTo(Json.tree(offered.replace('\'', '"')));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'content':[{'type':'text','text':'a'},{'type':'text','text':'b'}] | a;b",
                "'content':[{'type':'text','text':'see'},{'type':'image','data':'iVBO','mimeType':'image/png'}]"
                        + "| see;[image, image/png, not shown]",
                "'content':[{'type':'audio','data':'iVBO','mimeType':'audio/wav'}] | [audio, audio/wav, not shown]",
                "'content':[{'type':'resource','resource':{'uri':'file:///a','text':'inside'}}] | inside",
                "'content':[{'type':'resource','resource':{'uri':'file:///a','mimeType':'x/y','blob':'aa'}}]"
                        + "| [resource, x/y, file:///a, not shown]",
                "'content':[{'type':'resource_link','name':'a','uri':'file:///a'}] | [resource, file:///a, not shown]",
                "'content':[{'type':'text','text':'a'}],'structuredContent':{'b':[1.5,null]} | {'b':[1.5,null]}",
                "'content':[],'structuredContent':{'b':1e999999} | {'b':'1E+999999'}",
                "'content':[null] | ``",
                "'structuredContent':[1] | [1]",
            })
    void shouldTellTheModelWhatAResultHolds(String result, String told) throws Exception {
        try (ScriptedMcp server = new ScriptedMcp(answering("tools/call", ("{" + result + "}").replace('\'', '"')))) {
            assertThat(greeting(server.tools()))
                    .isEqualTo(told.replace('\'', '"').replace(';', '\n'));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'isError':true,'content':[{'type':'text','text':'no'}],'structuredContent':{}} | no",
                "{'isError':true,'content':[]} | The tool failed.",
                "{'content':[{'type':'smell'}]} | The MCP server failed: ",
                "{'content':'text'} | The MCP server failed: ",
                "null | The MCP server failed: The MCP server sent a message that is no JSON or cannot be understood",
            })
    void shouldFailTheCallWhenTheResultSaysSoOrCannotBeUnderstood(String result, String message) throws Exception {
        try (ScriptedMcp server = new ScriptedMcp(answering("tools/call", result.replace('\'', '"')))) {
            assertThatThrownBy(() -> greeting(server.tools()))
                    .isInstanceOf(ToolException.class)
                    .hasMessageStartingWith(message);
        }
    }

    @Test
    void shouldNameTheStatusWhenAServerFailsAtLength() throws Exception {
        ScriptedMcp.Behaviour failing = (exchange, message) -> {
            if (isCall(message)) {
                send(exchange, 500, "text/html", "x".repeat(2 * 1024 * 1024));
            }
            return isCall(message);
        };
        try (ScriptedMcp server = new ScriptedMcp(failing)) {
            assertThatThrownBy(() -> greeting(server.tools()))
                    .isInstanceOf(ToolException.class)
                    .hasMessage("The MCP server failed: The MCP server answered HTTP 500");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"junk", "right"})
    void shouldPassOverWhatAProcessWritesThatIsNoMessage(String mode) throws Exception {
        assertThat(greeting(process(mode))).isEqualTo("Hello Ada");
    }

    @Test
    void shouldGiveTheCallUpAtOnceWhenItsCallerIsInterrupted() throws Exception {
        CountDownLatch isThere = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        ScriptedMcp.Behaviour slow = streaming((out, answer) -> {
            isThere.countDown();
            waitFor(over);
        });
        try (ScriptedMcp server = new ScriptedMcp(slow);
                Toolboxes toolboxes = toolboxes(server.tools());
                Toolbox toolbox = open(toolboxes, server.tools())) {
            AtomicInteger interrupted = new AtomicInteger();
            Thread caller = Thread.startVirtualThread(() -> {
                try {
                    greeting(toolbox, "Ada");
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                }
            });
            waitFor(isThere);
            caller.interrupt();
            assertThat(caller.join(RunnableTool.GRACE)).as("before its time").isTrue();
            assertThat(interrupted).hasValue(1);
            over.countDown();
        }
    }

    private static void assertUnavailable(Tool.McpServer server, String message) {
        try (Toolboxes toolboxes = toolboxes(server)) {
            assertThatThrownBy(() -> open(toolboxes, server))
                    .isInstanceOf(ToolboxException.class)
                    .hasMessageContaining(message);
        }
    }

    private static boolean refuse(HttpExchange exchange, JsonNode message) throws IOException {
        send(exchange, 200, "application/json", """
            {"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Not you.","data":{"secret":1}}}\
            """.formatted(message.get("id")));
        return true;
    }

    @Test
    void shouldBeUnavailableWhenAServerCannotBeSpokenTo() throws Exception {
        String said = "{\"protocolVersion\":\"%s\",\"capabilities\":{%s}}";
        try (ScriptedMcp future = new ScriptedMcp(answering("initialize", said.formatted("2999-01-01", "")));
                ScriptedMcp toolless = new ScriptedMcp(answering("initialize", said.formatted("2025-06-18", "")));
                ScriptedMcp refusing = new ScriptedMcp(McpProtocolTest::refuse)) {
            assertUnavailable(future.tools(), "Unsupported protocol version");
            assertUnavailable(toolless.tools(), "Server does not provide tools capability");
            assertUnavailable(refusing.tools(), "does not answer: Not you.");
        }
        assertUnavailable(new Tool.McpServer.Stdio(List.of("/no/such/program")), "No such file or directory");
    }
}
