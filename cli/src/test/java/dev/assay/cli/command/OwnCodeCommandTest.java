package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.command.AgentPermission;
import dev.assay.cli.testing.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Own code is compiled before anything is sent or stored. */
class OwnCodeCommandTest {

    @TempDir
    Path temporary;

    @BeforeEach
    void prepare() throws Exception {
        for (String name : new String[] {"python3", "node"}) {
            Assumptions.assumeTrue(AgentPermission.isFound(name), () -> name + " is not on the PATH of this machine");
        }
        Path code = Files.createDirectories(temporary.resolve("checks/below"));
        Files.writeString(code.resolve("beside.py"), "LEAST = 3\n");
        Files.writeString(code.resolve("good.py"), """
            import beside

            class Judge:
                def score(output, context):
                    return len(output) > beside.LEAST
            """);
        Files.writeString(code.resolve("broken.py"), "def get_assert(output, context)\n    return True\n");
        Files.writeString(code.resolve("lost.py"), "import no_such_module_at_all\n");
        Files.writeString(code.resolve("good.mjs"), "export const polite = async (output) => output.length > 3;\n");
        Files.writeString(code.resolve("good.cjs"), "module.exports = (output) => output.length > 3;\n");
        Files.writeString(code.resolve("empty.js"), "module.exports = 3;\n");
    }

    private CommandRun run(String command, String checks, String... options) throws Exception {
        Path file = Files.writeString(temporary.resolve("campaign.yaml"), """
            name: code
            code: checks
            cases: [{id: a, prompt: x, checks: [%s]}]
            branches: [{id: b, kind: scripted, script: {answers: [Hello]}}]
            """.formatted(checks));
        List<String> line = new ArrayList<>(List.of(
                command, file.toString(), "--data", temporary.resolve("data").toString()));
        line.addAll(List.of(options));
        return CommandRun.of(line.toArray(String[]::new));
    }

    private static final String GOOD = """
        {type: python, value: len(output)}, {type: javascript, value: output.length},
        {type: python, file: below/good.py, function: Judge.score}, {type: javascript, file: below/good.mjs, function: polite},
        {type: javascript, file: below/good.cjs}\
        """;

    @Test
    void shouldAcceptCodeThatCompiles() throws Exception {
        CommandRun valid = run("validate", GOOD);
        assertThat(valid.err()).isEmpty();
        assertThat(valid.code()).isZero();
    }

    @Test
    void shouldNameEachCheckWhoseCodeCannotRunAndStoreNothing() throws Exception {
        String bad = """
            {type: python, value: "output =="}, {type: javascript, value: "output =="}, {type: python, value: len(output)},
            {type: python, file: below/missing.py}, {type: python, file: below/broken.py},
            {type: python, file: below/lost.py}, {type: python, file: below/good.py, function: missing},
            {type: javascript, file: below/good.mjs, function: rude}, {type: javascript, file: below/empty.js},
            {type: group, checks: [{type: python, value: "output =="}]}\
            """;
        for (String command : new String[] {"validate", "run"}) {
            CommandRun refused = run(command, bad);
            assertThat(refused.code()).as(refused.err()).isEqualTo(2);
            assertThat(refused.err())
                    .contains("cases[0].checks[0].value")
                    .contains("cases[0].checks[1].value")
                    .doesNotContain("cases[0].checks[2]")
                    .contains("cases[0].checks[3].file", "There is no file below/missing.py")
                    .contains("cases[0].checks[4].file", "SyntaxError")
                    .contains("cases[0].checks[5].file", "no_such_module_at_all")
                    .contains("cases[0].checks[6].file", "has no function `missing`")
                    .contains("cases[0].checks[7].file", "has no function `rude`")
                    .contains("cases[0].checks[8].file", "exports no function")
                    .contains("cases[0].checks[9].checks[0].value");
            assertThat(temporary.resolve("data/postgres")).doesNotExist();
        }
    }

