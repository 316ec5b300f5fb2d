package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Campaigns that ask the same, and are judged by the same or by others. */
@Tag("slow")
@Timeout(180)
final class ComparePairsTest {

    private static final int CASES = 30;
    private static final String OTHERS =
            "A and B were judged by different evaluators: this compares judges, not branches.";

    @TempDir
    private static Path directory;

    private static AssayServer server;
    private static String strict;
    private static String again;
    private static String lenient;

    @BeforeAll
    static void start() throws IOException {
        server = InProcessServer.start(directory.resolve("data"));
        strict = run(campaign("strict", "{type: equals, value: \"yes\"}", ""));
        again = run(campaign("again", "{type: equals, value: \"yes\", required: true, weight: 2}", ""));
        lenient = run(campaign("lenient", "{type: contains, value: \"e\"}", ""));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Path campaign(String name, String check, String more) throws IOException {
        String cases = IntStream.range(0, CASES)
                .mapToObj(i -> "  - {id: case-" + i + ", prompt: Yes?, checks: [" + check + "]}\n")
                .collect(Collectors.joining());
        return Files.writeString(
                directory.resolve(name + ".yaml"),
                "name: " + name + "\ncases:\n" + cases
                        + "branches: [{id: only, kind: scripted, script: {answers: [\"yes\"]}}]\n" + more);
    }

    private static String run(Path file) {
        CommandRun run = assay("run", file.toString(), "--no-fail");
        assertThat(run.code()).as(run.err()).isZero();
        return run.err()
                .lines()
                .filter(line -> line.startsWith("Campaign "))
                .findFirst()
                .orElseThrow()
                .substring("Campaign ".length());
    }

    private static CommandRun assay(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--server", server.api().toString()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static JsonNode json(String a, String b) {
        CommandRun run = assay("compare", a, b, "--pair", "question", "--json");
        assertThat(run.code()).as(run.err()).isZero();
        return Json.tree(run.out());
    }

    @Test
    void shouldPairWhatIsAskedAndSayFirstThatOthersJudged() {
        assertThat(assay("compare", strict, lenient).err()).contains("no case in common");

        CommandRun shown = assay("compare", strict, lenient, "--pair", "question");

        assertThat(shown.code()).as(shown.err()).isZero();
        assertThat(shown.out().lines().findFirst()).contains(OTHERS);
        assertThat(shown.out()).contains("30 shared cases");
        JsonNode evaluators = json(strict, lenient).get("evaluators");
        assertThat(evaluators.at("/a/0/code").textValue()).isEqualTo("equals/1");
        assertThat(evaluators.at("/b/0/code").textValue()).isEqualTo("contains/1");
        assertThat(evaluators.at("/b/0/cells").intValue()).isEqualTo(CASES);
        assertThat(evaluators.get("same").booleanValue()).isFalse();
    }

    @Test
    void shouldWarnOfNothingWhenTheSameEvaluatorsJudged() throws IOException {
        assertThat(json(strict, again).at("/evaluators/same").booleanValue()).isTrue();
        assertThat(assay("compare", strict, again, "--pair", "question").out())
                .doesNotContain("evaluators")
                .startsWith("A: ");
        String same = run(campaign("strict-again", "{type: equals, value: \"yes\"}", ""));
        assertThat(Json.tree(assay("compare", strict, same, "--json").out()).has("evaluators"))
                .isFalse();
    }

    @Test
    void shouldRefuseAnotherWord() {
        CommandRun refused = assay("compare", strict, lenient, "--pair", "answers");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--pair must be content or question, but is answers");
    }

    private static JsonNode gated(String name, String check, String baseline) throws IOException {
        CommandRun run = assay(
                "run",
                campaign(name, check, "gate: {baseline: {campaign: " + baseline + ", pair: question, maxDrop: 0.2}}\n")
                        .toString(),
                "--no-fail",
                "--json");
        assertThat(run.code()).as(run.err()).isZero();
        return Json.tree(run.out());
    }

    @Test
    void shouldDecideNothingBesideABaselineThatOthersJudged() throws IOException {
        JsonNode others = gated("gated-others", "{type: contains, value: \"e\"}", strict);
        assertThat(others.at("/verdict").textValue()).isEqualTo("INCONCLUSIVE");
        assertThat(others.at("/reasons")).hasToString("[\"EVALUATORS_DIFFER\"]");
        assertThat(others.at("/rule/sentence").textValue()).contains("judged by other evaluators");

        JsonNode same = gated("gated-same", "{type: equals, value: \"yes\", weight: 3}", strict);
        assertThat(same.at("/verdict").textValue()).isEqualTo("PASS");
        assertThat(same.at("/baselines/0/difference/cases").intValue()).isEqualTo(CASES);
    }
}
