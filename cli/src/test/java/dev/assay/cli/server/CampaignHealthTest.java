package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.CampaignHealth.Code;
import dev.assay.domain.health.CampaignHealth.Reason;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users read while a campaign waits, from the worker's cells to the command line. */
@Tag("slow")
class CampaignHealthTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path temporary;

    private AssayServer server;
    private AssayApi api;

    @BeforeEach
    void start() {
        server = InProcessServer.start(temporary.resolve("data"));
        api = new AssayApi(server.api());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String submit(String script, String limits) {
        return api.submit(CampaignDocument.parse("""
            name: slow
            cases: [{id: only, prompt: Hello?}]
            branches: [{id: only, kind: scripted, script: %s}]
            trials: 6
            limits: %s
            """.formatted(script, limits))).id();
    }

    private CampaignHealth awaitReason(String id, Code code, long cells) throws Exception {
        await().atMost(PATIENCE)
                .until(() -> health(id).reasons().stream()
                        .anyMatch(reason -> reason.code() == code && Objects.equals(reason.cells(), cells)));
        return health(id);
    }

    private CampaignHealth health(String id) {
        RemoteCampaign view = api.campaign(id);
        return Objects.requireNonNull(view.health());
    }

    @Test
    void shouldSayUntilWhenAProviderLimitsTheRate() throws Exception {
        String id = submit("{answers: [Hi], failures: [{status: 429, retryAfterSeconds: 40}]}", "{maxConcurrent: 20}");

        awaitReason(id, Code.RATE_LIMIT, 6);
        // Workers say every two seconds how many of their cells are calling.
        await().atMost(PATIENCE).until(() -> health(id).status() == CampaignHealth.Status.WAITING);

        CampaignHealth health = health(id);
        Reason reason = health.reasons().getFirst();
        assertThat(health.status()).isEqualTo(CampaignHealth.Status.WAITING);
        assertThat(reason.message()).isEqualTo("Provider scripted limits the rate (429).");
        assertThat(reason.until()).isBetween(Instant.now(), Instant.now().plusSeconds(45));
        CommandRun status = CommandRun.of("status", id, "--server", server.api().toString());
        assertThat(status.out())
                .contains("Waiting: Provider scripted limits the rate (429). 6 cells, the first goes on in ");
        CommandRun show = CommandRun.of("show", id, "--server", server.api().toString());
        assertThat(show.out()).contains("Waiting: Provider scripted limits the rate (429). 6 cells");
        CommandRun all = CommandRun.of("status", "--server", server.api().toString());
        assertThat(all.out()).contains(id + ": Waiting: Provider scripted limits the rate (429). 6 cells");
        assertThat(json("status").get(0).at("/health/reasons/0/code").asText()).isEqualTo("RATE_LIMIT");
        assertThat(json("status", id).get("id").asText()).isEqualTo(id);
        assertThat(json("list").findValuesAsText("id")).containsExactly(id);
    }

    private JsonNode json(String... command) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--json", "--server", server.api().toString()));
        return Json.tree(CommandRun.of(arguments.toArray(String[]::new)).out());
    }

    @Test
    void shouldNameTheErrorWhenAttemptsFailOtherwise() throws Exception {
        String id = submit("{answers: [Hi], failures: [{status: 503, retryAfterSeconds: 40}]}", "{maxConcurrent: 20}");

        CampaignHealth health = awaitReason(id, Code.RETRY, 6);

        assertThat(health.reasons().getFirst().message()).contains("scripted", "PROVIDER_UNAVAILABLE");
    }

    @Test
    void shouldStayWellWhenMaxConcurrentBoundsTheCalls() throws Exception {
        String id = submit("{answers: [Hi], delayMs: 3000}", "{maxConcurrent: 1}");

        CampaignHealth health = awaitReason(id, Code.CAMPAIGN_PERMITS, 2);

        assertThat(health.status()).isEqualTo(CampaignHealth.Status.OK);
    }
}
