package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.StubModel;
import dev.assay.standalone.server.Endpoints;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of a process whose programs ask models through it: what is in flight counts in full, and each answer is paid once. */
@Tag("slow")
class ProgramModelsCrashTest {

    private static final int TRIALS = 2;

    /** A program that asks its model what it is asked, twice, and prints the second answer. */
    private static final String PROGRAM = """
        import java.net.URI;
        import java.net.http.*;

        public class Ask {
            public static void main(String[] arguments) throws Exception {
                String prompt = new String(System.in.readAllBytes());
                HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("OPENAI_BASE_URL") + "/chat/completions"))
                        .header("Authorization", "Bearer " + System.getenv("OPENAI_API_KEY"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\\"model\\": \\"m\\", \\"messages\\":"
                                + " [{\\"role\\": \\"user\\", \\"content\\": \\"" + prompt + "\\"}]}"))
                        .build();
                String answer = "";
                for (int i = 0; i < 2; i++) {
                    HttpResponse<String> response =
                            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
                    answer = response.body();
                }
                System.out.print(answer.replaceAll("(?s).*\\"content\\": \\"(\\\\w+)\\".*", "$1"));
            }
        }
        """;

    @TempDir
    Path temporary;

    private final StubModel model = new StubModel();
    private KilledServer assay;
    private Path file;

    @BeforeEach
    void prepare() throws Exception {
        Path data = Files.createDirectory(temporary.resolve("data"));
        model.writeProviders(data);
        assay = new KilledServer(data);
        Path program = Files.writeString(temporary.resolve("Ask.java"), PROGRAM);
        file = Files.writeString(temporary.resolve("campaign.yaml"), """
            name: models
            cases: [{id: a, prompt: Capital, checks: [{type: equals, value: Paris}]}]
            branches:
              - id: b
                command: ["%s", "%s"]
                models: {provider: stub, allow: [m]}
                maxCostUsd: 1
            trials: %d
            limits: {maxConcurrent: %d, budgetUsd: 10}
            """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"), program, TRIALS, TRIALS));
    }

    @AfterEach
    void stop() throws Exception {
        model.close();
        assay.close();
    }

    @Test
    void shouldCountWhatWasInFlightAndPayEachAnswerOnceWhenTheProcessIsKilled() throws Exception {
        model.delay(Duration.ofMinutes(2));
        Process run = assay.start("run", file.toString());
        Endpoints endpoints = assay.api().await();
        await().atMost(Api.PATIENCE).until(() -> model.inFlight() == TRIALS);
        String id;
        try (AssayApi api = new AssayApi(URI.create(endpoints.api()))) {
            id = api.campaigns().getFirst().id();
        }

        run.destroyForcibly();
        assertThat(run.waitFor(Api.PATIENCE)).isTrue();
        model.release();
        Process resumed = assay.start("resume", id);

        assertThat(resumed.waitFor(Api.PATIENCE)).isTrue();
        assertThat(resumed.exitValue()).isZero();
        // Those of the killed process, and two of each trial.
        assertThat(model.prompts()).hasSize(3 * TRIALS).containsOnly("Capital");
        assay.inspect(id, tables -> {
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE passed AND total_tokens = 30 AND cost_usd = 0.2"
                            + " AND campaign_id = ?"))
                    .isEqualTo(TRIALS);
            String requests = " FROM ledger WHERE provider = 'stub' AND campaign_id = ?";
            assertThat(tables.count("SELECT count(*)" + requests))
                    .isEqualTo(model.prompts().size());
            assertThat(tables.count("SELECT count(*)" + requests + " AND state = 'ANSWERED' AND cost_usd = 0.1"))
                    .isEqualTo(2 * TRIALS);
            assertThat(tables.count(
                            "SELECT count(*)" + requests + " AND state IN ('SENT', 'UNKNOWN') AND reserved_usd = 0.1"))
                    .as("in flight when the process was killed")
                    .isEqualTo(TRIALS);
        });
    }
}
