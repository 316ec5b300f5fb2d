package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inputs that would take a worker's threads, memory or life, as campaigns beside innocent ones. */
@Tag("slow")
class ComputeBombsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(240);
    private static final int INNOCENT = 60;

    @TempDir
    Path temporary;

    private AssayServer server;
    private Api api;

    @BeforeEach
    void start() throws Exception {
        server = InProcessServer.start(temporary.resolve("data"));
        api = new Api(temporary.resolve("data"));
        api.await();
    }

    @AfterEach
    void stop() {
        api.close();
        server.close();
        await().atMost(PATIENCE).until(() -> computing().isEmpty());
    }

    /** A value of the file, which writes long ones short. */
    private static JsonNode value(JsonNode written) {
        if (!written.isTextual() || !written.textValue().startsWith("@")) {
            return written;
        }
        int number = Integer.parseInt(written.textValue().replaceAll("\\D", ""));
        return switch (written.textValue().replaceAll("[@\\d]", "")) {
            case "Y" -> Json.mapper().getNodeFactory().textNode("y".repeat(number));
            case "A" -> Json.mapper().getNodeFactory().textNode("a".repeat(number));
            case "L" ->
                Json.mapper().valueToTree(IntStream.range(0, number).boxed().toList());
            default -> throw new IllegalArgumentException(written.textValue());
        };
    }

    private static ObjectNode campaign(String name, String answer) {
        ObjectNode campaign = JsonNodeFactory.instance.objectNode().put("name", name);
        campaign.putArray("cases").addObject().put("id", "only");
        ObjectNode branch = campaign.putArray("branches").addObject();
        branch.put("id", "b")
                .put("kind", "scripted")
                .putObject("script")
                .putArray("answers")
                .add(answer);
        return campaign;
    }

    private static List<ObjectNode> bombs() throws Exception {
        JsonNode file;
        try (InputStream resource = ComputeBombsTest.class.getResourceAsStream("/vectors/bombs.json")) {
            file = Json.tree(new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        }
        List<ObjectNode> campaigns = new ArrayList<>();
        for (JsonNode bomb : file.path("templates")) {
            ObjectNode campaign = campaign(bomb.path("id").asText(), "x").put("templateVars", true);
            ((ObjectNode) campaign.at("/branches/0")).set("template", bomb.path("template"));
            ObjectNode vars = ((ObjectNode) campaign.at("/cases/0")).putObject("vars");
            for (Map.Entry<String, JsonNode> entry : bomb.path("vars").properties()) {
                vars.set(entry.getKey(), value(entry.getValue()));
            }
            campaigns.add(campaign);
        }
        for (JsonNode bomb : file.path("checks")) {
            ObjectNode campaign = campaign(
                    bomb.path("id").asText(), value(bomb.path("answer")).asText("x"));
            ObjectNode only = (ObjectNode) campaign.at("/cases/0");
            only.put("prompt", "Hi").putArray("checks").add(bomb.path("check"));
            campaigns.add(campaign);
        }
        return campaigns;
    }

    /** A campaign whose model takes 200 ms for an answer, four at a time: seconds of a quiet machine. */
    private static ObjectNode innocent() {
        ObjectNode campaign = campaign("innocent", "Paris is nice").put("trials", INNOCENT);
        campaign.putObject("limits").put("maxConcurrent", 4);
        ((ObjectNode) campaign.at("/branches/0/script")).put("delayMs", 200);
        ObjectNode only = (ObjectNode) campaign.at("/cases/0");
        only.put("prompt", "Hi")
                .putArray("checks")
                .addObject()
                .put("type", "regex")
                .put("value", "P.ris");
        return campaign;
    }

    private boolean hasEnded(String id) {
        try {
            return List.of("COMPLETED", "FAILED").contains(api.state(id));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** How long a campaign took; it is waited for. */
    private Duration taken(String id) throws Exception {
        long start = System.nanoTime();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> hasEnded(id));
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private void assertAllPassed(String id) throws Exception {
        assertThat(checksOfAnswersPaidOnce(id))
                .allSatisfy(check -> assertThat(check.path("status").asText())
                        .as(check.toString())
                        .isEqualTo("PASSED"));
    }

    /** The check of each trial; all have one, and none was asked twice. */
    private List<JsonNode> checksOfAnswersPaidOnce(String id) throws Exception {
        JsonNode outcomes =
                api.get("/api/v1/campaigns/" + id + "/outcomes?pageSize=1000").path("items");
        assertThat(outcomes)
                .hasSize(INNOCENT)
                .allSatisfy(
                        outcome -> assertThat(outcome.path("attempts").asInt()).isOne());
        return outcomes.valueStream().map(outcome -> outcome.at("/checks/0")).toList();
    }

    @Test
    void shouldEndEachBombAndServeTheInnocentWhenCampaignsAreHostile() throws Exception {
        Duration alone = taken(api.submit(innocent().toString()));
        List<String> hostile = new ArrayList<>();
        for (ObjectNode bomb : bombs()) {
            hostile.add(api.submit(bomb.toString()));
        }
        String innocent = api.submit(innocent().toString());

        Duration beside = taken(innocent);
        System.out.printf("60 innocent cells took %s alone, %s beside bombs%n", alone, beside);
        assertAllPassed(innocent);
        for (String id : hostile) {
            await().atMost(PATIENCE).until(() -> hasEnded(id));
        }
        assertThat(api.get("/health/liveness").path("status").asText()).isEqualTo("UP");
    }

    @Test
    void shouldHaveAllVerdictsAndPayOnceWhenComputeProcessesAreKilled() throws Exception {
        String innocent = api.submit(innocent().toString());
        Random random = new Random(7);
        AtomicInteger killed = new AtomicInteger();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> {
            for (ProcessHandle process : computing()) {
                if (killed.get() < 8 && random.nextInt(3) == 0) {
                    process.destroyForcibly();
                    killed.incrementAndGet();
                }
            }
            return hasEnded(innocent);
        });
        assertThat(killed).hasPositiveValue();
        // A check whose process was killed from outside is tried once more; who kills that one, too, leaves it without
        // a verdict.
        assertThat(checksOfAnswersPaidOnce(innocent))
                .allSatisfy(check -> assertThat(check.path("status").asText() + " "
                                + check.path("reason").asText())
                        .matches("PASSED .*|UNSCORED .* ended its compute process twice\\."))
                .filteredOn(check -> check.path("status").asText().equals("PASSED"))
                .hasSizeGreaterThan(INNOCENT - 8);
    }

    private static List<ProcessHandle> computing() {
        return ProcessHandle.current()
                .children()
                .filter(process -> commandLine(process).contains("ComputeProcess"))
                .toList();
    }

    /** {@link ProcessHandle.Info} says nothing of a class path this long. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void shouldStartNoProcessWhenChecksAreLinearAndTemplatesPlain() throws Exception {
        ObjectNode campaign = innocent();
        ObjectNode only = (ObjectNode) campaign.at("/cases/0");
        only.putArray("checks").addObject().put("type", "icontains").put("value", "paris");
        only.putObject("vars").put("city", "Paris");
        ((ObjectNode) campaign.at("/branches/0")).put("template", "Is {{ city }} nice?");

        String id = api.submit(campaign.toString());

        await().atMost(PATIENCE).until(() -> hasEnded(id));
        assertAllPassed(id);
        assertThat(computing()).isEmpty();
    }
}
