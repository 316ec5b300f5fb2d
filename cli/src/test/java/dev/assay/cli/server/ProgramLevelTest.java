package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.option.ProgramsText;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.server.AssayServer;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.ServerOptions;
import dev.assay.work.confine.Landlock;
import dev.assay.work.confine.OtherUser;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The level of programs of a whole server: what they reach of it, and what it says. */
@Tag("slow")
class ProgramLevelTest {

    private static final int PORTS = 4;

    private static final String IMAGE = "debian:bookworm-slim";

    @TempDir
    Path temporary;

    private Path data() throws Exception {
        Path data = Files.createDirectories(temporary.resolve("data"));
        Files.writeString(data.resolve("tools.yaml"), "agents: [{program: sh, env: [PATH]}]\n");
        return data;
    }

    private static String campaign(String script) {
        return """
            name: level
            cases: [{id: a, prompt: x}]
            branches: [{id: b, command: [sh, -c, "%s"], env: [PATH]}]
            """.formatted(script);
    }

    private static JsonNode outcome(Api api, String script) throws Exception {
        String id = api.submit(campaign(script));
        await().atMost(Api.PATIENCE).until(() -> api.state(id).equals("COMPLETED"));
        return api.get("/api/v1/campaigns/" + id + "/outcomes").at("/items/0");
    }

    @Test
    void shouldKeepTheProgramFromTheServerWhenTheMachineCan() throws Exception {
        assumeTrue(
                Landlock.version() >= PORTS,
                "This kernel's Landlock does not know TCP (Linux 6.7 or newer does): no server was kept apart");
        Path data = data();
        try (AssayServer server = InProcessServer.start(data);
                Api api = new Api(data)) {
            URI address = server.api();
            JsonNode outcome = outcome(
                    api,
                    "cat '%s/endpoints.json' 2>/dev/null || echo file closed; cat /proc/%d/environ 2>/dev/null || echo keys closed; bash -c 'exec 3<>/dev/tcp/127.0.0.1/%d' 2>/dev/null && echo port open || echo port closed"
                            .formatted(data, ProcessHandle.current().pid(), address.getPort()));

            String level = OtherUser.isRoot() ? "user" : "confined";
            assertThat(outcome.path("response").asText()).isEqualTo("file closed\nkeys closed\nport closed\n");
            assertThat(outcome.path("isolation").asText()).isEqualTo(level);
            JsonNode programs = api.get("/api/v1/providers").path("programs");
            assertThat(programs).hasSize(1);
            assertThat(programs.at("/0/isolation").asText()).isEqualTo(level);
            assertThat(programs.at("/0/refusal").isNull()).isTrue();
            assertThat(programs.at("/0/workers").asInt()).isEqualTo(1);
        }
    }

    @Test
    void shouldSayWhyWhenTheLevelIsBelowWhatIsAsked() throws Exception {
        Path data = data();
        Files.writeString(
                data.resolve("tools.yaml"), "isolation: {atLeast: confined}\nagents: [{program: sh, env: [PATH]}]\n");
        ServerOptions none = new ServerOptions(
                "assay up",
                "127.0.0.1",
                0,
                EngineKind.IN_PROCESS,
                ServerOptions.Role.SERVICE,
                Set.of(),
                IsolationLevel.NONE,
                false);
        try (AssayServer server =
                        AssayServer.tryStart(DataDirectory.open(data), none).orElseThrow();
                Api api = new Api(data)) {
            String why = "Programs run at level none here, and the operator asks for confined: ";
            assertThat(server.programs()).isNotNull();
            assertThat(String.valueOf(server.programs().refusal())).startsWith(why);
            assertThat(api.get("/api/v1/providers").at("/programs/0/refusal").asText())
                    .startsWith(why);
            AssayApi client = new AssayApi(server.api());
            assertThatThrownBy(() -> client.submit(CampaignDocument.parse(campaign("true"))))
                    .hasMessageContaining("EVAL_AGENT_UNAVAILABLE")
                    .hasMessageContaining(why);
        }
    }

    /** The program reads what the model proxy allows: nobody else is asked. */
    private static final String ASKS = """
        name: asks
        cases: [{id: a, prompt: x}]
        branches:
          - id: b
            command:
              - bash
              - -c
              - 'at=${OPENAI_BASE_URL#http://}; at=${at%/v1}; exec 3<>/dev/tcp/${at%:*}/${at#*:}; printf "GET /v1/models HTTP/1.1\\r\\nHost: $at\\r\\nAuthorization: Bearer $OPENAI_API_KEY\\r\\nConnection: close\\r\\n\\r\\n" >&3; cat <&3; id -u; cat /proc/1/comm; ls /work'
            models: {provider: stub, allow: [some-model]}
        """;

    private static void assumeImage() throws Exception {
        try {
            Process docker = new ProcessBuilder("docker", "image", "inspect", IMAGE)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assumeTrue(
                    docker.waitFor(30, TimeUnit.SECONDS) && docker.exitValue() == 0,
                    "No Docker engine answers with the image " + IMAGE + ": level container was not tried");
        } catch (IOException _) {
            assumeTrue(false, "There is no docker: level container was not tried");
        }
    }

    @Test
    void shouldReachItsModelsAndShowTheLevelWhenTheProgramRunsInAContainer() throws Exception {
        assumeImage();
        Path data = Files.createDirectories(temporary.resolve("data"));
        Files.writeString(
                data.resolve("tools.yaml"),
                "isolation: {atLeast: container, image: \"" + IMAGE + "\"}\nagents: [{program: bash}]\n");
        Files.writeString(
                data.resolve("providers.yaml"),
                "providers: {stub: {type: openai, baseUrl: \"http://127.0.0.1:9/v1\", keyless: true}}\n");
        try (AssayServer server = InProcessServer.start(data);
                Api api = new Api(data)) {
            assertThat(server.programs()).isNotNull();
            assertThat(ProgramsText.of(server.programs())).isEqualTo("isolation level container");
            String id = api.submit(ASKS);
            await().atMost(Api.PATIENCE).until(() -> api.state(id).equals("COMPLETED"));

            JsonNode outcome = api.get("/api/v1/campaigns/" + id + "/outcomes").at("/items/0");
            assertThat(outcome.path("response").asText())
                    .as(outcome.toString())
                    .contains("HTTP/1.1 200", "some-model", "docker-init");
            assertThat(outcome.path("isolation").asText()).isEqualTo("container");
            JsonNode programs = api.get("/api/v1/providers").at("/programs/0");
            assertThat(programs.path("isolation").asText()).isEqualTo("container");
            assertThat(programs.path("holdsLimits").asBoolean()).isTrue();
            assertThat(programs.path("lowered").isNull()).isTrue();
        }
    }

    @Test
    void shouldSayWhyWhenNothingRunsContainers() throws Exception {
        Path data = Files.createDirectories(temporary.resolve("data"));
        Files.writeString(
                data.resolve("tools.yaml"),
                "isolation: {image: no-such-image:7}\nagents: [{program: sh, env: [PATH]}]\n");
        try (AssayServer server = InProcessServer.start(data);
                Api api = new Api(data)) {
            assertThat(server.programs()).isNotNull();
            assertThat(ProgramsText.of(server.programs()))
                    .startsWith("isolation level ")
                    .contains(" (no container: ");
            JsonNode programs = api.get("/api/v1/providers").at("/programs/0");
            assertThat(programs.path("isolation").asText()).isNotEqualTo("container");
            assertThat(programs.path("lowered").asText()).isNotEmpty();
        }
    }
}
