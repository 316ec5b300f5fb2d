package dev.assay.activities.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.check.code.ProgramRule;
import dev.assay.domain.check.code.ScriptRule;
import dev.assay.domain.grading.CodeCall;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.suite.Case;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Own code in real processes of this machine's interpreters. */
@Timeout(120)
class CodeProcessesTest {

    @TempDir
    Path temporary;

    private CodeRoom room;
    private CodeProcesses processes;

    @BeforeAll
    static void require() {
        Interpreters.require();
    }

    @BeforeEach
    void open() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("GOLDEN", "42");
        environment.put("SECRET", "hidden");
        CodeAllowance all = new CodeAllowance(Set.of("python", "javascript"), Set.of("GOLDEN"), Set.of("sh"));
        room = new CodeRoom(temporary, environment, all);
        processes = room.processes;
    }

    @AfterEach
    void close() {
        room.close();
    }

    private static CodeCall call(String output) {
        CampaignDefinition definition =
                CampaignReader.read(CampaignDocument.parse("""
                    name: code
                    cases: [{id: one, prompt: Say it, vars: {n: 3, of: [a, null]}, metadata: {owner: me}, tags: [t]}]
                    branches: [{id: b, kind: scripted, script: {answers: [x]}}]
                    """), Map.of()).definition();
        Branch branch = definition.branches().getFirst();
        Case suiteCase = new Case(
                "one",
                new dev.assay.domain.suite.Question(
                        List.of(Message.user("Say it")), List.of(), Map.of("n", TextNode.valueOf("3"))),
                new dev.assay.domain.check.Checks(List.of()),
                List.of("t"),
                Map.of("owner", "me"),
                null);
        Outcome outcome = new Outcome(
                0,
                0,
                "s.b.1",
                new Outcome.End(OutcomeStatus.COMPLETED, null, 1),
                new Outcome.Answer(List.of(Message.user("Say it"), Message.assistant(output)), 0, output),
                new Measured(Usage.of(7, 2), new BigDecimal("0.25"), Duration.ofMillis(12)),
                List.of());
        return new CodeCall(outcome, suiteCase, branch, 2);
    }

    private static CodeRule inline(CodeLanguage language, String code, int seconds) {
        return new ScriptRule(language, code, null, null, null, null, seconds);
    }

    private CodeReply run(CodeRule rule) throws InterruptedException {
        return run("campaign", CodeFiles.NONE, rule);
    }

    private CodeReply run(String campaign, CodeFiles files, CodeRule rule) throws InterruptedException {
        return processes
                .run(campaign, files, call("hello").check(rule, TextNode.valueOf("hello")))
                .reply();
    }

    private CodeReply python(String code) throws InterruptedException {
        return run(inline(CodeLanguage.PYTHON, code, 20));
    }

    private CodeReply javascript(String code) throws InterruptedException {
        return run(inline(CodeLanguage.JAVASCRIPT, code, 20));
    }

    private static String value(CodeReply reply) {
        return switch (reply) {
            case CodeReply.Returned(var value, String type) -> type == null ? value.toString() : type;
            case CodeReply.Raised(String message) -> "raised " + message;
            case CodeReply.NotRun(String message) -> "not run " + message;
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        len(output)                                    | 5
        output == 'hello'                              | true
        context['vars']['n'] + context['prompt']       | "3Say it"
        context['test']['metadata']                    | {"owner":"me"}
        context['providerResponse']['tokenUsage']      | {"prompt":7,"completion":2,"total":9,"cached":0}
        context['providerResponse']['cost']            | 0.25
        'config' in context                            | false
        json.loads('[1]')                              | [1]
        '\\ud800'                                      | "\uFFFD"
        """)
    void shouldEvaluateExpressionsOfPython(String code, String expected) throws Exception {
        assertThat(value(python(code)).replace('\ud800', '\uFFFD')).isEqualTo(expected.strip());
    }

    @Test
    void shouldTakeSeveralLinesAsTheBodyOfAFunction() throws Exception {
        assertThat(value(python("x = len(output)\nif x > 3:\n    return x\nreturn 0")))
                .isEqualTo("5");
        assertThat(value(python("len(output)\n"))).as("nothing is returned").isEqualTo("null");
        assertThat(value(javascript("const x = output.length\nreturn x"))).isEqualTo("5");
        assertThat(value(javascript("output.length\n")))
                .as("the end does not count")
                .isEqualTo("5");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        output.length;;                                            | 5
        const a = ';'; let b = output + a; b                       | "hello;"
        const a = 1                                                | undefined
        Promise.resolve(context.vars.n)                            | "3"
        1/0                                                        | Infinity
        undefined                                                  | undefined
        () => 1                                                    | function
        process.mainModule.require('node:path').basename('a/b')    | "b"
        context.provider.label + context.providerResponse.latencyMs| "b12"
        """)
    void shouldEvaluateExpressionsOfJavaScript(String code, String expected) throws Exception {
        assertThat(value(javascript(code))).isEqualTo(expected.strip());
    }

    @Test
    void shouldNameTheLineAsItsAuthorCountsIt() throws Exception {
        assertThat(value(python("x = 1\nreturn ("))).endsWith("(<code>, line 2)");
        assertThat(value(python("output == ("))).endsWith("(<code>, line 1)");
        assertThat(value(python("if output:\nreturn 1"))).contains("on line 1 (<code>, line 2)");
        assertThat(value(python("def f():\n    raise ValueError(__import__('sys')._getframe().f_lineno)\nreturn f()")))
                .isEqualTo("raised ValueError: 2");
    }

    @Test
    void shouldSayThatCodeRaisedOrCannotRun() throws Exception {
        assertThat(value(python("1 / 0"))).isEqualTo("raised ZeroDivisionError: division by zero");
        assertThat(value(python("__import__('sys').exit(3)"))).startsWith("raised SystemExit");
        assertThat(value(python("{1}"))).startsWith("raised TypeError");
        assertThat(value(python("float('nan')"))).startsWith("raised ValueError");
        assertThat(value(javascript("output.missing.more"))).startsWith("raised TypeError");
        assertThat(value(javascript("JSON.parse('{')"))).startsWith("raised SyntaxError");
        assertThat(value(javascript("10n"))).startsWith("raised TypeError");
        assertThat(value(python("output =="))).startsWith("not run SyntaxError");
        assertThat(value(javascript("output =="))).startsWith("not run SyntaxError");
        assertThat(value(python("'x' * (1 << 21)"))).startsWith("not run").contains("1 MiB");
        assertThat(value(javascript("'é'.repeat(1 << 20)")))
                .startsWith("not run")
                .contains("1 MiB");
        assertThat(value(run(new ScriptRule(CodeLanguage.PYTHON, null, "no.py", null, null, null, 9))))
                .startsWith("not run There is no file no.py");
        assertThat(value(run(new ScriptRule(CodeLanguage.JAVASCRIPT, null, "no.mjs", null, null, null, 9))))
                .startsWith("not run There is no file no.mjs");
    }

    @Test
    void shouldAskOnceMoreWhenAProcessDiesAndGiveUpThen() throws Exception {
        assertThat(value(python("__import__('os')._exit(5)")))
                .startsWith("not run")
                .contains("exit code 5");
        assertThat(value(javascript("process.exit(6)"))).startsWith("not run").contains("exit code 6");
        Path mark = temporary.resolve("once");
        String once = "import os\nif os.path.exists('%1$s'):\n    return 7\nopen('%1$s', 'w').close()\nos._exit(1)";
        assertThat(value(python(once.formatted(mark)))).isEqualTo("7");
        assertThat(value(python("1"))).as("the next one has a new process").isEqualTo("1");
    }

    @Test
    void shouldStopCodeThatTakesTooLong() throws Exception {
        long start = System.nanoTime();
        assertThat(value(run(inline(CodeLanguage.JAVASCRIPT, "(() => { for (;;); })()", 1))))
                .startsWith("not run The code took more than 1 s");
        assertThat(value(run(inline(CodeLanguage.PYTHON, "__import__('time').sleep(60)", 1))))
                .startsWith("not run The code took more than 1 s");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        assertThat(value(python("2"))).isEqualTo("2");
    }

    @Test
    void shouldKeepWhatIsPrintedApartFromReplies() throws Exception {
        assertThat(value(python("print('noise', flush=True) or 1"))).isEqualTo("1");
        assertThat(value(python("__import__('os').write(1, b'noise\\n')"))).isEqualTo("6");
        assertThat(value(python("__import__('sys').stdin.read()"))).isEqualTo("\"\"");
        assertThat(value(javascript("console.log('noise') ?? 1"))).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "read -r line; echo '{\"id\": 99, \"result\": true}'",
                "read -r line; printf '{\"id\": 1, \"resu'; sleep 0.2; echo",
                "read -r line; echo noise; echo '{\"id\": 1, \"result\": true}'",
                "read -r line; printf '{\"id\": 1, \"result\": \"'; head -c 2097152 /dev/zero | tr '\\0' x; echo '\"}'",
                "read -r line; echo '[[[[' ",
                "exit 3",
                "read -r line; printf '{\"id\": 1'"
            })
    void shouldGiveNoVerdictWhenAProgramBreaksTheProtocol(String script) throws Exception {
        CodeReply reply = run(new ProgramRule(List.of("sh", "-c", script), true, null, null, 20));
        assertThat(reply).isInstanceOf(CodeReply.NotRun.class);
    }

    @Test
    void shouldRunAProgramForEachCheckUnlessItStays() throws Exception {
        assertThat(value(run(program(false, "cat >/dev/null; echo ' 0.75'")))).isEqualTo("0.75");
        assertThat(value(run(program(false, "echo true story")))).isEqualTo("\"true story\"");
        assertThat(value(run(program(false, "exit 0")))).isEqualTo("\"\"");
        assertThat(value(run(program(false, "echo true; exit 4")))).contains("ended with exit code 4");
        assertThat(value(run(program(false, "echo; echo why >&2; exit 4")))).contains("why");
        String counting = "n=0; while read -r line; do n=$((n+1)); echo \"{\\\"id\\\": $n, \\\"result\\\": $n}\"; done";
        for (int i = 1; i <= 3; i++) {
            assertThat(value(run(program(true, counting)))).isEqualTo(String.valueOf(i));
        }
        assertThat(value(run(program(false, "cat")))).contains("\"trial\":2", "\"branch\":\"b\"", "\"costUsd\":0.25");
    }

    private static CodeRule program(boolean stays, String script) {
        return program(stays, script, 20);
    }

    private static CodeRule program(boolean stays, String script, int timeoutSeconds) {
        return new ProgramRule(List.of("sh", "-c", script), stays, null, null, timeoutSeconds);
    }

    @Test
    void shouldWaitForAProgramThatEndsWellAfterItsOutput() throws Exception {
        assertThat(value(run(program(false, "echo true; exec >&-; sleep 1.5")))).isEqualTo("true");
        assertThat(value(run(program(false, "echo true; exec >&-; sleep 60", 1))))
                .contains("took more than 1 s and was stopped");
    }

    @Test
    void shouldShareNothingBetweenCampaigns() throws Exception {
        CodeRule spoil = inline(CodeLanguage.PYTHON, "json.dumps = json.loads = None\nreturn 1", 20);
        assertThat(value(run("one", CodeFiles.NONE, spoil))).isEqualTo("1");
        assertThat(value(run("one", CodeFiles.NONE, inline(CodeLanguage.PYTHON, "json.dumps is None", 20))))
                .as("globals stay within a campaign")
                .isEqualTo("true");
        assertThat(value(run("two", CodeFiles.NONE, inline(CodeLanguage.PYTHON, "json.dumps([1])", 20))))
                .isEqualTo("\"[1]\"");
        assertThat(value(run("one", CodeFiles.NONE, inline(CodeLanguage.JAVASCRIPT, "Array.prototype.map = null", 20))))
                .isEqualTo("null");
        assertThat(value(run("two", CodeFiles.NONE, inline(CodeLanguage.JAVASCRIPT, "[1].map(x => x + 1)", 20))))
                .isEqualTo("[2]");
    }

    @Test
    void shouldShowOnlyTheVariablesThatTheCampaignNames() throws Exception {
        CodeFiles named = new CodeFiles(null, List.of("GOLDEN"));
        String all = "__import__('os').environ.get('GOLDEN'), __import__('os').environ.get('SECRET')";
        assertThat(value(run("c", named, inline(CodeLanguage.PYTHON, all, 20)))).isEqualTo("[\"42\",null]");
        assertThat(value(run("c", CodeFiles.NONE, inline(CodeLanguage.PYTHON, all, 20))))
                .isEqualTo("[null,null]");
        assertThat(value(run("c", new CodeFiles(null, List.of("SECRET")), inline(CodeLanguage.PYTHON, all, 20))))
                .startsWith("not run Own code may not see the variables SECRET");
        assertThat(value(run(new ProgramRule(List.of("cat"), false, null, null, 20))))
                .startsWith("not run Own code may not start cat");
    }

    @Test
    void shouldLeaveNoProcessWhenItsCodeForkedAndTheProcessEnded() throws Exception {
        String marker = "71" + ProcessHandle.current().pid();
        assertThat(value(python("import subprocess\nsubprocess.Popen(['sleep', '%s'], start_new_session=True)\nreturn 1"
                        .formatted(marker))))
                .isEqualTo("1");
        assertThat(value(python("import subprocess\nsubprocess.Popen(['sleep', '%s'])\nreturn 1".formatted(marker))))
                .isEqualTo("1");
        assertThat(running(marker)).isTrue();
        processes.close();
        await().atMost(Duration.ofSeconds(2)).until(() -> !running(marker));
    }

    private static boolean running(String argument) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().orElse("").endsWith(argument));
    }

    @Test
    void shouldServeManyFasterThanAProcessForEach() throws Exception {
        List<Callable<CodeReply>> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            CodeLanguage language = i % 2 == 0 ? CodeLanguage.PYTHON : CodeLanguage.JAVASCRIPT;
            all.add(() -> run(inline(language, "output", 20)));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<CodeReply> one : threads.invokeAll(all)) {
                assertThat(value(one.get())).isEqualTo("\"hello\"");
            }
        }
    }

    @Test
    void shouldKillTheCodeWhenTheCallerIsInterrupted() throws Exception {
        String marker = "72" + ProcessHandle.current().pid();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                var _ = python("import subprocess\nreturn subprocess.call(['sleep', '%s'])".formatted(marker));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> running(marker));
        caller.interrupt();
        await().atMost(Duration.ofSeconds(2)).until(() -> !running(marker));
        caller.join();
    }
}
