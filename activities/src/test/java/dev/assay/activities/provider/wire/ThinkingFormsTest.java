package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a provider that plays the generations of Claude in the words of their API, and serves under another name. */
class ThinkingFormsTest {

    /** What a model of a generation says against a request; null: nothing. */
    private enum Generation {
        CLAUDE_3 {
            @Override
            @Nullable
            String refuses(JsonNode body) {
                return body.has("thinking") ? "'claude-3-haiku' does not support thinking." : null;
            }
        },
        CLAUDE_4_5 {
            @Override
            @Nullable
            String refuses(JsonNode body) {
                if (body.path("thinking").path("type").asText().equals("adaptive")) {
                    return "adaptive thinking is not supported on this model";
                }
                return body.has("output_config") ? "This model does not support the effort parameter." : null;
            }
        },
        CLAUDE_4_6 {
            @Override
            @Nullable
            String refuses(JsonNode body) {
                return effort(body).equals("xhigh")
                        ? "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium."
                        : null;
            }
        },
        CLAUDE_4_7 {
            @Override
            @Nullable
            String refuses(JsonNode body) {
                if (body.has("temperature")) {
                    return "`temperature` is deprecated for this model.";
                }
                return body.path("thinking").path("type").asText().equals("enabled")
                        ? "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\""
                                + " and \"output_config.effort\" to control thinking behavior."
                        : null;
            }
        };

        abstract @Nullable String refuses(JsonNode body);

        StubProvider provider() throws IOException {
            StubProvider[] self = new StubProvider[1];
            self[0] = new StubProvider(exchange -> {
                String refusal = refuses(self[0].asked().getLast().body());
                if (refusal == null) {
                    StubProvider.answer(exchange, 200, ANSWER);
                } else {
                    String error = Json.mapper()
                            .createObjectNode()
                            .put("type", "invalid_request_error")
                            .put("message", refusal)
                            .toString();
                    StubProvider.answer(exchange, 400, "{\"type\":\"error\",\"error\":" + error + "}");
                }
            });
            return self[0];
        }
    }

    private static final String ANSWER = Requests.ANTHROPIC_ANSWER
            .replace("\"model\":\"m\"", "\"model\":\"claude-served-20261101\"")
            .replace("\"usage\":{", "\"usage\":{\"service_tier\":\"priority\",");

    private static String effort(JsonNode body) {
        return body.path("output_config").path("effort").asText();
    }

    private static ModelReply ask(ProviderCatalog catalog, Thinking thinking, boolean optional, String parameters)
            throws InterruptedException {
        ModelChoice choice =
                new ModelChoice("anthropic", "some-model", thinking, optional, Requests.parameters(parameters));
        return catalog.client(choice).ask(Requests.request(500, Duration.ofSeconds(20)));
    }

    @ParameterizedTest
    @CsvSource({
        "CLAUDE_4_5, MINIMAL, budget 1024",
        "CLAUDE_4_5, LOW, budget 1024",
        "CLAUDE_4_5, MEDIUM, budget 2048",
        "CLAUDE_4_5, HIGH, budget 8192",
        "CLAUDE_4_5, XHIGH, budget 16384",
        "CLAUDE_4_5, MAX, budget 24576",
        "CLAUDE_4_6, MINIMAL, effort low",
        "CLAUDE_4_6, LOW, effort low",
        "CLAUDE_4_6, MEDIUM, effort medium",
        "CLAUDE_4_6, HIGH, effort high",
        "CLAUDE_4_6, XHIGH, budget 16384",
        "CLAUDE_4_6, MAX, effort max",
        "CLAUDE_4_7, MINIMAL, effort low",
        "CLAUDE_4_7, LOW, effort low",
        "CLAUDE_4_7, MEDIUM, effort medium",
        "CLAUDE_4_7, HIGH, effort high",
        "CLAUDE_4_7, XHIGH, effort xhigh",
        "CLAUDE_4_7, MAX, effort max",
        "CLAUDE_3, OFF, ''",
        "CLAUDE_4_5, OFF, ''",
        "CLAUDE_4_6, OFF, ''",
        "CLAUDE_4_7, OFF, ''",
    })
    void shouldAskInTheFormThatTheModelTakes(Generation generation, Thinking thinking, String form) throws Exception {
        try (StubProvider stub = generation.provider();
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelReply reply = ask(catalog, thinking, false, "{}");
            JsonNode taken = stub.asked().getLast().body();
            int tries = stub.asked().size();
            ask(catalog, thinking, false, "{}");

            assertThat(form(taken)).isEqualTo(form);
            assertThat(stub.asked()).as("the model's form is remembered").hasSize(tries + 1);
            assertThat(stub.asked().getLast().body()).isEqualTo(taken);
            assertThat(reply.warnings()).isEmpty();
            assertThat(taken.path("max_tokens").asInt())
                    .as("room for the answer beside the thoughts, reserved before it is sent")
                    .isEqualTo(catalog.outputTokenBound(
                            new ModelChoice("anthropic", "some-model", thinking, Map.of()), 500));
        }
    }

    private static String form(JsonNode body) {
        JsonNode thinking = body.path("thinking");
        return switch (thinking.path("type").asText()) {
            case "adaptive" -> "effort " + effort(body);
            case "enabled" -> "budget " + thinking.path("budget_tokens").asInt();
            default -> effort(body);
        };
    }

