package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.usage.Price;
import dev.assay.domain.usage.Usage;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponsesWireTest {

    private static final Price PRICE = new Price(BigDecimal.ONE, BigDecimal.TEN, new BigDecimal("0.5"), BigDecimal.ONE);

    private static final String THOUGHT =
            "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"Both.\"}],"
                    + "\"encrypted_content\":\"gAAAA+/=\",\"added_later\":1.5}";

    private static final String UNREADABLE =
            "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gAAAA2\"}";

    private static final String CALL = "{\"id\":\"fc_1\",\"type\":\"function_call\",\"call_id\":\"c1\","
            + "\"name\":\"weather\",\"arguments\":\"{\\\"city\\\":\\\"Rome\\\"}\"}";

    private static final String SAID = "{\"id\":\"m_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":["
            + "{\"type\":\"output_text\",\"text\":\"One \",\"annotations\":[]},{\"type\":\"new_part\"},"
            + "{\"type\":\"output_text\",\"text\":\"moment.\"}]}";

    private static final String USAGE = "{\"input_tokens\":20,\"input_tokens_details\":{\"cached_tokens\":8},"
            + "\"output_tokens\":9,\"output_tokens_details\":{\"reasoning_tokens\":5},\"total_tokens\":29}";

    private static final ToolSpec WEATHER = new ToolSpec(
            "weather",
            "The weather of a city.",
            Json.tree("{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"]}"),
            true);

    private static String response(String status, String... items) {
        return "{\"id\":\"resp_1\",\"object\":\"response\",\"status\":\"" + status
                + "\",\"error\":null,\"incomplete_details\":null,\"model\":\"served-1\",\"service_tier\":\"flex\","
                + "\"output\":[" + String.join(",", items) + "],\"usage\":" + USAGE + "}";
    }

    private static final String ANSWER =
            response("completed", THOUGHT, SAID, UNREADABLE, "{\"type\":\"web_search_call\"}", CALL);

    /** Every way in which a stream can say something, and the end. */
    private static String stream(String... events) {
        return Arrays.stream(events)
                .map(event -> "event: x\ndata: " + event + "\n\n")
                .collect(Collectors.joining());
    }

    private static final String[] EVENTS = {
        "{\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\",\"error\":null,\"output\":[]}}",
        "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"reasoning\"}}",
        "{\"type\":\"response.reasoning_summary_text.delta\",\"output_index\":0,\"delta\":\"Bo\"}",
        "{\"type\":\"response.reasoning_summary_text.delta\",\"output_index\":0,\"delta\":\"th.\"}",
        "{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":" + THOUGHT + "}",
        "{\"type\":\"response.output_text.delta\",\"output_index\":1,\"delta\":\"One \"}",
        "{\"type\":\"response.output_text.delta\",\"output_index\":1,\"delta\":\"moment.\"}",
        "{\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":" + SAID + "}",
        "{\"type\":\"response.output_item.done\",\"output_index\":2,\"item\":" + UNREADABLE + "}",
        "{\"type\":\"response.output_item.added\",\"output_index\":4,\"item\":{\"type\":\"function_call\","
                + "\"name\":\"weather\",\"arguments\":\"\"}}",
        "{\"type\":\"response.function_call_arguments.delta\",\"output_index\":4,\"delta\":\"{\\\"city\\\":\"}",
        "{\"type\":\"response.function_call_arguments.delta\",\"output_index\":4,\"delta\":\"\\\"Rome\\\"}\"}",
        "{\"type\":\"response.output_item.done\",\"output_index\":4,\"item\":" + CALL + "}",
        "{\"type\":\"new_event\",\"output_index\":{}}",
    };

    private static String events(String last) {
        return stream(EVENTS) + stream(last);
    }

    private static String completed(String response) {
        return "{\"type\":\"response.completed\",\"response\":" + response + "}";
    }

    private static final class Heard implements AnswerListener {

        private final List<String> pieces = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void piece(Part part, int index, @Nullable String toolName, String text) {
            pieces.add(part + " " + index + " " + toolName + " " + text);
        }

        @Override
        public void pause() {}
    }

    private static void streamed(HttpExchange exchange, String body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
    }

    private static ModelChoice choice(Thinking thinking, boolean optional, String parameters) {
        return new ModelChoice("responses", "some-model", thinking, optional, Requests.parameters(parameters));
    }

    private static final ModelChoice PLAIN = choice(Thinking.OFF, false, "{}");

    private static ModelRequest request(List<Message> messages) {
        return new ModelRequest("Be brief.", messages, List.of(WEATHER), 1, 1, 1, 500, Duration.ofSeconds(20));
    }

    private static final ModelRequest REQUEST = request(List.of(Message.user("Hello")));

    /** A client of the stub, with the connections that it needs. */
    private record Client(WireClient wire, WholeAnswers http) implements AutoCloseable {

        static Client of(StubProvider stub) {
            ProviderSettings settings = new ProviderSettings(
                    "responses",
                    ProviderType.OPENAI_RESPONSES,
                    URI.create(stub.url() + "/v1"),
                    "KEY",
                    1,
                    1,
                    Map.of("*", PRICE));
            WholeAnswers http = new WholeAnswers(WireClient.MAX_ANSWER);
            return new Client(new WireClient(settings, ApiKey.of(Requests.KEY), http), http);
        }

        ModelReply ask(ModelChoice choice, ModelRequest request) throws InterruptedException {
            return wire.of(choice).ask(request);
        }

        @Override
        public void close() {
            http.close();
        }
    }

    private static ModelReply whole(String body) throws Exception {
        try (StubProvider stub = StubProvider.answering(200, body);
                Client client = Client.of(stub)) {
            return client.ask(PLAIN, REQUEST);
        }
    }

    private static ModelReply streamed(String body, Heard heard) throws Exception {
        try (StubProvider stub = new StubProvider(exchange -> streamed(exchange, body));
                Client client = Client.of(stub)) {
            return client.wire().of(PLAIN).ask(REQUEST, heard);
        }
    }

    @Test
    void shouldSendTheRequestAndReadTheReplyWhenAsked() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, ANSWER);
                Client client = Client.of(stub)) {
            ModelReply reply = client.ask(choice(Thinking.LOW, false, "{\"temperature\":0,\"topP\":0.5}"), REQUEST);

            StubProvider.Asked asked = stub.asked().getFirst();
            assertThat(asked.path()).isEqualTo("/v1/responses");
            assertThat(asked.header("Authorization")).isEqualTo("Bearer " + Requests.KEY);
            assertThat(Json.tree(asked.text())).isEqualTo(Json.tree("""
                {"model":"some-model","instructions":"Be brief.","input":[{"role":"user","content":"Hello"}],
                "temperature":0,"top_p":0.5,"max_output_tokens":500,"reasoning":{"effort":"low","summary":"auto"},
                "include":["reasoning.encrypted_content"],"tools":[{"type":"function","name":"weather",
                "description":"The weather of a city.","strict":false,"parameters":{"type":"object",
                "properties":{"city":{"type":"string"}},"required":["city"]}}],"store":false,"stream":false}\
                """));
            assertThat(reply.message())
                    .as("in the order in which it came: a call belongs to the thought before it")
                    .isEqualTo(new Message(
                            Role.ASSISTANT,
                            List.of(
                                    new Content.Thinking("Both.", THOUGHT),
                                    new Content.Text("One moment."),
                                    new Content.Thinking("", UNREADABLE),
                                    new Content.ToolCall("c1", "weather", Json.tree("{\"city\":\"Rome\"}"))),
                            null));
            assertThat(reply.finishReason()).isEqualTo("tool_execution");
            assertThat(reply.measured().usage()).isEqualTo(new Usage(20L, 9L, 5L, 8L, null, 29L));
            assertThat(reply.measured().costUsd()).isEqualByComparingTo("0.000106");
            assertThat(reply.provenance().served()).isEqualTo(new Served("served-1", null, "flex"));
            assertThat(reply.provenance().effective()).isEqualTo(Json.tree("""
                {"model":"some-model","temperature":0,"top_p":0.5,"max_output_tokens":500,
                "reasoning":{"effort":"low","summary":"auto"},"include":["reasoning.encrypted_content"],"store":false}\
                """));
            assertThat(reply.warnings()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "json"                                                 | {"type":"json_object"}                                         | {"type":"json_object"}
        {"name":"n","schema":{"type":"object"},"strict":false} | {"type":"json_schema","name":"n","schema":{"type":"object"},"strict":false} | {"type":"json_schema","name":"n","strict":false}
        """)
    void shouldAskForTheFormOfTheAnswer(String format, String sent, String recorded) throws Exception {
        try (StubProvider stub = StubProvider.answering(200, ANSWER);
                Client client = Client.of(stub)) {
            ModelReply reply = client.ask(choice(Thinking.OFF, false, "{\"responseFormat\":" + format + "}"), REQUEST);

            assertThat(stub.asked().getFirst().body().at("/text/format")).isEqualTo(Json.tree(sent));
            assertThat(reply.provenance().effective().at("/text/format")).isEqualTo(Json.tree(recorded));
        }
    }

    @Test
    void shouldTellThePiecesAndReadTheSameReplyWhenStreamed() throws Exception {
        Heard heard = new Heard();
        ModelReply whole = whole(ANSWER);

        for (String last : List.of(ANSWER, response("completed"), ANSWER.replace("\"output\":[", "\"other\":["))) {
            heard.pieces.clear();
            ModelReply reply = streamed(events(completed(last)), heard);

            assertThat(reply.message())
                    .as("the last event may leave out what was said before")
                    .isEqualTo(whole.message());
            assertThat(reply.measured().usage()).isEqualTo(whole.measured().usage());
            assertThat(reply.finishReason()).isEqualTo(whole.finishReason());
            assertThat(heard.pieces)
                    .containsExactly(
                            "THINKING 0 null Bo",
                            "THINKING 0 null th.",
                            "TEXT 0 null One ",
                            "TEXT 0 null moment.",
                            "TOOL_CALL 0 weather {\"city\":",
                            "TOOL_CALL 0 weather \"Rome\"}");
        }
    }

    @Test
    void shouldLeaveOutWithAWarningWhatTheApiDoesNotHave() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, ANSWER);
                Client client = Client.of(stub)) {
            ModelReply reply = client.ask(choice(Thinking.OFF, false, """
                {"seed":7,"stop":["END"],"frequencyPenalty":1,"presencePenalty":1}\
                """), REQUEST);

            assertThat(reply.warnings())
                    .hasSize(4)
                    .allMatch(warning -> warning.startsWith("Provider responses has no parameter "));
            JsonNode sent = stub.asked().getFirst().body();
            assertThat(List.of("seed", "stop", "frequency_penalty", "presence_penalty"))
                    .noneMatch(sent::has);
        }
    }

    @Test
    void shouldSendAThoughtBackAsItCameWhenTheLoopGoesOn() throws Exception {
        Content.ToolCall call = new Content.ToolCall("c1", "weather", Json.tree("{\"city\":\"Rome\"}"));
        Message answered = new Message(
                Role.ASSISTANT,
                List.of(
                        new Content.Thinking("Both.", THOUGHT),
                        new Content.Text("One moment."),
                        new Content.Thinking("", UNREADABLE),
                        new Content.Thinking("Not mine.", "c2ln"),
                        new Content.Thinking("Forged.", "{\"type\":\"message\"}"),
                        new Content.Thinking("Cut.", "{\"type\":\"reas"),
                        new Content.Thinking("Huge.", "{\"type\":\"reasoning\",\"n\":1e999999999}"),
                        call),
                null);
        Message result = new Message(
                Role.TOOL, List.of(new Content.Text("Sun")), new Message.ToolResult("c1", "weather", false));
        try (StubProvider stub = StubProvider.answering(200, ANSWER);
                Client client = Client.of(stub)) {
            client.ask(PLAIN, request(List.of(Message.user("?"), answered, Message.user("Now?"), answered, result)));

            String said = "{\"role\":\"assistant\",\"content\":\"One moment.\"},";
            String called = "{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"weather\","
                    + "\"arguments\":\"{\\\"city\\\":\\\"Rome\\\"}\"},";
            String input = "[{\"role\":\"user\",\"content\":\"?\"}," + said + called
                    + "{\"role\":\"user\",\"content\":\"Now?\"}," + THOUGHT + "," + said + UNREADABLE + "," + called
                    + "{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":\"Sun\"}]";
            assertThat(stub.asked().getFirst().body().path("input"))
                    .as("thoughts before the last message of a user stay away, and so do those of other APIs")
                    .isEqualTo(Json.tree(input));
            assertThat(stub.asked().getFirst().text()).as("verbatim").contains(THOUGHT, UNREADABLE);
        }
    }

    @Test
    void shouldSendImagesAndEmptyAnswers() throws Exception {
        Message image = new Message(
                Role.USER, List.of(new Content.Text("This?"), new Content.Image("image/png", "iVBORw0=")), null);
        Message nothing = new Message(Role.ASSISTANT, List.of(), null);
        try (StubProvider stub = StubProvider.answering(200, ANSWER);
                Client client = Client.of(stub)) {
            client.ask(PLAIN, request(List.of(image, nothing, Message.user("!"))));

            assertThat(stub.asked().getFirst().body().path("input")).isEqualTo(Json.tree("""
                [{"role":"user","content":[{"type":"input_text","text":"This?"},
                {"type":"input_image","image_url":"data:image/png;base64,iVBORw0=","detail":"low"}]},
                {"role":"assistant","content":""},{"role":"user","content":"!"}]\
                """));
        }
    }

    /** What models of OpenAI refuse, in their words. */
    private static @Nullable String refusal(JsonNode body, String refused) {
        if (refused.contains("effort") && body.has("reasoning")) {
            return "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
        }
        if (refused.contains("summary") && body.at("/reasoning/summary").isTextual()) {
            return "Your organization must be verified to generate reasoning summaries.\",\"code\":\"unsupported_value";
        }
        return refused.contains("include") && body.has("include")
                ? "Encrypted content is not supported with this model."
                : null;
    }

    private static String form(StubProvider.Asked asked) {
        JsonNode reasoning = asked.body().path("reasoning");
        return (reasoning.path("effort").asText("") + " "
                                + reasoning.path("summary").asText(""))
                        .strip()
                + (asked.body().has("include") ? "+" : "-");
    }

    @ParameterizedTest
    @CsvSource({
        "OFF, false, '', '+'",
        "OFF, false, 'include', '+ -'",
        "HIGH, false, '', 'high auto+'",
        "HIGH, false, 'summary', 'high auto+ high+'",
        "HIGH, true, 'summary effort include', 'high auto+ high+ -'",
    })
    void shouldAskInTheFormThatTheModelTakesAndRememberIt(
            Thinking thinking, boolean optional, String refused, String forms) throws Exception {
        StubProvider[] self = new StubProvider[1];
        try (StubProvider stub = new StubProvider(exchange -> {
                    String refusal = refusal(self[0].asked(exchange).body(), refused);
                    StubProvider.answer(
                            exchange,
                            refusal == null ? 200 : 400,
                            refusal == null ? ANSWER : "{\"error\":{\"message\":\"" + refusal + "\"}}");
                });
                Client client = Client.of(stub)) {
            self[0] = stub;
            client.ask(choice(thinking, optional, "{}"), REQUEST);

            assertThat(stub.asked().stream().map(ResponsesWireTest::form).collect(Collectors.joining(" ")))
                    .isEqualTo(forms);
            ModelReply again = client.ask(choice(thinking, optional, "{}"), REQUEST);
            assertThat(forms).endsWith(form(stub.asked().getLast()));
            assertThat(stub.asked()).hasSize(forms.replace("high auto", "x").split(" ").length + 1);
            assertThat(again.warnings()).hasSize(optional ? 1 : 0);
        }
    }

    @Test
    void shouldRejectTheCellWhenTheModelDoesNotThink() throws Exception {
        String refusal = "{\"error\":{\"message\":\"'reasoning.effort' is not supported with this model.\"}}";
        try (StubProvider stub = StubProvider.answering(400, refusal);
                Client client = Client.of(stub)) {
            ModelException refused = catchThrowableOfType(
                    ModelException.class, () -> client.ask(choice(Thinking.HIGH, false, "{}"), REQUEST));

            assertThat(refused.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
            assertThat(refused.failure().message()).contains("thinkingOptional: true");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "completed, null, stop",
        "incomplete, '{\"reason\":\"max_output_tokens\"}', length",
        "incomplete, '{\"reason\":\"content_filter\"}', content_filter",
        "incomplete, '{\"reason\":\"new\"}', ''",
        "incomplete, null, ''",
        "incomplete, 7, ''",
        "'', null, ''",
    })
    void shouldSayWhyTheModelEnded(String status, String details, String reason) throws Exception {
        String body =
                response(status, SAID).replace("\"incomplete_details\":null", "\"incomplete_details\":" + details);
        String event = status.isEmpty() ? "completed" : status;

        ModelReply whole = whole(body);
        ModelReply streamed =
                streamed(stream("{\"type\":\"response." + event + "\",\"response\":" + body + "}"), new Heard());

        assertThat(whole.finishReason()).isEqualTo(reason.isEmpty() ? null : reason);
        assertThat(whole.message().text()).isEqualTo("One moment.");
        assertThat(streamed.finishReason()).isEqualTo(whole.finishReason());
        assertThat(streamed.message()).isEqualTo(whole.message());
    }

    @Test
    void shouldAnswerWithTheRefusalWhenTheModelRefuses() throws Exception {
        String refusal = "{\"type\":\"message\",\"content\":[{\"type\":\"refusal\",\"refusal\":\"I cannot.\"}]}";

        ModelReply reply = whole(response("completed", THOUGHT, refusal));

        assertThat(reply.message()).isEqualTo(Message.assistant("I cannot."));
        assertThat(reply.finishReason()).isEqualTo("content_filter");
        assertThat(reply.measured().usage().output()).isEqualTo(9);
    }

    @Test
    void shouldKeepWhatCanBeReadOfAThoughtThatCannotGoBack() throws Exception {
        ModelReply reply = whole(response(
                "completed",
                "{\"type\":\"reasoning\",\"content\":[{\"type\":\"reasoning_text\",\"text\":\"Hm\"}]}",
                "{\"type\":\"reasoning\",\"summary\":[]}",
                "{\"type\":\"reasoning\",\"encrypted_content\":\"x\",\"n\":1e999999999}",
                CALL,
                CALL));

        assertThat(reply.message().content())
                .as("items of one id are two items")
                .extracting(block -> block.getClass().getSimpleName())
                .containsExactly("Thinking", "ToolCall", "ToolCall");
        assertThat(reply.message().content().getFirst()).isEqualTo(new Content.Thinking("Hm"));
    }

    @Test
    void shouldGiveAnEmptyMessageWhenTheModelOnlyThought() throws Exception {
        String body = response("incomplete", "{\"type\":\"reasoning\",\"summary\":[]}");

        assertThat(whole(body).message().content()).isEmpty();
        assertThat(whole(response("completed")).message().content()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "7",
                "{}",
                "<html>It works!</html>",
                "{\"output\":",
                "{\"error\":{\"message\":\"wrong\"}}",
                "{\"status\":\"completed\"}",
                "{\"status\":\"completed\",\"output\":null}",
                "{\"status\":\"completed\",\"output\":{}}",
                "{\"status\":\"completed\",\"output\":\"Paris\"}",
                "{\"status\":\"completed\",\"output\":[7]}",
                "{\"status\":\"completed\",\"output\":[{\"type\":{}}]}",
                "{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":\"Paris\"}]}",
                "{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[null]}]}",
                "{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\","
                        + "\"text\":{}}]}]}",
                "{\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\",\"summary\":7}]}",
                "{\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\",\"encrypted_content\":{}}]}",
                "{\"status\":\"completed\",\"output\":[{\"type\":\"function_call\",\"arguments\":\"{}\"}]}",
                "{\"status\":\"completed\",\"output\":[{\"type\":\"function_call\",\"name\":\"f\",\"arguments\":{}}]}",
                "{\"status\":\"in_progress\",\"output\":[]}",
                "{\"status\":\"queued\",\"output\":[]}",
                "{\"status\":\"cancelled\",\"output\":[]}",
                "{\"status\":{},\"output\":[]}",
                "{\"status\":\"completed\",\"output\":[],\"model\":{}}",
                "{\"status\":\"completed\",\"output\":[],\"usage\":{\"input_tokens\":-1}}",
                "{\"status\":\"completed\",\"output\":[],\"usage\":{\"output_tokens_details\":"
                        + "{\"reasoning_tokens\":-1}}}",
            })
    void shouldSayConnectionWhenSuccessIsNotWhatTheApiPromises(String body) throws Exception {
        ModelException whole = catchThrowableOfType(ModelException.class, () -> whole(body));

        assertThat(whole.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        assertThat(whole.failure().message()).contains("answered HTTP 200 with");
        if (body.startsWith("{\"status")) {
            ModelException streamed =
                    catchThrowableOfType(ModelException.class, () -> streamed(stream(completed(body)), new Heard()));
            assertThat(streamed.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[DONE]",
                "no JSON",
                "[1]",
                "{}",
                "{\"type\":7}",
                "{\"type\":\"response.completed\"}",
                "{\"type\":\"response.completed\",\"response\":7}",
                "{\"type\":\"response.output_text.delta\",\"delta\":{}}",
                "{\"type\":\"response.output_text.delta\",\"delta\":\"cut off\"}",
            })
    void shouldSayConnectionWhenAStreamIsNoAnswer(String event) throws Exception {
        for (String end : List.of("", stream("[DONE]"))) {
            ModelException failure =
                    catchThrowableOfType(ModelException.class, () -> streamed(stream(event) + end, new Heard()));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        }
    }

    @Test
    void shouldKeepItemsApartWhenAServerDoesNotNumberThem() throws Exception {
        String done = "{\"type\":\"response.output_item.done\",\"item\":";
        String sameId = CALL.replace("fc_1", "m_1");

        ModelReply reply = streamed(
                stream(
                        done + SAID + "}",
                        done + CALL + "}",
                        done + CALL + "}",
                        done + sameId + ",\"output_index\":1}",
                        completed(response("completed"))),
                new Heard());

        assertThat(reply.message().text()).isEqualTo("One moment.");
        assertThat(reply.message().toolCalls())
                .as("what is said again is the same")
                .hasSize(2);
    }

    @Test
    void shouldNotTakeAnAnswerForEmptyWhenItsStreamSaidSomething() {
        String body =
                stream("{\"type\":\"response.output_text.delta\",\"delta\":\"Hi\"}", completed(response("completed")));

        ModelException failure = catchThrowableOfType(ModelException.class, () -> streamed(body, new Heard()));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
    }

    @ParameterizedTest
    @CsvSource({
        "server_error, PROVIDER_UNAVAILABLE",
        "rate_limit_exceeded, PROVIDER_RATE_LIMITED",
        "insufficient_quota, PROVIDER_REJECTED",
        "invalid_prompt, PROVIDER_REJECTED",
        "image_content_policy_violation, PROVIDER_REJECTED",
        "context_length_exceeded, CONTEXT_TOO_LONG",
        "invalid_api_key, PROVIDER_AUTH",
        "new_code, PROVIDER_UNAVAILABLE",
    })
    void shouldClassifyAnErrorInsideOfASuccess(String word, ErrorCode code) throws Exception {
        String error = "{\"code\":\"" + word + "\",\"message\":\"the words\"}";
        String failed = response("failed").replace("\"error\":null", "\"error\":" + error);
        ModelException whole = catchThrowableOfType(ModelException.class, () -> whole(failed));
        List<ModelException> failures = new ArrayList<>(List.of(whole));
        for (String event : List.of(
                "{\"type\":\"response.failed\",\"response\":" + failed + "}",
                "{\"type\":\"error\",\"code\":\"" + word + "\",\"message\":\"the words\",\"param\":null}",
                "{\"type\":\"error\",\"error\":" + error + "}")) {
            failures.add(catchThrowableOfType(ModelException.class, () -> streamed(events(event) + "x", new Heard())));
        }

        assertThat(failures).allSatisfy(failure -> {
            assertThat(failure.failure().code()).isEqualTo(code);
            assertThat(failure.failure().message()).endsWith(": the words");
        });
    }

    @Test
    void shouldTimeOutWhenAStreamHasNoEnd() throws Exception {
        try (StubProvider stub = new StubProvider(exchange -> {
                    streamed(exchange, "");
                    for (boolean isOpen = true; isOpen; ) {
                        exchange.getResponseBody().write(stream(EVENTS).getBytes(StandardCharsets.UTF_8));
                        exchange.getResponseBody().flush();
                        isOpen = !Thread.currentThread().isInterrupted();
                    }
                });
                Client client = Client.of(stub)) {
            ModelRequest short1 =
                    new ModelRequest(null, List.of(Message.user("Hello")), 1, 1, 500, Duration.ofMillis(300));

            ModelException failure = catchThrowableOfType(
                    ModelException.class, () -> client.wire().of(PLAIN).ask(short1, new Heard()));

            assertThat(failure.failure().code())
                    .as("the time runs out, or the bytes that an answer may have")
                    .isIn(ErrorCode.PROVIDER_TIMEOUT, ErrorCode.PROVIDER_CONNECTION);
        }
    }

    @Test
    void shouldCompareTextsByTheEmbeddingsOfTheSameServer() throws Exception {
        try (StubProvider stub = StubProvider.answering(
                        200,
                        "{\"data\":[{\"embedding\":[1,0]},{\"embedding\":[0,1]}],\"usage\":{\"prompt_tokens\":2}}");
                Client client = Client.of(stub)) {
            ModelReply reply = client.ask(PLAIN, Requests.comparing("[\"a\",\"b\"]", Duration.ofSeconds(20)));

            assertThat(stub.asked().getFirst().path()).isEqualTo("/v1/embeddings");
            assertThat(reply.message().text()).isEqualTo("[0.0]");
        }
    }
}
