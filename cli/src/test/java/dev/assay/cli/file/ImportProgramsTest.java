package dev.assay.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.command.AgentPermission;
import dev.assay.cli.testing.CommandRun;
import dev.assay.domain.document.DocumentText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportProgramsTest {

    @TempDir
    Path directory;

    @BeforeEach
    void requireInterpreters() {
        for (String name : new String[] {"python3", "node"}) {
            Assumptions.assumeTrue(AgentPermission.isFound(name), () -> name + " is not on the PATH of this machine");
        }
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    private CommandRun command(String name, String... options) {
        Stream<String> begin = Stream.of(
                name, directory.toString(), "--data", directory.resolve("data").toString());
        return CommandRun.of(Stream.concat(begin, Stream.of(options)).toArray(String[]::new));
    }

    private JsonNode imported(String... options) throws IOException {
        Path target = directory.resolve("native");
        CommandRun run = command(
                "import",
                Stream.concat(Stream.of("--output", target.toString()), Stream.of(options))
                        .toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isZero();
        return DocumentText.parse(Files.readString(target.resolve("campaign.yaml")));
    }

    @Test
    void shouldTakeTestsVarsAndValuesThatProgramsGive() throws IOException {
        write("promptfooconfig.yaml", """
            prompts: ['{{t}} {{n}}']
            providers: [echo]
            tests:
              - file://gen.py:cases
              - {path: 'gen.js', config: {t: zz}}
              - file://list.mjs
              - vars: {t: ab}
                options: {transformVars: '({...vars, n: vars.t.length})'}
                assert:
                  - {type: equals, value: 'file://value.js'}
                  - {type: contains-any, value: 'file://value.py:words'}
              - {vars: {t: abc}, options: {transformVars: 'file://vars.py'}}
            """);
        write("gen.py", "def cases():\n    return [{'vars': {'t': 'x' * i}} for i in (1, 2)]\n");
        write("gen.js", "module.exports = (config) => [{vars: {t: config.t}}];\n");
        write("list.mjs", "export default [{vars: {t: 'listed'}}];\n");
        write("value.js", "module.exports = (output, context) => context.vars.t + ' ' + context.vars.n;\n");
        write("value.py", "def words(output, context):\n    return ['x', 'b {{t}}']\n");
        write("vars.py", "async def get_transform(vars, context):\n    return {'t': vars['t'], 'n': 3}\n");

        JsonNode cases = imported().path("cases");

        assertThat(cases.findValuesAsText("t")).containsExactly("x", "xx", "zz", "listed", "ab", "abc");
        assertThat(cases.get(4).path("vars").path("n").intValue()).isEqualTo(2);
        assertThat(cases.get(4).at("/checks/0/value").textValue()).isEqualTo("ab 2");
        assertThat(cases.get(4).at("/checks/1/value/1").textValue()).isEqualTo("b {{t}}");
        assertThat(cases.get(5).path("vars").path("n").intValue()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        return None | must give a list of tests
        return {'vars': {}} | must give a list of tests
        return [1] | must be a test
        raise ValueError('fell') | gen.py failed: ValueError: fell
        import os; os._exit(3) | ended with exit code 3
        import sys; sys.exit(0) | gen.py failed: SystemExit
        return ['x' * (70 << 20)] | longer than 64 MiB
        return ['x' * (8 << 30)] | gen.py failed: MemoryError
        return [float('nan')] | gen.py failed: ValueError
        return (x for x in [1]) | gen.py failed: TypeError
        return [{'vars': {'t': '\\x00\\x1b[2J'}}] | U+0000
        """)
    void shouldSayWhatIsWrongAtThePathInTheFileWhenAProgramGivesNoTests(String body, String said) throws IOException {
        write("promptfooconfig.yaml", "{prompts: [p], providers: [echo], tests: ['file://gen.py']}");
        write("gen.py", "def generate_tests():\n    print('noise')\n    " + body + "\n");
        CommandRun run = command("validate");
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(said).doesNotContain("\u001b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        return output + 'x'
        return f'{output}'
        return len(output)
        return 'x' if output else 'y'
        raise ValueError('fell')
        """)
    void shouldHaveNoCounterpartOfAValueThatReadsTheAnswer(String body) throws IOException {
        write("promptfooconfig.yaml", """
            {prompts: [p], providers: [echo], tests: [{assert: [
              {type: equals, value: 'file://v.py'}, {type: contains, value: 'file://v.mjs'}]}]}
            """);
        write("v.py", "def get_assert(output, context):\n    " + body + "\n");
        write("v.mjs", "export default (output) => output.trim();\n");
        CommandRun run = command("validate");
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.err())
                .contains("tests[0].assert[0].value: ", "tests[0].assert[1].value: ", "needs the answer or fails");
        assertThat(imported("--allow-unmapped").at("/cases/0/checks").findValuesAsText("type"))
                .containsExactly("lost", "lost");
    }

    @Test
    void shouldRunNoProgramWhereThatIsNotWanted() throws IOException {
        Path mark = directory.resolve("mark");
        write("promptfooconfig.yaml", "{prompts: [p], providers: [echo], tests: ['file://gen.py']}");
        write("gen.py", "open('" + mark + "', 'w')\ndef generate_tests(): return [{}]\n");
        for (String[] options : new String[][] {{"--no-code"}, {"--allow-code", "none"}}) {
            CommandRun run = command("validate", options);
            assertThat(run.code()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("tests[0]: Tests are given by a program, and none is run");
        }
        CommandRun left = command("validate", "--no-code", "--allow-unmapped");
        assertThat(left.code()).as(left.err()).isZero();
        assertThat(left.err()).contains("no code of the file was loaded");
        assertThat(mark).doesNotExist();
        assertThat(command("validate").code()).isZero();
        assertThat(mark).exists();
    }

    @Test
    void shouldShowProgramsOnlyTheVariablesThatAreNamed() throws IOException {
        Assumptions.assumeTrue(System.getenv("JAVA_HOME") != null, "JAVA_HOME is not set");
        write("promptfooconfig.yaml", "{prompts: ['{{t}}'], providers: [echo], tests: ['file://gen.py']}");
        write("gen.py", """
            import os
            def generate_tests():
                return [{'vars': {'t': str('JAVA_HOME' in os.environ)}}]
            """);
        assertThat(imported().at("/cases/0/vars/t").asText()).isEqualTo("False");
        Files.delete(directory.resolve("native/campaign.yaml"));
        JsonNode seen = imported("--code-env", "JAVA_HOME");
        assertThat(seen.at("/cases/0/vars/t").asText()).isEqualTo("True");
        assertThat(seen.at("/codeEnv/0").asText()).isEqualTo("JAVA_HOME");
    }
}
