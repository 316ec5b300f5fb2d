package dev.assay.activities.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.BatchSettings;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.usage.Price;
import dev.assay.work.secret.SecretVariables;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProviderCatalogTest {

    private static final AnswerListener QUIET = new AnswerListener() {
        @Override
        public void piece(Part part, int index, @Nullable String toolName, String text) {}

        @Override
        public void pause() {}
    };

    @TempDir
    private Path directory;

    private Path file(String yaml) throws IOException {
        return Files.writeString(directory.resolve("providers.yaml"), yaml);
    }

    private List<FieldError> errorsOf(String yaml) throws IOException {
        Path file = file(yaml);
        AssayException failure = catchThrowableOfType(AssayException.class, () -> ProviderCatalog.load(file, Map.of()));
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_INPUT);
        return failure.errors();
    }

    private static Price price(String input, String output, String cacheRead, String cacheWrite) {
        return new Price(
                new BigDecimal(input), new BigDecimal(output), new BigDecimal(cacheRead), new BigDecimal(cacheWrite));
    }

    @Test
    void shouldKnowPublicServersOnceTheirKeyIsSetOrTheFileNamesThem() throws IOException {
        try (ProviderCatalog without = ProviderCatalog.load(null, Map.of())) {
            assertThat(without.names()).doesNotContain("groq", "huggingface");
        }
        Path file =
                file("providers: {xai: {maxConcurrent: 7}, groq: {type: openai, baseUrl: \"http://h/v1\", keyVariable:"
                        + " OWN}}");
        try (ProviderCatalog catalog = ProviderCatalog.load(file, Map.of("HF_TOKEN", "t", "GROQ_API_KEY", "g"))) {
            assertThat(catalog.names()).contains("huggingface", "xai", "groq").doesNotContain("deepseek", "cerebras");
            ProviderSettings known = catalog.settings("huggingface").orElseThrow();
            assertThat(known.apiUrl()).isEqualTo("https://router.huggingface.co/v1");
            assertThat(known.keyVariable()).isEqualTo("HF_TOKEN");
            assertThat(catalog.settings("xai").orElseThrow().maxConcurrent()).isEqualTo(7);
            assertThat(catalog.settings("xai").orElseThrow().apiUrl()).isEqualTo("https://api.x.ai/v1");
            assertThat(catalog.settings("groq").orElseThrow().apiUrl()).isEqualTo("http://h/v1");
            assertThat(catalog.settings("groq").orElseThrow().keyVariable()).isEqualTo("OWN");
        }
    }

    @Test
    void shouldRefuseAModelThatGradesOfAnotherForm() throws IOException {
        assertThat(errorsOf("{grader: {provider: openai}, embedder: [x]}"))
                .extracting(FieldError::path)
                .containsExactly("grader.model", "embedder");
        assertThat(errorsOf("{grader: {provider: 1, model: m, parameters: x, temperature: 0}}"))
                .extracting(FieldError::path)
                .containsExactlyInAnyOrder("grader.provider", "grader.parameters", "grader.temperature");
    }

    /** The facts of a provider whose batches are those of its type. */
    private static ProviderInfo info(
            String name,
            ProviderType type,
            boolean hasKey,
            @Nullable String keyVariable,
            int maxConcurrent,
            int maxOutputTokens,
            Map<String, Price> prices) {
        return new ProviderInfo(
                name,
                type,
                hasKey,
                keyVariable,
                maxConcurrent,
                maxOutputTokens,
                prices,
                List.of(),
                List.of(),
                BatchSettings.usual(type));
    }

    @Test
    void shouldKnowBuiltInProvidersWithoutPricesWhenNothingIsConfigured() {
        try (ProviderCatalog catalog = ProviderCatalog.load(null, Map.of("OPENAI_API_KEY", "  "))) {
            assertThat(catalog.infos())
                    .isEqualTo(Map.of(
                            "openai",
                                    info(
                                            "openai",
                                            ProviderType.OPENAI,
                                            false,
                                            "OPENAI_API_KEY",
                                            1_000,
                                            4_096,
                                            Map.of()),
                            "anthropic",
                                    info(
                                            "anthropic",
                                            ProviderType.ANTHROPIC,
                                            false,
                                            "ANTHROPIC_API_KEY",
                                            1_000,
                                            4_096,
                                            Map.of()),
                            "google",
                                    info(
                                            "google",
                                            ProviderType.GOOGLE,
                                            false,
                                            "GOOGLE_API_KEY",
                                            1_000,
                                            4_096,
                                            Map.of()),
                            "mistral",
                                    info(
                                            "mistral",
                                            ProviderType.MISTRAL,
                                            false,
                                            "MISTRAL_API_KEY",
                                            1_000,
                                            4_096,
                                            Map.of()),
                            "ollama", info("ollama", ProviderType.OLLAMA, true, null, 1_000, 4_096, Map.of())));
        }
    }

    @Test
    void shouldTakeGeminisKeyWhenGooglesIsBlank() {
        Map<String, String> environment = Map.of("GOOGLE_API_KEY", " ", "GEMINI_API_KEY", "g");
        try (ProviderCatalog catalog = ProviderCatalog.load(null, environment)) {
            assertThat(catalog.infos().get("google").hasKey()).isTrue();
            assertThat(catalog.infos().get("google").keyVariable()).isEqualTo("GEMINI_API_KEY");
        }
    }

    @Test
    void shouldTakeAKeyFromItsFile() throws Exception {
        Path key = Files.writeString(directory.resolve("key"), "g\n");
        Map<String, String> environment = Map.of("GEMINI_API_KEY_FILE", key.toString());
        try (ProviderCatalog catalog = ProviderCatalog.load(null, environment)) {
            assertThat(catalog.infos().get("google").hasKey()).isTrue();
            assertThat(catalog.infos().get("google").keyVariable()).isEqualTo("GEMINI_API_KEY");
        }
    }

    @Test
    void shouldNotLoadWhenTheFileOfAKeyIsBad() throws Exception {
        Path file = file("providers: {groq: {type: openai, baseUrl: 'https://g', keyVariable: GROQ_API_KEY}}");
        Path key = Files.createFile(directory.resolve("key"));
        Map<String, String> environment = Map.of("GROQ_API_KEY_FILE", key.toString());

        AssayException failure =
                catchThrowableOfType(AssayException.class, () -> ProviderCatalog.load(file, environment));

        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_INPUT);
        assertThat(failure).hasMessageStartingWith("GROQ_API_KEY_FILE names " + key + ", which is empty");
    }

    @Test
    void shouldSendTheNewKeyWithTheNextRequestWhenItsFileChanges() throws Exception {
        Path file = Files.writeString(directory.resolve("key"), "key-a\n");
        try (StubProvider stub = StubProvider.answering(200, Requests.OPENAI_ANSWER)) {
            SecretVariables variables = SecretVariables.of(
                    Map.of("OPENAI_API_KEY_FILE", file.toString(), "OPENAI_BASE_URL", stub.url() + "/v1"));
            try (ProviderCatalog catalog = ProviderCatalog.load(null, variables)) {
                ModelClient client = catalog.client(Requests.choice("openai"));
                List<String> sent = new ArrayList<>();
                for (String content : List.of("key-a", "key-b", "no\nkey", "", "key-a")) {
                    Files.writeString(file, content);
                    variables.look();
                    client.ask(Requests.request(100, Duration.ofSeconds(30)));
                    sent.add(stub.asked().getLast().header("Authorization"));
                    client.ask(Requests.request(100, Duration.ofSeconds(30)), QUIET);
                    sent.add(stub.asked().getLast().header("Authorization"));
                }
                assertThat(sent)
                        .extracting(header -> header.replace("Bearer key-", ""))
                        .containsExactly("a", "a", "b", "b", "b", "b", "b", "b", "a", "a");
                assertThat(catalog.access("openai", null).key()).isEqualTo(ApiKey.of("key-a"));
            }
        }
    }

    @Test
    void shouldHaveNoKeyWhenOnlyTheBaseUrlIsSet() {
        try (ProviderCatalog catalog = ProviderCatalog.load(null, Map.of("OPENAI_BASE_URL", "http://localhost:1/v1"))) {
            assertThat(catalog.infos().get("openai").hasKey()).isFalse();

            ModelException failure =
                    catchThrowableOfType(ModelException.class, () -> catalog.client(Requests.choice("openai")));
            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_AUTH);
            assertThat(failure.failure().message()).contains("set OPENAI_API_KEY or OPENAI_API_KEY_FILE");
        }
    }

    @Test
    void shouldNameTheProvidersWhenAnotherIsAsked() {
        try (ProviderCatalog catalog = ProviderCatalog.load(null, Map.of())) {
            ModelException failure =
                    catchThrowableOfType(ModelException.class, () -> catalog.client(Requests.choice("acme")));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
            assertThat(failure.failure().message()).contains("acme", "openai", "anthropic");
        }
    }

    @Test
    void shouldOverrideAndAddWhenFileSaysSo() throws Exception {
        Path file = file("""
            providers:
              openai:
                keyless: true
                maxConcurrent: 20
                prices:
                  gpt-5.1: {input: 1.25, output: 10, cacheRead: 0.125}
                  "*": {input: 2, output: 8, cacheRead: 1, cacheWrite: 3}
              groq:
                type: openai
                baseUrl: https://api.groq.com/openai/v1
                keyVariable: GROQ_API_KEY
                maxOutputTokens: 1000
            """);
        try (ProviderCatalog catalog = ProviderCatalog.load(file, Map.of("GROQ_API_KEY", "g"))) {
            Map<String, ProviderInfo> infos = catalog.infos();
            assertThat(infos).hasSize(6);
            assertThat(infos.get("openai"))
                    .isEqualTo(info(
                            "openai",
                            ProviderType.OPENAI,
                            true,
                            null,
                            20,
                            4_096,
                            Map.of("gpt-5.1", price("1.25", "10", "0.125", "1.25"), "*", price("2", "8", "1", "3"))));
            assertThat(infos.get("groq"))
                    .isEqualTo(info("groq", ProviderType.OPENAI, true, "GROQ_API_KEY", 1_000, 1_000, Map.of()));
        }
    }

    @Test
    void shouldAskTheSameServerWithTheSameKeyWhenAProviderIsAskedInAnotherApi() throws Exception {
        Path file = file("providers: {openai: {type: openai-responses}}");
        String answer =
                "{\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hi\"}]}]}";
        try (StubProvider stub = StubProvider.answering(200, answer);
                ProviderCatalog catalog = ProviderCatalog.load(
                        file, Map.of("OPENAI_API_KEY", "k", "OPENAI_BASE_URL", stub.url() + "/v1"))) {
            assertThat(catalog.infos()).doesNotContainKey("openai-responses");
            assertThat(catalog.infos().get("openai").type()).isEqualTo(ProviderType.OPENAI_RESPONSES);

            assertThat(Requests.to("openai").ask(catalog).message().text()).isEqualTo("Hi");
            assertThat(stub.asked().getFirst().path()).isEqualTo("/v1/responses");
            assertThat(stub.asked().getFirst().header("Authorization")).isEqualTo("Bearer k");
        }
    }

    @Test
    void shouldReadAProviderOfALaterBuildWhenItsApiIsUnknown() {
        String later = "{\"name\":\"p\",\"type\":\"NEW_API\",\"hasKey\":true,\"maxConcurrent\":1,"
                + "\"maxOutputTokens\":1,\"prices\":{}}";

        assertThat(Json.read(later, ProviderInfo.class)).isEqualTo(new ProviderInfo("p", true, null, 1, 1, Map.of()));
    }

    @Test
    void shouldPriceAnswersWhenFileHasPrices() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.OPENAI_ANSWER)) {
            Path file = file("""
                providers:
                  local: {type: openai, baseUrl: "%s/v1", keyless: true, prices: {"*": {input: 2, output: 8, cacheRead: 1}}}
                """.formatted(stub.url()));
            try (ProviderCatalog catalog = ProviderCatalog.load(file, Map.of())) {
                // 12 uncached at 2, 8 cached at 1, 9 out at 8 US dollars per million.
                assertThat(Requests.to("local").ask(catalog).measured().costUsd())
                        .isEqualByComparingTo("0.000104");
                assertThat(stub.asked().getFirst().header("Authorization")).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",\"usage\":null",
                ",\"usage\":{}",
                ",\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0,\"total_tokens\":0}",
                ",\"usage\":{\"prompt_tokens\":7}",
                ",\"usage\":{\"completion_tokens\":7}",
                ",\"usage\":{\"total_tokens\":7}"
            })
    void shouldNotKnowTheCostWhenUsageIsNotReportedCompletely(String usage) throws Exception {
        String answer = "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"Paris.\"}}]" + usage + "}";
        try (StubProvider stub = StubProvider.answering(200, answer);
                ProviderCatalog catalog = ProviderCatalog.load(
                        file("providers: {ollama: {prices: {'*': {input: 2, output: 8}}}}"),
                        Map.of("OLLAMA_BASE_URL", stub.url()))) {
            ModelReply reply = Requests.to("ollama").ask(catalog);

            assertThat(reply.measured().usage().complete()).isFalse();
            assertThat(reply.measured().costUsd()).isNull();
        }
    }

    @Test
    void shouldGiveEveryErrorAtOnceWhenFileIsWrong() throws IOException {
        List<FieldError> errors = errorsOf("""
            provider: {}
            providers:
              openai: {maxConcurent: 5, maxConcurrent: 0, keyless: "yes", prices: {gpt-5.1: {input: -1}}}
              perplexity: {baseUrl: "ftp://x"}
              acme: {type: opnai}
              proxy: {type: openai, baseUrl: "https://user:pw@host/v1"}
              other: {type: anthropic, keyVariable: "sk-ant-123", maxOutputTokens: 1.5}
              both: {type: openai, keyVariable: A, keyless: true}
              replay: {type: openai, keyless: true}
              list: []
              number: .nan
            """);

        assertThat(errors)
                .extracting(FieldError::path)
                .containsExactlyInAnyOrder(
                        "provider",
                        "providers.openai.maxConcurent",
                        "providers.openai.maxConcurrent",
                        "providers.openai.keyless",
                        "providers.openai.prices[\"gpt-5.1\"].input",
                        "providers.openai.prices[\"gpt-5.1\"].output",
                        "providers.perplexity.type",
                        "providers.acme.type",
                        "providers.proxy.baseUrl",
                        "providers.proxy.keyVariable",
                        "providers.other.keyVariable",
                        "providers.other.maxOutputTokens",
                        "providers.both.keyVariable",
                        "providers.replay.type",
                        "providers.list",
                        "providers.number");
        assertThat(errors)
                .extracting(FieldError::message)
                .contains(
                        "Unknown field `provider`; did you mean `providers`?",
                        "Unknown field `maxConcurent`; did you mean `maxConcurrent`?",
                        "`type` must be one of openai, openai-responses, anthropic, google, mistral, ollama, but is"
                                + " the text \"opnai\"; did you mean `openai`?");
        assertThat(errors).noneMatch(error -> error.message().contains("sk-ant-123"));
    }

    @Test
    void shouldNotSendOpenAisKeyElsewhereWhenNewProviderNamesNone() throws IOException {
        assertThat(errorsOf("providers: {perplexity: {type: openai, baseUrl: 'https://api.perplexity.ai'}}"))
                .singleElement()
                .extracting(FieldError::path)
                .isEqualTo("providers.perplexity.keyVariable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e99", "1e-99", "cheap", "-0.1", "[1]"})
    void shouldRefusePriceWhenItIsNoAmount(String amount) throws IOException {
        assertThat(errorsOf("providers: {openai: {prices: {m: {input: %s, output: 1}}}}".formatted(amount)))
                .singleElement()
                .extracting(FieldError::path)
                .isEqualTo("providers.openai.prices.m.input");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing\n", "providers:\n", "providers: {}\n"})
    void shouldKeepBuiltInsWhenFileIsEmpty(String yaml) throws IOException {
        try (ProviderCatalog catalog = ProviderCatalog.load(file(yaml), Map.of())) {
            assertThat(catalog.infos()).hasSize(5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"providers: {openai: ", "providers: {}\nproviders: {}\n", "a: b: c", "\t- x"})
    void shouldSayMalformedWhenFileIsNoYaml(String yaml) throws IOException {
        Path file = file(yaml);
        AssayException failure = catchThrowableOfType(AssayException.class, () -> ProviderCatalog.load(file, Map.of()));

        assertThat(failure.code()).isEqualTo(ErrorCode.MALFORMED_INPUT);
        assertThat(failure.failure().message()).contains("providers.yaml: Line ");
    }

    @Test
    void shouldSayWhichFileWhenItIsMissing() {
        AssayException failure = catchThrowableOfType(
                AssayException.class, () -> ProviderCatalog.load(directory.resolve("missing.yaml"), Map.of()));

        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_INPUT);
        assertThat(failure.failure().message()).contains("missing.yaml");
    }

    @Test
    void shouldNameVariableWhenBaseUrlIsNoAddress() {
        AssayException failure = catchThrowableOfType(
                AssayException.class, () -> ProviderCatalog.load(null, Map.of("OPENAI_BASE_URL", "localhost:8000")));

        assertThat(failure.errors())
                .singleElement()
                .extracting(FieldError::path)
                .isEqualTo("OPENAI_BASE_URL");
    }
}