    @Test
    void shouldNameEachTransformWhoseCodeCannotRun() throws Exception {
        Path file = Files.writeString(temporary.resolve("transforms.yaml"), """
            name: code
            code: checks
            transform: {javascript: {file: below/good.mjs, function: rude}}
            cases:
              - {id: a, prompt: x, transform: {javascript: "const a = 1; return a"}}
              - {id: b, prompt: x, checks: [{type: icontains, value: x, transform: {javascript: "output ="}}]}
              - id: c
                prompt: x
                transform: {javascript: "return output +\\n 1"}
                checks: [{type: icontains, value: x, transform: {javascript: output.length}}]
            branches:
              - {id: a, kind: scripted, script: {answers: [Hello]}, transform: {python: {file: below/missing.py}}}
              - {id: b, kind: scripted, script: {answers: [Hello]}, transform: {python: {file: below/good.py}}}
            strategy: {type: pick-first}
            """);
        CommandRun refused = CommandRun.of(
                "validate", file.toString(), "--data", temporary.resolve("data").toString());

        assertThat(refused.code()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err())
                .contains("transform.javascript.file", "has no function `rude`")
                .contains("cases[0].transform.javascript")
                .contains("cases[1].checks[0].transform.javascript")
                .doesNotContain("cases[2]")
                .contains("branches[0].transform.python.file", "There is no file below/missing.py")
                .contains("branches[1].transform.python.file", "has no function `get_transform`");

        CommandRun unwanted = CommandRun.of(
                "run",
                file.toString(),
                "--data",
                temporary.resolve("data").toString(),
                "--allow-code",
                "none",
                "--all-errors");
        assertThat(unwanted.code()).as(unwanted.err()).isOne();
        assertThat(unwanted.err()).contains("EVAL_CODE_UNAVAILABLE", "branches[1].transform", "cases[0].transform");
    }

    @Test
    void shouldCompileTheCodeOfAgents() throws Exception {
        Path code = temporary.resolve("checks");
        Files.writeString(
                code.resolve("own.py"), "def call_api(prompt, options, context):\n    return {'output': prompt}\n");
        Files.writeString(
                code.resolve("own.mjs"), "export default class { async callApi(p) { return {output: p}; } }\n");
        String campaign = """
            name: code
            code: checks
            cases: [{id: a, prompt: x, checks: [{type: rubric, value: y}]}]
            grader: {kind: python, file: %s}
            branches:
              - {id: a, kind: python, file: own.py, function: %s}
              - {id: b, kind: javascript, file: %s}
            strategy: {type: pick-first}
            """;
        CommandRun valid = validate(campaign.formatted("own.py", "call_api", "own.mjs"));
        assertThat(valid.code()).as(valid.err()).isZero();

        CommandRun refused = validate(campaign.formatted("good.py", "missing", "lost.mjs"));
        assertThat(refused.code()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err())
                .contains("grader.file", "There is no file good.py")
                .contains("branches[0].file", "has no function `missing`")
                .contains("branches[1].file", "There is no file lost.mjs");
    }

    private CommandRun validate(String campaign) throws Exception {
        Path file = Files.writeString(temporary.resolve("agents.yaml"), campaign);
        return CommandRun.of(
                "validate", file.toString(), "--data", temporary.resolve("data").toString());
    }

    @Test
    void shouldRefuseOwnCodeWhenItsUserDoes() throws Exception {
        for (String command : new String[] {"validate", "run"}) {
            CommandRun refused = run(
                    command,
                    "{type: icontains, value: python}, {type: python, value: \"open('%s', 'w')\"}"
                            .formatted(temporary.resolve("ran")),
                    "--allow-code",
                    "none");
            assertThat(refused.code()).as(refused.err()).isOne();
            assertThat(refused.err()).contains("EVAL_CODE_UNAVAILABLE", "cases[0].checks[1]");
            assertThat(temporary.resolve("data/postgres")).doesNotExist();
            assertThat(temporary.resolve("ran")).doesNotExist();
        }
        assertThat(run("validate", "{type: icontains, value: x}", "--allow-code", "none")
                        .code())
                .isZero();
        assertThat(run("validate", "{type: icontains, value: x}", "--allow-code", "all")
                        .code())
                .isEqualTo(2);
    }
}