    @Test
    void shouldSayWhatWasSentAndServedWhenTheModelAnswers() throws Exception {
        try (StubProvider stub = Generation.CLAUDE_4_7.provider();
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelReply reply = ask(catalog, Thinking.HIGH, false, "{\"stop\": \"END\"}");

            assertThat(reply.provenance().effective()).isEqualTo(Json.tree("""
                {"model": "some-model", "max_tokens": 8692, "stop_sequences": ["END"],
                 "thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "high"}}\
                """));
            assertThat(reply.provenance().served()).isEqualTo(new Served("claude-served-20261101", null, "priority"));
        }
    }

    @ParameterizedTest
    @CsvSource({"OFF", "HIGH"})
    void shouldAskForAnAnswerAfterASchemaBesideTheEffort(Thinking thinking) throws Exception {
        try (StubProvider stub = Generation.CLAUDE_4_7.provider();
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            String format = "{\"name\":\"n\",\"schema\":{\"type\":\"object\"},\"strict\":true}";
            ModelReply reply = ask(catalog, thinking, false, "{\"responseFormat\":" + format + "}");

            JsonNode sent = stub.asked().getLast().body();
            assertThat(sent.at("/output_config/format"))
                    .isEqualTo(Json.tree("{\"type\":\"json_schema\",\"schema\":{\"type\":\"object\"}}"));
            assertThat(effort(sent)).isEqualTo(thinking == Thinking.OFF ? "" : "high");
            assertThat(reply.provenance().effective().at("/output_config/format"))
                    .isEqualTo(Json.tree("{\"type\":\"json_schema\"}"));
        }
    }

    @Test
    void shouldSendNothingWhenPlainJsonIsAsked() throws Exception {
        try (StubProvider stub = Generation.CLAUDE_4_7.provider();
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelException refused = catchThrowableOfType(
                    ModelException.class, () -> ask(catalog, Thinking.OFF, false, "{\"responseFormat\":\"json\"}"));

            assertThat(refused.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
            assertThat(refused.failure().message()).contains("write `responseFormat: {schema: …}`");
            assertThat(stub.asked()).isEmpty();
        }
    }

    @Test
    void shouldNotDropThinkingWhenTheFormOfTheAnswerIsRefused() throws Exception {
        String refusal = "{\"error\":{\"message\":\"output_config.format: 'minLength' is not supported\"}}";
        try (StubProvider stub = StubProvider.answering(400, refusal);
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            catchThrowableOfType(ModelException.class, () -> ask(catalog, Thinking.HIGH, true, "{}"));

            assertThat(stub.asked()).hasSize(1);
        }
    }

    @Test
    void shouldTellOfEachFurtherRequestWhenTheModelRefusesAForm() throws Exception {
        AtomicInteger repeated = new AtomicInteger();
        ModelChoice choice = new ModelChoice("anthropic", "some-model", Thinking.HIGH, Map.of());
        ModelRequest request = Requests.request(500, Duration.ofSeconds(20)).repeating(repeated::incrementAndGet);
        try (StubProvider stub = Generation.CLAUDE_4_5.provider();
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            catalog.client(choice).ask(request);
            assertThat(stub.asked()).hasSize(2);
            assertThat(repeated).hasValue(1);

            catalog.client(choice).ask(request);
            assertThat(repeated).as("the form is known now").hasValue(1);
        }
    }

    @Test
    void shouldRejectTheCellWhenTheModelRefusesEveryForm() throws Exception {
        try (StubProvider stub = Generation.CLAUDE_3.provider();
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelException refused =
                    catchThrowableOfType(ModelException.class, () -> ask(catalog, Thinking.HIGH, false, "{}"));

            assertThat(refused.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
            assertThat(refused.failure().message())
                    .contains("does not support thinking", "some-model", "`thinking: high`", "thinkingOptional: true");
            assertThat(stub.asked())
                    .extracting(asked -> form(asked.body()))
                    .containsExactly("effort high", "budget 8192");
        }
    }

    @Test
    void shouldLeaveThinkingOutWithAWarningWhenItIsOptional() throws Exception {
        try (StubProvider stub = Generation.CLAUDE_3.provider();
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelReply first = ask(catalog, Thinking.HIGH, true, "{}");
            ModelReply second = ask(catalog, Thinking.HIGH, true, "{}");

            assertThat(stub.asked())
                    .extracting(asked -> form(asked.body()))
                    .containsExactly("effort high", "budget 8192", "", "");
            assertThat(stub.asked().getLast().body().path("max_tokens").asInt()).isEqualTo(500);
            assertThat(first.warnings())
                    .as("each answer says so, the remembered one too")
                    .isEqualTo(second.warnings())
                    .containsExactly("Model some-model of provider anthropic refuses to be asked to think:"
                            + " `thinking: high` was left out.");
            assertThat(catchThrowableOfType(ModelException.class, () -> ask(catalog, Thinking.HIGH, false, "{}")))
                    .as("what one branch may do without, another may not")
                    .isNotNull();
        }
    }

    @Test
    void shouldRejectTheCellWhenTheModelRefusesSomethingElse() throws Exception {
        try (StubProvider stub = Generation.CLAUDE_4_7.provider();
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelException refused = catchThrowableOfType(
                    ModelException.class, () -> ask(catalog, Thinking.HIGH, true, "{\"temperature\": 0}"));

            assertThat(refused.failure().message()).contains("`temperature` is deprecated");
            assertThat(stub.asked()).hasSize(1);
        }
    }
}
