package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.code.Interpreters;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.Rerun.Only;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.work.compute.pool.ComputePool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks by own code, from the answer to the verdict, with the interpreters of this machine. */
final class OwnCodeCampaignTest {

    private static final ToolPolicy ALLOWED = new ToolPolicy(
            List.of(),
            List.of(),
            List.of(),
            null,
            new CodeAllowance(Set.of("python", "javascript"), Set.of(), Set.of("sh")));

    private static Engine engine;

    @TempDir
    Path temporary;

    @BeforeAll
    static void start() {
        Interpreters.require();
        engine = new Engine(ALLOWED);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (engine != null) {
            engine.close();
        }
    }

    private static long outcomes(String id, String condition) {
        return engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = '" + id + "' AND " + condition);
    }

    private static StoredCampaign run(String id, String checks, String more) {
        engine.submit(id, """
            name: %s
            cases:
              - {id: france, prompt: Capital of France?, vars: {want: Paris}, tags: [geo], checks: %s}
            branches: [{id: a, kind: scripted, script: {answers: [Paris]}}]
            %s
            """.formatted(id, checks, more), Map.of());
        return engine.awaitEnd(id);
    }

    @Test
    void shouldDecideByOwnCodeOnceTheAnswerIsPaid() {
        StoredCampaign ended = run("own", """
            [{type: python, value: "output == context['vars']['want']"},
             {type: javascript, value: "output.length", threshold: 5, metric: length},
             {type: group, checks: [{type: icontains, value: paris}, {type: javascript, value: "0.5"}]},
             {type: program, command: [sh, -c, "grep -q '\\"trial\\":' && echo true"]},
             {type: program, command: [sh, -c, "while read -r line; do id=${line#*:}; echo '{\\"id\\": '${id%%,*}', \\"result\\": 0.25}'; done"], keepAlive: true},
             {type: python, value: "len(output) > 100", required: false}]\
            """, "trials: 3");

        assertThat(ended.failureReason()).isNull();
        assertThat(ended.verdict()).isEqualTo(Verdict.PASS);
        assertThat(outcomes("own", "passed AND jsonb_array_length(checks) = 6")).isEqualTo(3);
        assertThat(outcomes("own", "checks #>> '{1,value}' = '5.0' AND checks #>> '{1,score}' = '1.0'"))
                .isEqualTo(3);
        assertThat(outcomes("own", "checks #>> '{2,score}' = '0.75'")).isEqualTo(3);
        assertThat(outcomes("own", "checks #>> '{4,score}' = '0.25'")).isEqualTo(3);
        assertThat(outcomes("own", "checks #>> '{5,status}' = 'FAILED'")).isEqualTo(3);
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'own'"))
                .as("one paid answer each")
                .isEqualTo(3);
        assertThat(engine.store.count("SELECT count(*) FROM ungraded_outcome WHERE campaign_id = 'own'"))
                .isZero();
    }

    /** The name of a stored directory of code. */
    private String stored(Map<String, String> files) throws Exception {
        return StoredCode.of(engine, temporary, files);
    }

    @Test
    void shouldRunTheFilesOfTheCodeDirectory() throws Exception {
        String code = stored(Map.of(
                "below/golden.py", """
                import asyncio, beside, top

                class Judge:
                    async def score(output, context):
                        await asyncio.sleep(0)
                        return {"pass_": True, "score": beside.SCORE * top.TWO, "reason": output,
                                "named_scores": {"depth": context["config"]["depth"]}}
                """,
                "below/beside.py", "SCORE = 0.25\n",
                "top.py", "TWO = 2\n",
                "node_modules/left/index.js", "throw new Error('out')",
                "tone.mjs", "export const polite = async (output) => output === 'Paris';",
                "tone.cjs", "const fs = require('node:fs'); module.exports = () => !fs.existsSync('node_modules');"));
        StoredCampaign ended = run("files", """
            [{type: python, file: below/golden.py, function: Judge.score, config: {depth: 7}},
             {type: javascript, file: tone.mjs, function: polite}, {type: javascript, file: tone.cjs}]\
            """, "code:" + " sha256:" + code);

        assertThat(ended.verdict()).isEqualTo(Verdict.PASS);
        assertThat(outcomes(
                        "files", "checks #>> '{0,score}' = '0.5' AND checks #>> '{0,namedScores,depth,score}' = '7.0'"))
                .isEqualTo(1);
    }

