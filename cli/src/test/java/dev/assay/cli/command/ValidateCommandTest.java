package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.assay.cli.testing.CommandRun;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidateCommandTest {

    @TempDir
    Path directory;

    private CommandRun validate(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        return CommandRun.of("validate", file.toString(), "--data", data().toString());
    }

    private Path data() {
        return directory.resolve("data");
    }

    @Test
    void shouldSayTheSizeWhenTheFileIsValid() throws IOException {
        CommandRun run = validate("campaign.yaml", """
            name: capitals
            trials: 2
            cases: [{id: france, prompt: Capital?}]
            branches: [{id: a, kind: scripted, script: {answers: [Paris]}}]
            """);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("is valid: 1 case × 1 branch × 2 trials = 2 cells");
        assertThat(data()).doesNotExist();
    }

    @Test
    void shouldWarnOfACallThatIsLargerThanALimitAndOfALongCampaign() throws IOException {
        Files.createDirectories(data());
        Files.writeString(
                data().resolve("providers.yaml"),
                "providers: {local: {type: openai, baseUrl: 'http://127.0.0.1:1/v1', keyless: true, maxOutputTokens:"
                        + " 100, limits: [{models: 'gpt*', tokensPerMinute: 90, requestsPerDay: 1}]}}");

        CommandRun run = validate("campaign.yaml", ASKS_GPT);

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err())
                .contains("more than tokensPerMinute of local/gpt*, which is 90")
                .contains("The campaign takes at least 49 hours, by requestsPerDay of local/gpt*.");
    }

    private static final String ASKS_GPT = """
        name: capitals
        cases: [{id: france, prompt: Capital?}]
        branches: [{id: a, provider: local, model: gpt-5-mini}, {id: b, provider: local, model: gpt-6.1-sol}]
        """;

    private void provider(int port) throws IOException {
        Files.createDirectories(data());
        Files.writeString(
                data().resolve("providers.yaml"),
                "providers: {local: {type: openai, baseUrl: \"http://127.0.0.1:%d/v1\", keyless: true}}"
                        .formatted(port));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"data": [{"id": "gpt-5-mini", "shutdown_date": "2026-12-11"}, {"id": "gpt-6.1-sol", "shutdown_date": null}]} | 200 | true
        {"data": [{"id": "other", "shutdown_date": "2026-12-11"}, {"id": "gpt-5-mini"}, 7, null]} | 200 | false
        {"data": [{"id": "gpt-5-mini", "shutdown_date": "2026-12-11"}]} | 500 | false
        <html> | 200 | false
        [] | 200 | false
        """)
    void shouldWarnOnlyWhenTheProvidersListSaysThatAModelWillBeShutDown(String list, int status, boolean warns)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/v1/models", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(status, 0);
                exchange.getResponseBody().write(list.getBytes(StandardCharsets.UTF_8));
            }
        });
        server.start();
        try {
            provider(server.getAddress().getPort());
            CommandRun run = validate("campaign.yaml", ASKS_GPT);

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.err())
                    .isEqualTo(
                            warns
                                    ? "Warning: Model gpt-5-mini of provider local will be shut down: its provider's"
                                            + " list of models says `shutdown_date` 2026-12-11. Choose another one.\n"
                                    : "");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void shouldBeValidWhenTheProviderDoesNotAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            provider(silent.getLocalPort());
            long began = System.nanoTime();
            CommandRun run = validate("campaign.yaml", ASKS_GPT);

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.err()).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void shouldCountJudgeCallsWhenAPanelJudges() throws IOException {
        CommandRun run = validate("campaign.yaml", """
            name: capitals
            trials: 2
            cases: [{id: france, prompt: Capital?}, {id: peru, prompt: Capital?}]
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Lyon]}}
            strategy:
              type: llm-judge
              panel: [{kind: scripted, script: {answers: ["1"]}}, {kind: scripted, script: {answers: ["2"]}}]
              swapPositions: true
            """);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("= 8 cells, and 16 judge calls");
        assertThat(run.err().strip())
                .isEqualTo(
                        "Warning: JUDGE_UNFENCED: An answer may hold the text `Response 2:`; `fence: true` marks where"
                                + " each begins.");
    }

    @Test
    void shouldNameEveryErrorAndStoreNothingWhenTheFileIsInvalid() throws IOException {
        CommandRun run = validate("campaign.yaml", """
            name: capitals
            trials: 1001
            cases: [{id: a, prompt: x}, {id: a, prompt: y}]
            branches: [{id: m, provider: openai}]
            gate: {passThreshold: .nan}
            """);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("trials: ", "cases[1].id: ", "branches[0].model: ", "gate.passThreshold: ");
        assertThat(run.out()).isEmpty();
        assertThat(data()).doesNotExist();
    }

    @Test
    void shouldNameErrorsOfTheFileTooWhenFilesThatItNamesAreMissing() throws IOException {
        CommandRun run = validate("campaign.yaml", """
            name: capitals
            trials: 0
            suite: none.yaml
            branches: [{id: a, kind: replay, provider: openai, model: m, cassette: none.jsonl}, {id: b, kind: unknown}]
            """);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().lines())
                .extracting(line -> line.replaceFirst(": .*", ""))
                .containsExactlyInAnyOrder("suite", "branches[0].cassette", "trials", "branches[1].kind", "assay");
        assertThat(run.err()).contains("There is no file").doesNotContain("Stored suites");
    }

    @Test
    void shouldExitTwoWhenTheFileIsNoYaml() throws IOException {
        CommandRun run = validate("campaign.yaml", "name: [unclosed");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("campaign.yaml", "ine 1");
    }

    @Test
    void shouldShowWhatTheJudgeReadsWhenPreviewing() throws IOException {
        Path file = Files.writeString(
                directory.resolve("preview.json"), "{\"query\":\"Capital?\",\"responses\":[\"Paris\",\"Rome\"]}");
        CommandRun json = CommandRun.of("judge", "preview", file.toString(), "--json");
        assertThat(json.code()).as(json.err()).isZero();
        assertThat(Json.tree(json.out()).get("prompt").textValue())
                .isEqualTo("Original query:\nCapital?\n\nResponse 1:\nParis\n\nResponse 2:\nRome\n\n"
                        + "Which response is best? Reply with ONLY the response number (e.g., \"1\" or \"2\").");
        assertThat(CommandRun.of("judge", "preview", file.toString()).out()).contains("Response 2:\nRome");
    }

    @Test
    void shouldExitTwoWhenAnOptionIsWrong() {
        assertThat(CommandRun.of("up", "--port", "65536").code()).isEqualTo(2);
        assertThat(CommandRun.of("list", "--data", "").code()).isEqualTo(2);
        for (String server : List.of("127.0.0.1:8080", "nonsense", "ftp://here", "http://", "http://a b")) {
            CommandRun run = CommandRun.of("list", "--server", server);
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err()).contains("--server must be a URL like http://127.0.0.1:8080, but is " + server);
        }
    }

    @Test
    void shouldExitTwoWithUsageWhenNoCommandIsNamed() {
        assertThat(CommandRun.of().code()).isEqualTo(2);
        assertThat(CommandRun.of("nonsense").code()).isEqualTo(2);
        assertThat(CommandRun.of("--help").code()).isZero();
        assertThat(CommandRun.of("run", "--help").out()).contains("--suite-threshold");
        assertThat(CommandRun.of("version").out()).startsWith("assay ");
        assertThat(CommandRun.of("--version").out())
                .isEqualTo(CommandRun.of("version").out());
    }
}
