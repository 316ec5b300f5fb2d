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

/** Campaigns whose pattern of passes is known, run, planned and compared from the command line. */
@Tag("slow")
@Timeout(180)
class CompareAndPlanTest {

    private static final int CASES = 40;

    @TempDir
    private static Path directory;

    private static AssayServer server;
    private static String base;
    private static String worse;

    /** The first answers yes in every trial; the second no in trial 2. */
    @BeforeAll
    static void start() throws IOException {
        server = InProcessServer.start(directory.resolve("data"));
        base = run(campaign("base", "[yes]"));
        worse = run(campaign("worse|<b>", "[yes, no]"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Path campaign(String name, String answers) throws IOException {
        String cases = IntStream.range(0, CASES)
                .mapToObj(i -> "  - {id: case-" + i
                        + ", prompt: Yes?, tags: [cost], checks: [{type: equals, value: \"yes\"}]}\n")
                .collect(Collectors.joining());
        return Files.writeString(
                directory.resolve(Math.abs(name.hashCode()) + ".yaml"),
                "name: \"" + name + "\"\ncases:\n" + cases + "trials: 2\nbranches:\n"
                        + "  - {id: only, kind: scripted, script: {answers: " + answers
                        + ", usage: {input: 4, output: 2}}}\n");
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

    @Test
    void shouldExitByTheDropThatIsAccepted() {
        assertThat(assay("compare", base, worse).code()).isZero();
        assertThat(assay("compare", base, worse + ":only", "--max-drop", "0.1").code())
                .isEqualTo(100);
        assertThat(assay("compare", base, worse, "--max-drop", "0.5").code()).isEqualTo(101);
        assertThat(assay("compare", worse, base, "--max-drop", "0.02").code()).isZero();
        assertThat(assay("compare", base, worse, "--max-drop", "2").code()).isEqualTo(2);
        assertThat(assay("compare", base, base).code()).isEqualTo(2);
        assertThat(assay("compare", base, "none-such").code()).isEqualTo(1);
    }

    @Test
    void shouldShowWhatDiffersThenTheNumbersAndTheVerdict() throws IOException {
        Path markdown = directory.resolve("comparison.md");

        CommandRun shown = assay("compare", base, worse, "--reducer", "pass_k_2", "--markdown", markdown.toString());

        assertThat(shown.out())
                .containsSubsequence(
                        "A: " + base + ":only, suite ",
                        "Differs: branch.script.answers",
                        "trials passed   ",
                        "100.0 %",
                        "50.0 %",
                        "-50.0 pp",
                        "< 0.001",
                        "cases passed",
                        "pass_k_2",
                        "tokens",
                        "×1.00",
                        "trials passed, by tag",
                        "cost   ",
                        "100.0 %",
                        "50.0 %",
                        "FAIL: a drop of more than 2.0 pp is shown; 40 shared cases find ",
                        " pp\n",
                        "Regressed 40, improved 0, unchanged 0; changed 0, only in A 0, only in B 0",
                        "regressed case-0: 100.0 % → 50.0 %",
                        "… and 20 more cases");
        assertThat(Files.readString(markdown))
                .contains("| trials passed | 100.0 % | 50.0 % |")
                .contains("| cost | 100.0 % | 50.0 % |")
                .doesNotContain("<b>");
    }

    /** Of one trial a case fails as often as its trial, of two trials more often. */
    @Test
    void shouldSayWhyCasesAreNotComparedWhenTrialsDiffer() throws IOException {
        String once = run(Files.writeString(
                directory.resolve("once.yaml"),
                Files.readString(campaign("once", "[yes]")).replace("trials: 2", "trials: 1")));

        CommandRun shown = assay("compare", once, worse, "--reducer", "max", "--reducer", "pass_at_1");

        assertThat(shown.out())
                .containsPattern("cases passed +– +– +– +trials differ")
                .containsPattern("max +– +– +– +trials differ")
                .containsPattern("pass_at_1 +100.0 % +50.0 % +-50.0 pp")
                .contains("FAIL: a drop of more than 2.0 pp is shown");
    }

    @Test
    void shouldSayHowManyCasesAreNeededOnlyWhenNothingIsDecided() {
        assertThat(assay("compare", base, worse, "--max-drop", "0.5").out())
                .contains("INCONCLUSIVE: a drop of more than 50.0 pp")
                .contains("Needed to rule it out: ");
        assertThat(assay("compare", base, worse, "--max-drop", "0.1").out()).doesNotContain("Needed to rule it out");
        assertThat(assay("compare", worse, base).out()).doesNotContain("Needed to rule it out");
    }

    /** All cases have one tag, so they say as much as one. */
    @Test
    void shouldLeaveOutGroupsWhenTheCampaignRelatesCases() throws IOException {
        String related = run(Files.writeString(
                directory.resolve("related.yaml"),
                Files.readString(campaign("related", "[yes, no]")) + "statistics: {groupBy: tag}\n"));

        CommandRun shown = assay("compare", base, related);

        assertThat(shown.out())
                .containsPattern("trials passed +100.0 % +50.0 % +-50.0 pp +one group")
                .contains("INCONCLUSIVE: a drop of more than 2.0 pp can neither be shown nor ruled out; 1 group finds");
    }

    @Test
    void shouldPrintOnlyWhatTheApiSaysWhenJsonIsAsked() {
        JsonNode comparison = Json.tree(assay("compare", base, worse, "--json").out());

        assertThat(comparison.at("/a/campaign").asText()).isEqualTo(base);
        assertThat(comparison.get("metrics"))
                .extracting(metric -> metric.get("name").asText())
                .containsExactly("trial-rate", "cases-passed", "tokens", "cost", "latency");
        assertThat(comparison.get("flips")).hasSize(CASES);
        assertThat(comparison.get("verdict").asText()).isEqualTo("FAIL");
    }

    /** One case of ten fails; the file asks for half of its trials, and names no share of the cases. */
    @Test
    void shouldPlanTheGateThatRunSubmits() throws IOException {
        String cases = IntStream.range(0, CASES)
                .mapToObj(i -> "  - {id: case-" + i + ", prompt: Yes?, checks: [{type: equals, value: \""
                        + (i % 10 == 0 ? "no" : "yes") + "\"}]}\n")
                .collect(Collectors.joining());
        Path file = Files.writeString(
                directory.resolve("gate.yaml"),
                "name: gate\ncases:\n" + cases + "trials: 2\ngate: {passThreshold: 0.5}\nbranches:\n"
                        + "  - {id: only, kind: scripted, script: {answers: [yes]}}\n");

        assertThat(assay("run", file.toString()).code()).isEqualTo(100);
        assertThat(assay("run", file.toString(), "--ci").code()).isZero();

        JsonNode strict = Json.tree(assay("plan", file.toString(), "--json").out());
        JsonNode lenient =
                Json.tree(assay("plan", file.toString(), "--ci", "--json").out());
        assertThat(strict.at("/assumptions/measuredIn").asText()).startsWith("gate-");
        assertThat(strict.at("/assumptions/rate").asDouble()).isEqualTo(37 / 42.0);
        assertThat(strict.get("passes").asDouble()).isLessThan(0.02);
        assertThat(strict.get("sameTwice").asDouble()).isGreaterThan(0.97);
        assertThat(lenient.get("passes").asDouble()).isGreaterThan(0.99);
    }

    @Test
    void shouldNotWarnWhenALargeCampaignIsScripted() throws IOException {
        CommandRun run = assay("run", campaign("large", "[yes]").toString(), "--trials", "3");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err())
                .startsWith(
                        "40 cases × 1 branch × 3 trials = 120 cells: 120 calls, all replayed or scripted: nothing is"
                                + " paid.\n");
    }

    @Test
    void shouldPlanWithoutStoringAnything() throws IOException {
        String listed = assay("list").out();
        Path file = campaign("base", "[yes]");

        CommandRun shown = assay("plan", file.toString(), "--rate", "0.9", "--trials", "3");
        JsonNode plan = Json.tree(assay("plan", file.toString(), "--json").out());

        assertThat(shown.code()).as(shown.err()).isZero();
        assertThat(shown.out())
                .containsSubsequence(
                        "40 cases, 1 branch, 3 trials: 120 calls",
                        "nothing is paid",
                        "finds",
                        "P(same twice)",
                        "True rate",
                        "pass rate 0.900 (given");
        assertThat(plan.get("calls").asInt()).isEqualTo(80);
        assertThat(plan.get("costUsd").asInt()).isZero();
        assertThat(plan.get("byTrials")).hasSize(4);
        assertThat(assay("plan", file.toString(), "--icc", "2").err()).contains("icc must be a number from 0.0 to 1.0");
        assertThat(assay("list").out()).isEqualTo(listed);
    }
}