    @Test
    void shouldLeaveUnscoredWhatCouldNotRunAndFailWhatRaised() throws Exception {
        StoredCampaign ended = run("faulty", """
            [{type: python, value: "1 / 0", not: true},
             {type: javascript, value: "process.exit(3)"},
             {type: python, value: "__import__('os')._exit(0)"},
             {type: javascript, value: "(() => { while (true) {} })()", timeoutSeconds: 1},
             {type: javascript, value: "output ="},
             {type: python, file: missing.py},
             {type: program, command: [not-allowed]},
             {type: python, value: "print('noise') or True"}]\
            """, "code: sha256:" + stored(Map.of("there.py", "")));

        assertThat(ended.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcomes("faulty", "checks #>> '{0,status}' = 'FAILED' AND checks #>> '{0,score}' = '0.0'"))
                .isEqualTo(1);
        for (int i = 1; i <= 6; i++) {
            assertThat(outcomes(
                            "faulty",
                            "checks #>> '{%1$d,status}' = 'UNSCORED' AND checks #> '{%1$d,score}' = 'null'"
                                    .formatted(i)))
                    .as("check %d", i)
                    .isEqualTo(1);
        }
        assertThat(outcomes("faulty", "checks #>> '{7,status}' = 'PASSED'")).isEqualTo(1);
    }

