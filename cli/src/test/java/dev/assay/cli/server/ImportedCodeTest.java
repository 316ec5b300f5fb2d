package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.command.AgentPermission;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configurations of promptfoo whose assertions are code, as they are: what promptfoo said of them, and what is refused. */
class ImportedCodeTest {

    private static final Path VECTORS = Path.of("../documents/src/test/resources/vectors/own-code.json");

    @TempDir
    Path temporary;

    @BeforeEach
    void requireInterpreters() {
        for (String name : new String[] {"python3", "node"}) {
            Assumptions.assumeTrue(AgentPermission.isFound(name), () -> name + " is not on the PATH of this machine");
        }
    }

    private static List<JsonNode> vectors(String function) throws IOException {
        JsonNode all = Json.tree(Files.readString(VECTORS));
        return StreamSupport.stream(all.spliterator(), false)
                .filter(vector -> vector.path("function").asText().equals(function))
                .toList();
    }

    /** Writes the files of a vector; those of an assertion are a configuration around it. */
    private Path written(JsonNode vector) throws IOException {
        Path directory =
                Files.createDirectory(temporary.resolve(vector.path("id").asText()));
        if (vector.at("/input/test").isObject()) {
            ArrayNode tests = Json.mapper().createArrayNode().add(vector.at("/input/test"));
            return configuration(directory, tests);
        }
        for (var file : vector.at("/input/files").properties()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue().textValue());
        }
        return directory;
    }

    private static Path configuration(Path directory, ArrayNode tests) throws IOException {
        ObjectNode config = Json.mapper().createObjectNode();
        config.putArray("prompts").add("{{output}}");
        config.putArray("providers").add("echo");
        config.set("tests", tests);
        Files.writeString(directory.resolve("promptfooconfig.json"), config.toString());
        return directory;
    }

    @Test
    void shouldNameTheAssertionWhoseCodeCannotRun() throws Exception {
        List<JsonNode> vectors = vectors("ownCodeSyntax");
        assertThat(vectors).hasSizeGreaterThanOrEqualTo(4);
        for (JsonNode vector : vectors) {
            CommandRun run = CommandRun.of("validate", written(vector).toString());
            assertThat(run.code()).as(run.err()).isEqualTo(2);
            assertThat(run.err()
                            .lines()
                            .filter(line -> line.startsWith("tests"))
                            .map(line -> line.split(":", 2)[0]))
                    .as(vector.path("id").asText() + run.err())
                    .containsExactly(vector.at("/expected/errors/0").textValue());
        }
    }

    @Test
    void shouldNameInheritedCodeOnceHoweverManyTestsInheritIt() throws Exception {
        Files.writeString(temporary.resolve("promptfooconfig.yaml"), """
            prompts: ['{{q}}']
            providers: [echo]
            defaultTest: {assert: [{type: python, value: 'output =='}]}
            tests: [{vars: {q: [a, b, c]}}]
            """);
        for (String command : List.of("validate", "run")) {
            CommandRun run = CommandRun.of(
                    command,
                    temporary.toString(),
                    "--data",
                    temporary.resolve("data").toString());
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err().lines().filter(line -> line.contains("SyntaxError") || line.contains("syntax")))
                    .as(run.err())
                    .singleElement()
                    .asString()
                    .startsWith("defaultTest.assert[0].value");
        }
    }

    @Test
    @Tag("slow")
    void shouldSayWhatPromptfooSaid() throws Exception {
        Path data = Files.createDirectories(temporary.resolve("data"));
        Files.writeString(data.resolve("tools.yaml"), "code: {python: true, javascript: true}\n");
        List<JsonNode> vectors = vectors("ownCodeAssert");
        assertThat(vectors).hasSizeGreaterThan(80);
        ArrayNode tests = Json.mapper().createArrayNode();
        vectors.forEach(vector -> tests.add(vector.at("/input/test")));
        Path all = configuration(Files.createDirectory(temporary.resolve("all")), tests);
        try (AssayServer server = InProcessServer.start(data);
                Api api = new Api(data)) {
            assertThat(server.api()).isNotNull();
            Iterator<JsonNode> outcomes = outcomes(api, data, all, 100).iterator();
            for (JsonNode vector : vectors) {
                compare(vector.path("id").asText(), outcomes.next(), vector.path("expected"));
            }
            assertThat(outcomes.hasNext()).isFalse();
            for (JsonNode vector : vectors("ownCodeRun")) {
                Path directory = written(vector);
                Path campaign = directory.resolve("native");
                CommandRun imported = CommandRun.of("import", directory.toString(), "--output", campaign.toString());
                assertThat(imported.code()).as(imported.err()).isZero();
                for (Path file : List.of(directory.resolve("promptfooconfig.yaml"), campaign)) {
                    List<JsonNode> cells = outcomes(
                            api, data, file, vector.at("/expected/exitCode").intValue());
                    assertThat(cells).hasSameSizeAs(vector.at("/expected/cells"));
                    for (int i = 0; i < cells.size(); i++) {
                        compare(
                                file.toString(),
                                cells.get(i),
                                vector.at("/expected/cells").get(i));
                    }
                }
            }
        }
    }

    /** What came of running {@code file}, in the order of its cases. */
    private static List<JsonNode> outcomes(Api api, Path data, Path file, int code) throws Exception {
        CommandRun run = CommandRun.of("run", file.toString(), "--data", data.toString(), "--json");
        assertThat(run.code()).as(file + run.err()).isEqualTo(code);
        String id = Json.tree(run.out()).path("campaign_id").asText();
        JsonNode page = api.get("/api/v1/campaigns/" + id + "/outcomes?limit=500");
        List<JsonNode> items = new ArrayList<>();
        page.path("items").forEach(items::add);
        return items;
    }

    private static void compare(String id, JsonNode outcome, JsonNode expected) {
        assertThat(outcome.path("passed").booleanValue())
                .as(id + outcome)
                .isEqualTo(expected.path("passed").booleanValue());
        if (expected.has("error")) {
            // A transform that fails has a result here, and none in promptfoo. An agent that fails has none here, too.
            boolean isAnswered = !outcome.path("checks").isEmpty();
            assertThat(outcome.path("status").asText())
                    .as(id + outcome)
                    .isIn(isAnswered ? List.of("COMPLETED") : List.of("AGENT_FAILED", "MODEL_ERROR"));
            return;
        }
        if (id.contains("/provider-")) {
            // Own code that answers is told nothing that differs from promptfoo.
            JsonNode seen = outcome.hasNonNull("output") ? outcome.path("output") : outcome.path("response");
            assertThat(seen).as(id + outcome).isEqualTo(expected.path("output"));
        }
        Iterator<JsonNode> wanted = expected.path("checks").iterator();
        flat(outcome.path("checks")).forEach(check -> {
            JsonNode want = wanted.next();
            boolean isRequired = check.path("required").asBoolean(true);
            if (isRequired) {
                assertThat(check.path("status").asText().equalsIgnoreCase("passed"))
                        .as(id + check)
                        .isEqualTo(want.path("passed").booleanValue());
            }
            assertThat(check.path("score").asDouble())
                    .as(id + check)
                    .isCloseTo(want.path("score").asDouble(), within(1e-9));
        });
        assertThat(wanted.hasNext()).as(id).isFalse();
    }

    private static Stream<JsonNode> flat(JsonNode checks) {
        return StreamSupport.stream(checks.spliterator(), false)
                .flatMap(check -> Stream.concat(
                        Stream.of(check),
                        flat(check.path("checks").isMissingNode() ? check.path("members") : check.path("checks"))));
    }
}
