package dev.assay.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.FakeApi;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.ImportDefaults;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForeignFileTest {

    private static final Path EXAMPLE = Path.of("..", "examples", "promptfoo");

    @TempDir
    Path directory;

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static CommandRun validate(Path file, String... options) {
        return CommandRun.of(IntStream.range(0, options.length + 2)
                .mapToObj(i -> i == 0 ? "validate" : i == 1 ? file.toString() : options[i - 2])
                .toArray(String[]::new));
    }

    @Test
    void shouldReadAndWriteTheExampleOfPromptfoo() throws IOException {
        CommandRun run = validate(EXAMPLE);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("is valid: 4 cases × 2 branches");
        Path output = directory.resolve("native");

        CommandRun written = CommandRun.of("import", EXAMPLE.toString(), "--output", output.toString());

        assertThat(written.code()).as(written.err()).isZero();
        ForeignFile.Choices choices = new ForeignFile.Choices(
                false, List.of(), null, new ForeignFile.Code(false, List.of()), () -> ImportDefaults.NONE);
        assertThat(DocumentText.parse(Files.readString(output.resolve("campaign.yaml"))))
                .isEqualTo(DocumentText.parse(
                        ForeignFile.find(EXAMPLE, choices).document().toString()));
        assertThat(validate(output).out()).contains("4 cases × 2 branches");
    }

    @Test
    void shouldSubmitTheImportWhenAServerRunsIt() throws IOException {
        try (FakeApi api = new FakeApi()) {
            CommandRun run = CommandRun.of("run", EXAMPLE.toString(), "--server", api.url());

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(api.submitted().at("/branches/0/template").textValue())
                    .isEqualTo("Say hello to {{ name }} in {{ language }}.");
            assertThat(api.submitted().at("/cases/0/vars/name").textValue()).isEqualTo("Ann");
        }
    }

    @Test
    void shouldNameErrorsAndNotesAndLeaveOutWhatIsAllowed() throws IOException {
        Path file = write("promptfooconfig.yaml", """
            prompts: ['{{q}}']
            providers: [echo]
            sharing: true
            tests: [{vars: {q: a}, assert: [{type: ruby, value: x}, {type: equals, value: a}]}]
            """);
        CommandRun refused = validate(directory);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("tests[0].assert[0].type", "--allow-unmapped");
        CommandRun allowed = validate(file, "--allow-unmapped");
        assertThat(allowed.code()).as(allowed.err()).isZero();
        assertThat(allowed.err()).contains("Warning: left out: tests[0].assert[0].type", "Note: sharing");
    }

    @Test
    void shouldHaveRubricsGradedByTheModelOfTheCommandElseOfTheOperator() throws IOException {
        Path file = write("promptfooconfig.yaml", """
            prompts: ['{{q}}']
            providers: [echo]
            tests: [{vars: {q: a}, assert: [{type: llm-rubric, value: x}, {type: similar, value: x}]}]
            """);
        Path data = directory.resolve("data");
        CommandRun refused = validate(file, "--data", data.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--grader PROVIDER/MODEL", "--embedder PROVIDER/MODEL");
        assertThat(validate(file, "--grader", "gpt-5").err()).contains("--grader gpt-5 must be PROVIDER/MODEL");
        write("data/providers.yaml", "{grader: {provider: ollama, model: g}, embedder: {provider: ollama, model: e}}");
        assertThat(validate(file, "--data", data.toString()).code()).isZero();

        CommandRun imported = CommandRun.of(
                "import",
                file.toString(),
                "--grader",
                "ollama/a/b",
                "--data",
                data.toString(),
                "--output",
                directory.resolve("native").toString());

        assertThat(imported.code()).as(imported.err()).isZero();
        assertThat(DocumentText.parse(Files.readString(directory.resolve("native/campaign.yaml")))
                        .at("/cases/0/checks"))
                .isEqualTo(DocumentText.parse("""
                    - {type: rubric, value: x, grader: {provider: ollama, model: a/b}}
                    - {type: similar, value: x, grader: {provider: ollama, model: e}}
                    """));
    }

    @Test
    void shouldNameTheKeyOfAPublicServerThatIsNotSet() throws IOException {
        Assumptions.assumeTrue(System.getenv("CEREBRAS_API_KEY") == null, "CEREBRAS_API_KEY is set on this machine");
        Path file = write("promptfooconfig.yaml", "{prompts: [p], providers: ['cerebras:llama']}");
        CommandRun refused = validate(file);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("branches[0].provider", "set CEREBRAS_API_KEY");
    }

    @Test
    void shouldNameErrorsAloneWhenTheImportIsInvalid() throws IOException {
        Path file = write("promptfooconfig.yaml", """
            prompts: ['{{q}}']
            providers: [echo]
            sharing: true
            evaluateOptions: {repeat: 5000}
            tests: [{vars: {q: a}, assert: [{type: ruby, value: x}, {type: equals, value: a}]}]
            """);
        for (String command : List.of("validate", "run")) {
            CommandRun run = CommandRun.of(
                    command,
                    file.toString(),
                    "--allow-unmapped",
                    "--data",
                    directory.resolve("data").toString());
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err().lines().map(line -> line.replaceFirst(": .*", "")))
                    .as(command)
                    .containsExactly("trials", "assay");
            assertThat(run.out()).isEmpty();
        }
    }

    @Test
    void shouldReadNothingOutsideTheDirectory() throws IOException {
        write("secret.txt", "secret");
        Path inner = write("inner/promptfooconfig.yaml", "prompts: [file://../secret.txt]\nproviders: [echo]\n")
                .getParent();
        assertThat(validate(inner).err())
                .contains("prompts[0]", "leaves the directory")
                .doesNotContain("secret\n");
        Files.createSymbolicLink(inner.resolve("link.txt"), directory.resolve("secret.txt"));
        Files.writeString(
                inner.resolve("promptfooconfig.yaml"),
                "prompts: [file://link.txt, file:///etc/passwd]\nproviders: [echo]\n");
        assertThat(validate(inner).err()).contains("prompts[0]", "prompts[1]", "leaves the directory");
    }

    @Test
    void shouldReadTheFilesOfTheRepositoryAroundAndNoneOutsideOfIt() throws IOException {
        write("secret.txt", "secret");
        Files.createDirectories(directory.resolve("repository/.git"));
        write("repository/prompts/b.txt", "B {{q}}");
        write("repository/prompts/a.txt", "A {{q}}");
        write("repository/tests.yaml", "- vars: {q: one}\n- vars: {q: two}\n");
        Path file = write("repository/eval/[x]/promptfooconfig.yaml", """
            prompts: [file://../../prompts/*.txt]
            providers: [echo]
            tests: file://../../tests.yaml
            """);
        assertThat(validate(file).out()).contains("2 cases × 2 branches");

        write("repository/eval/[x]/promptfooconfig.yaml", """
            prompts: [file://../../../secret.txt, "file://../../../*.txt", file://../../link.txt]
            providers: [echo]
            """);
        Files.createSymbolicLink(directory.resolve("repository/link.txt"), directory.resolve("secret.txt"));
        assertThat(validate(file).err())
                .contains("prompts[0]", "prompts[1]", "prompts[2]", "leaves the directory")
                .doesNotContain("secret\n");
    }

    @Test
    void shouldRunNoCodeFromOutsideOfTheDirectory() throws IOException {
        Files.createDirectories(directory.resolve(".git"));
        write("code.py", "def call_api(prompt, options, context): return {'output': prompt}\n");
        Path file = write("inner/promptfooconfig.yaml", """
            prompts: [p]
            providers: [file://../code.py]
            tests: file://../code.py
            """);
        CommandRun run = validate(file);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("The code ../code.py must stand in the directory", "2 places: tests, providers[0]");
    }

    @Test
    void shouldFindFilesByPatternsInTheOrderOfTheirNames() throws IOException {
        write("t/b.yaml", "- vars: {q: b}\n");
        write("t/a.yaml", "- vars: {q: a}\n");
        DirectoryFiles files = new DirectoryFiles(directory);
        assertThat(files.matching("t/*.yaml")).containsExactly("t/a.yaml", "t/b.yaml");
        assertThat(files.matching("./t/a.yaml")).containsExactly("./t/a.yaml");
        assertThatThrownBy(() -> files.matching("t/*.no")).isInstanceOf(AssayException.class);
        assertThatThrownBy(() -> files.matching("t/{a")).isInstanceOf(AssayException.class);
        assertThatThrownBy(() -> files.matching("../*")).isInstanceOf(AssayException.class);
    }

    @Test
    void shouldReadSamplesWhenBranchesAreNamed() throws IOException {
        Path file = write("samples.jsonl", "{\"input\": \"Capital of France?\", \"target\": \"France\"}\n");
        assertThat(validate(file).out()).contains("1 case × 1 branch");
        CommandRun nobody = CommandRun.of("run", file.toString());
        assertThat(nobody.code()).isEqualTo(2);
        assertThat(nobody.err()).contains("--branch PROVIDER/MODEL");
        assertThat(validate(file, "--branch", "echo", "--branch", "echo", "--target-check", "equals")
                        .out())
                .contains("1 case × 2 branches");
        assertThat(validate(file, "--target-check", "no").err()).contains("icontains, contains, equals");
        assertThat(validate(write("broken.csv", "input\n\"x\n")).code()).isEqualTo(2);
        CommandRun written = CommandRun.of(
                "import", file.toString(), "--output", directory.resolve("n").toString());
        assertThat(written.code()).as(written.err()).isZero();
        assertThat(Files.readString(directory.resolve("n/campaign.yaml"))).contains("# branches:");
    }

    @Test
    void shouldReadTenThousandTestsWithinSeconds() throws IOException {
        String tests = IntStream.range(0, 10_000)
                .mapToObj(
                        i -> "  - {vars: {q: 'q" + i + "', a: 'A {{q}}'}, assert: [{type: icontains, value: '{{q}}'}]}")
                .collect(Collectors.joining("\n"));
        Path file = write("promptfooconfig.yaml", "prompts: ['Say {{q}} {{a}}']\nproviders: [echo]\ntests:\n" + tests);
        long start = System.nanoTime();

        JsonNode cases = ForeignFile.find(
                        file,
                        new ForeignFile.Choices(
                                false,
                                List.of(),
                                null,
                                new ForeignFile.Code(false, List.of()),
                                () -> ImportDefaults.NONE))
                .document()
                .path("cases");

        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertThat(cases).hasSize(10_000);
        assertThat(took).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    @Tag("slow")
    void shouldRunAConfigurationWithTheVerdictsOfPromptfoo() throws IOException {
        write("promptfooconfig.yaml", """
            prompts:
              - 'Answer: {{question}}'
              - {id: second, label: short, raw: 'In one word: {{question}}'}
            providers: [echo, {id: echo, label: loud}]
            tests:
              - {description: first, vars: {question: A?}, assert: [{type: icontains, value: answer}]}
              - {vars: {question: B?}}
            """);

        CommandRun run = CommandRun.of(
                "run", directory.toString(), "--data", directory.resolve("data").toString(), "--json");

        assertThat(run.code()).as(run.err()).isEqualTo(100);
        JsonNode branches = Json.tree(run.out()).path("branches");
        assertThat(branches.fieldNames())
                .toIterable()
                .containsExactly("echo prompt-1", "echo short", "loud prompt-1", "loud short");
        assertThat(branches.at("/echo prompt-1/suite_pass_rate").doubleValue()).isEqualTo(1);
        assertThat(branches.at("/loud short/suite_pass_rate").doubleValue()).isEqualTo(0.5);
        assertThat(branches.at("/loud short/cases/0/id").textValue()).isEqualTo("first");
    }

    private CommandRun run(Path file, String... options) {
        String data = directory.resolve("data").toString();
        return CommandRun.of(Stream.concat(Stream.of("run", file.toString(), "--data", data), Stream.of(options))
                .toArray(String[]::new));
    }

    /** An import that lost a required check once said that every case passed, with exit code 0. */
    @Test
    @Tag("slow")
    void shouldBeInconclusiveWhenTrialsPassedOnlyForTheWantOfALostCheck() throws IOException {
        Path file = write("lost/promptfooconfig.yaml", """
            prompts: ['Answer: {{q}}']
            providers: [echo]
            defaultTest: {assert: [{type: ruby, value: output.length > 3}]}
            tests:
              - {vars: {q: A}, assert: [{type: icontains, value: answer}, {type: llm-rubric, value: Polite}]}
              - {vars: {q: B}, assert: [{type: pi, value: x, weight: 0}]}
            """);
        assertThat(run(file).code()).isEqualTo(2);

        CommandRun lost = run(file, "--allow-unmapped");

        assertThat(lost.code()).as(lost.out() + lost.err()).isEqualTo(101);
        assertThat(lost.out())
                .contains("Inconclusive: 2 of 2 cases lost a check: ruby, llm-rubric.")
                .doesNotContain("every case passed", "pi");
        Path written = directory.resolve("written");
        CommandRun imported =
                CommandRun.of("import", file.toString(), "--allow-unmapped", "--output", written.toString());
        assertThat(imported.code()).as(imported.err()).isZero();
        CommandRun again = run(written, "--json");
        assertThat(again.code()).as(again.out() + again.err()).isEqualTo(101);
        assertThat(Json.tree(again.out()).path("verdict").asText()).isEqualToIgnoringCase("INCONCLUSIVE");
        assertThat(Json.tree(again.out()).findValuesAsText("check_name")).contains("ruby", "llm-rubric");
    }

    @ParameterizedTest
    @CsvSource({
        "'{type: llm-rubric, value: Polite}', 101, 24 of 24 cases lost a check: llm-rubric",
        "'{type: icontains, value: answer}', 101, 23 of 24 cases lost a check: llm-rubric",
        "'{type: icontains, value: question}', 100, Failed: 1 of 24 cases on branch echo failed"
    })
    @Tag("slow")
    void shouldNeverPassWhereAFileLostItsRubrics(String first, int code, String said) throws IOException {
        StringBuilder tests = new StringBuilder("  - {vars: {q: A}, assert: [" + first + "]}\n");
        tests.repeat("  - {vars: {q: B}, assert: [{type: llm-rubric, value: Polite}]}\n", 23);
        Path file = write("rubrics/promptfooconfig.yaml", """
            prompts: ['Answer: {{q}}']
            providers: [echo]
            tests:
            """ + tests);
        CommandRun run = run(file, "--allow-unmapped", "--suite-threshold", code == 100 ? "1" : "0.04");
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(code);
        assertThat(run.out()).contains(said);
    }

    @Test
    @Tag("slow")
    void shouldBeInconclusiveWhereATestOrAProviderWasLost() throws IOException {
        Path file = write("fewer/promptfooconfig.yaml", """
            prompts: ['Answer: {{q}}']
            providers: [echo, 'replicate:meta/llama']
            tests:
              - {vars: {q: A}, assert: [{type: icontains, value: answer}]}
              - file://tests.rb
            """);
        write("fewer/tests.rb", "");
        CommandRun run = run(file, "--allow-unmapped");
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(101);
        assertThat(run.out()).contains("Inconclusive: the import left out 1 provider, 1 test.");
    }

    @Test
    @Tag("slow")
    void shouldFailByAnotherRequiredCheckWhereACheckWasLost() throws IOException {
        Path file = write("failed/promptfooconfig.yaml", """
            prompts: ['Answer: {{q}}']
            providers: [echo]
            tests:
              - {vars: {q: A}, assert: [{type: equals, value: something else}, {type: ruby, value: x}]}
              - {vars: {q: B}, assert: [{type: assert-set, threshold: 0.5, assert: [{type: icontains, value: b}, {type: ruby, value: x}]}]}
            """);

        CommandRun failed = run(file, "--allow-unmapped", "--json");

        assertThat(failed.code()).as(failed.out() + failed.err()).isEqualTo(100);
        JsonNode cases = Json.tree(failed.out()).findPath("cases");
        assertThat(cases.get(0).path("trials").get(0).path("status").asText()).isEqualTo("failed");
        assertThat(cases.get(1).path("trials").get(0).path("status").asText())
                .as("the member that is left reaches the set's threshold")
                .isEqualTo("passed");
    }

    @ParameterizedTest
    @CsvSource({"good, 101, the import left out 1 setting", "other, 100, 1 of 1 case on branch whole g failed"})
    @Tag("slow")
    void shouldNotFailByAnswersThatTheFileDoesNotAskForWhereASettingWasLost(String wanted, int code, String said)
            throws IOException {
        Path file = write("setting/promptfooconfig.yaml", """
            prompts: [{raw: good, label: g}, {raw: bad, label: b}]
            providers: [{id: echo, label: whole, prompts: [g]}, {id: echo, label: less, prompts: [b], mode: x}]
            tests: [{assert: [{type: equals, value: %s}]}]
            """.formatted(wanted));
        Path written = directory.resolve("setting-" + code);
        assertThat(CommandRun.of("import", file.toString(), "--allow-unmapped", "--output", written.toString())
                        .code())
                .isZero();
        for (Path one : List.of(file, written)) {
            CommandRun run = run(one, "--allow-unmapped");
            assertThat(run.code()).as(run.out() + run.err()).isEqualTo(code);
            assertThat(run.out()).contains(said);
        }
    }

    @Test
    void shouldSayWhatCanBeDoneWhenATaskOfInspectIsGiven(@TempDir Path directory) throws IOException {
        Path task = Files.writeString(directory.resolve("task.py"), "from inspect_ai import task\n");
        for (String command : List.of("run", "validate", "import")) {
            CommandRun run = CommandRun.of(command, task.toString());
            assertThat(run.code()).as(command).isEqualTo(2);
            assertThat(run.err()).contains("task.py is a Python program", "assay run samples.jsonl --branch");
        }
    }
}