    /** Whatever happens to the processes: every answer is paid once, and every outcome has its results. */
    @Test
    void shouldPayEachAnswerOnceWhenProcessesOfCodeAreKilled() throws Exception {
        Thread killer = Thread.ofPlatform().daemon().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                ProcessHandle.current()
                        .children()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains("Runs own code"))
                        .findFirst()
                        .ifPresent(ProcessHandle::destroyForcibly);
                LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
            }
        });
        StoredCampaign ended;
        try {
            ended = run("killed", """
                [{type: python, value: "__import__('time').sleep(0.02) or output == 'Paris'"},
                 {type: javascript, value: "output === 'Paris'"}]\
                """, "trials: 60");
        } finally {
            killer.interrupt();
            killer.join();
        }
        assertThat(ended.failureReason()).isNull();
        assertThat(outcomes("killed", "true")).isEqualTo(60);
        assertThat(outcomes("killed", "checks @> '[{\"status\": \"FAILED\"}]'"))
                .as("a process that died says nothing of an answer")
                .isZero();
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'killed'"))
                .isEqualTo(60);
    }

    @Test
    void shouldRunCodeAgainAndAskNobodyWhenGradesAreMadeAnew() throws Exception {
        Path mark = temporary.resolve("seen");
        run("again", "[{type: python, value: \"__import__('os').path.exists('%s')\"}]".formatted(mark), "");
        assertThat(outcomes("again", "passed IS FALSE")).isEqualTo(1);

        Files.writeString(mark, "");
        engine.store.get(CampaignChanges.class).rerun("again", new Rerun(Only.GRADES, List.of(), List.of()));
        engine.startOrWake("again");
        engine.awaitEnd("again");

        assertThat(outcomes("again", "passed")).isEqualTo(1);
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'again'"))
                .isEqualTo(1);
    }

    @Test
    void shouldShowChecksWhatTransformsMadeOfTheAnswer() throws Exception {
        String code = stored(Map.of(
                "own.py", "async def get_transform(output, context):\n    return output + context['vars']['want']\n",
                "own.mjs", "export const listed = (output) => ({said: [output]});"));
        engine.submit("made", """
            name: made
            code: sha256:%s
            checks: [{type: json, schema: {type: object}, required: false}]
            transform: {javascript: "'never'"}
            cases:
              - id: a
                prompt: Capital of France?
                vars: {want: "!"}
                transform: {javascript: {file: own.mjs, function: listed}}
                checks:
                  - {type: equals, value: {said: [Paris!]}}
                  - {type: icontains, value: '{"said":["paris!'}
                  - {type: javascript, value: "output.said[0] === 'Paris!' && context.providerResponse.output === 'Paris'"}
                  - {type: program, command: [sh, -c, "grep -q '\\"output\\":{\\"said\\"' && echo true"]}
                  - {type: equals, value: PARIS!, transform: {javascript: "output.said[0].toUpperCase()"}}
                  - {type: group, checks: [{type: regex, value: "^P", transform: {javascript: "output.said[0]"}}]}
                  - {type: latency, threshold: 100000}
            branches:
              - {id: b, kind: scripted, script: {answers: [Paris]}, transform: {python: {file: own.py}}}
              - {id: c, kind: scripted, script: {answers: [Paris!]}}
            strategy: {type: pick-first}
            """.formatted(code), Map.of());
        StoredCampaign ended = engine.awaitEnd("made");

        assertThat(ended.failureReason()).isNull();
        assertThat(outcomes("made", "branch_index = 0 AND passed AND NOT checks @> '[{\"status\": \"UNSCORED\"}]'"))
                .isEqualTo(1);
        assertThat(outcomes("made", "branch_index = 0 AND response = 'Paris' AND output = '{\"said\":[\"Paris!\"]}'"))
                .isEqualTo(1);
        assertThat(outcomes("made", "branch_index = 1 AND checks #>> '{0,status}' = 'PASSED' AND output IS NOT NULL"))
                .isEqualTo(1);
    }

    @Test
    void shouldKeepNoOutputWhereItIsTheResponse() {
        run("same", "[{type: equals, value: Paris}]", "transform: {javascript: output}");

        assertThat(outcomes("same", "passed AND output IS NULL")).isEqualTo(1);
    }

    @Test
    void shouldFailTheTrialWhoseAnswerCannotBeTransformedAndLeaveItOpenWhereCodeDidNotRun() throws Exception {
        String code = stored(Map.of("own.py", """
            def none(output, context): return None
            def big(output, context): return "x" * (2 << 20)
            def odd(output, context): return object()
            """));
        engine.submit("untransformed", """
            name: untransformed
            code: sha256:%s
            checks: [{type: equals, value: Paris}]
            cases:
              - {id: raises, prompt: x, transform: {javascript: output.no.thing}, threshold: 0}
              - {id: undefined, prompt: x, transform: {javascript: undefined}}
              - {id: none, prompt: x, transform: {python: {file: own.py, function: none}}}
              - {id: odd, prompt: x, transform: {python: {file: own.py, function: odd}}}
              - {id: nan, prompt: x, transform: {javascript: 0 / 0}}
              - {id: big, prompt: x, transform: {python: {file: own.py, function: big}}}
              - {id: exits, prompt: x, transform: {javascript: process.exit(1)}}
              - {id: missing, prompt: x, transform: {python: {file: own.py, function: absent}}}
              - {id: syntax, prompt: x, transform: {javascript: output =}}
              - id: own
                prompt: x
                checks:
                  - {type: equals, value: Rome, not: true, transform: {javascript: output.no.thing}}
                  - {type: equals, value: Rome, transform: {javascript: process.exit(1)}}
                  - {type: equals, value: 1, transform: {javascript: "1"}}
            branches: [{id: b, kind: scripted, script: {answers: [Paris]}}]
            """.formatted(code), Map.of());
        assertThat(engine.awaitEnd("untransformed").failureReason()).isNull();

        String only = "jsonb_array_length(checks) = 1 AND checks #>> '{0,type}' = 'transform' AND output IS NULL AND"
                + " case_index";
        assertThat(outcomes(
                        "untransformed",
                        only + " < 5 AND NOT passed AND score = 0 AND checks #>> '{0,status}' = 'FAILED'"))
                .isEqualTo(5);
        assertThat(outcomes(
                        "untransformed",
                        only + " BETWEEN 5 AND 8 AND passed IS NULL AND checks #>> '{0,status}' = 'UNSCORED'"))
                .isEqualTo(4);
        assertThat(outcomes(
                        "untransformed",
                        "case_index = 9 AND NOT passed AND checks #>> '{0,status}' = 'FAILED' AND checks #>>"
                                + " '{0,score}' = '0.0' AND checks #>> '{1,status}' = 'UNSCORED' AND checks #>>"
                                + " '{2,status}' = 'PASSED' AND checks #>> '{3,status}' = 'PASSED'"))
                .isEqualTo(1);
    }

    @Test
    void shouldTransformAgainWhenGradesAreMadeAnew() throws Exception {
        Path mark = temporary.resolve("transformed");
        String transform =
                "transform: {python: {file: own.py}}\ncode: sha256:" + stored(Map.of("own.py", """
                    import os
                    def get_transform(output, context):
                        return output if os.path.exists('%s') else None
                    """.formatted(mark)));
        run("retransformed", "[{type: equals, value: Paris}]", transform);
        assertThat(outcomes("retransformed", "passed IS FALSE AND checks #>> '{0,type}' = 'transform'"))
                .isEqualTo(1);

        Files.writeString(mark, "");
        engine.store.get(CampaignChanges.class).rerun("retransformed", new Rerun(Only.GRADES, List.of(), List.of()));
        engine.startOrWake("retransformed");
        engine.awaitEnd("retransformed");

        assertThat(outcomes("retransformed", "passed AND checks #>> '{0,type}' = 'equals'"))
                .isEqualTo(1);
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'retransformed'"))
                .isEqualTo(1);
    }

    @Test
    void shouldShowGradersWhatTransformsMadeAndAskNoneWhereTheyFailed() {
        engine.submit("graded", """
            name: graded
            grader: {kind: scripted, script: {answers: ['{"reason": "ok", "score": 1, "pass": true}']}}
            cases:
              - id: a
                prompt: x
                transform: {javascript: "output + '!'"}
                checks:
                  - {type: python, value: "output == 'Rome'"}
                  - {type: rubric, value: good}
                  - {type: rubric, value: better, transform: {javascript: "({own: output})"}}
                  - {type: rubric, value: none, not: true, transform: {javascript: "output.no.thing"}}
              - {id: b, prompt: x, transform: {javascript: "null"}, checks: [{type: rubric, value: good}]}
            branches: [{id: b, kind: scripted, script: {answers: [Paris]}}]
            """, Map.of());
        assertThat(engine.awaitEnd("graded").failureReason()).isNull();

        assertThat(outcomes(
                        "graded",
                        "case_index = 0 AND NOT passed AND checks #>> '{0,status}' = 'FAILED'"
                                + " AND checks #>> '{1,status}' = 'PASSED' AND checks #>> '{2,status}' = 'PASSED'"
                                + " AND checks #>> '{3,status}' = 'FAILED'"))
                .isEqualTo(1);
        assertThat(outcomes("graded", "case_index = 1 AND checks #>> '{0,type}' = 'transform'"))
                .isEqualTo(1);
        String asked =
                "SELECT count(*) FROM judge_call JOIN judge_prompt USING (prompt_hash) WHERE campaign_id = 'graded'";
        assertThat(engine.store.count(asked)).isEqualTo(2);
        assertThat(engine.store.count(asked + " AND prompt LIKE '%Paris!%'")).isEqualTo(2);
        assertThat(engine.store.count(asked + " AND prompt LIKE '%{\"own\":\"Paris!\"}%'"))
                .isEqualTo(1);
    }

    @Test
    void shouldAskWhatCodeOfPromptsSays() throws Exception {
        String code = stored(Map.of(
                "own.py", """
                        def text(context):
                            return 'Say {{ t }} to ' + context['provider']['label'] + ' ' + context['config']['tone']
                        async def chat(context):
                            return [{'role': 'system', 'content': 'Be brief'}, {'role': 'user', 'content': context['vars']['t']}]
                        def wrapped(context):
                            return {'prompt': 'got ' + context['vars']['t'], 'config': {'temperature': 0, 'max_tokens': 5}}
                        def json(context):
                            return {'ask': [context['vars']['t']]}
                        """,
                "own.cjs", "module.exports = (context) => JSON.stringify([{role: 'user', content: 'js {{ t }}'}]);",
                "whole.py",
                        "import json, sys\nprint('one ' + json.loads(sys.argv[1])['vars']['t'])\nprint('{{ t }}')\n"));
        engine.submit("asked", """
            name: asked
            code: sha256:%s
            cases: [{id: a, vars: {t: ab}}]
            branches:
              - {id: a, kind: scripted, script: {echo: true}, template: {python: {file: own.py, function: text, config: {tone: dry}}}}
              - {id: b, kind: scripted, script: {echo: true}, template: {python: {file: own.py, function: chat}}}
              - {id: c, kind: scripted, script: {echo: true}, template: {python: {file: own.py, function: wrapped}}}
              - {id: d, kind: scripted, script: {echo: true}, template: {python: {file: own.py, function: json}}}
              - {id: e, kind: scripted, script: {echo: true}, template: {javascript: {file: own.cjs}}}
              - {id: f, kind: scripted, script: {echo: true}, template: {python: {file: whole.py, asProgram: true}}}
            strategy: {type: pick-first}
            """.formatted(code), Map.of());
        assertThat(engine.awaitEnd("asked").failureReason()).isNull();

        Map<String, String> sent = Map.of(
                "a",
                "Say ab to a dry",
                "b",
                "[/  {/    \"role\": \"system\",/    \"content\": \"Be brief\"/  },/  {/    \"role\": \"user\",/   "
                        + " \"content\": \"ab\"/  }/]",
                "c",
                "got ab",
                "d",
                "{\"ask\":[\"ab\"]}",
                "e",
                "js ab",
                "f",
                "one ab/ab");
        sent.forEach((branch, text) -> assertThat(outcomes(
                        "asked",
                        "passed AND branch_index = " + (branch.charAt(0) - 'a')
                                + " AND replace(response, chr(10), '/') = '" + text + "'"))
                .as(branch)
                .isEqualTo(1));
    }

    @Test
    void shouldPayNothingWhenThereIsNoPrompt() throws Exception {
        String code = stored(Map.of("own.py", """
            import os, time
            def raises(context): raise ValueError("fell")
            def none(context): return None
            def number(context): return 5
            def blank(context): return " "
            def roles(context): return [{'role': 'robot', 'content': 'x'}]
            def contents(context): return [{'role': 'user', 'content': {'a': 1}}]
            def assistant(context): return [{'role': 'user', 'content': 'x'}, {'role': 'assistant', 'content': 'y'}]
            def place(context): return '{% for %}'
            def exits(context): os._exit(3)
            """, "bad.py", "import sys\nsys.exit(4)\n"));
        List<String> functions = List.of(
                "raises", "none", "number", "blank", "roles", "contents", "assistant", "place", "exits", "absent");
        StringBuilder branches = new StringBuilder();
        functions.forEach(function -> branches.append(
                "  - {id: %1$s, kind: scripted, script: {answers: [x]}, template: {python: {file: own.py, function: %1$s}}}%n"
                        .formatted(function)));
        branches.append(
                "  - {id: bad, kind: scripted, script: {answers: [x]}, template: {python: {file: bad.py, asProgram:"
                        + " true}}}");
        engine.submit("unasked", """
            name: unasked
            code: sha256:%s
            cases: [{id: a, prompt: x, vars: {t: ab}}]
            strategy: {type: pick-first}
            branches:
            %s
            """.formatted(code, branches), Map.of());
        assertThat(engine.awaitEnd("unasked").failureReason()).isNull();

        assertThat(outcomes("unasked", "status = 'MODEL_ERROR' AND error_code = 'CODE_FAILED' AND NOT passed"))
                .isEqualTo(functions.size() + 1);
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'unasked'"))
                .isZero();
        assertThat(outcomes("unasked", "branch_index = 0 AND error_message LIKE '%fell%'"))
                .isEqualTo(1);
    }

    @Test
    void shouldSendTrialsToAWorkerThatMayRunTheirCode() throws Exception {
        try (Engine strict = new Engine()) {
            String yaml = """
                name: %s
                cases: [{id: a, prompt: x, checks: [{type: %s, value: "1"}]}]
                branches: [{id: b, kind: scripted, script: {answers: [x]}}]
                trials: 5
                """;
            strict.submit("nowhere", yaml.formatted("nowhere", "javascript"), Map.of());
            assertThat(strict.awaitEnd("nowhere").verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(strict.store.count(
                            "SELECT count(*) FROM outcome WHERE checks #>> '{0,reason}' LIKE '%may not run%'"))
                    .isEqualTo(5);

            strict.join(
                    Map.of(),
                    context -> context.registerSingleton(
                            Toolboxes.class, new Toolboxes(ALLOWED, Map.of(), context.getBean(ComputePool.class))));
            strict.submit("elsewhere", yaml.formatted("elsewhere", "python"), Map.of());
            assertThat(strict.awaitEnd("elsewhere").verdict()).isEqualTo(Verdict.PASS);
        }
    }
}
