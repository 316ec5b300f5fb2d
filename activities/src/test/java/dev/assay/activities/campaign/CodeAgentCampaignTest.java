package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.code.Interpreters;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.StoredCampaign;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Own code that answers, grades and judges, with the interpreters of this machine. */
final class CodeAgentCampaignTest {

    private static final ToolPolicy ALLOWED = new ToolPolicy(
            List.of(),
            List.of(),
            List.of(),
            null,
            new CodeAllowance(Set.of("python", "javascript"), Set.of(), Set.of()));

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

    private static long count(String table, String id, String condition) {
        return engine.store.count(
                "SELECT count(*) FROM " + table + " WHERE campaign_id = '" + id + "' AND " + condition);
    }

    private static long outcomes(String id, String condition) {
        return count("outcome", id, condition);
    }

    private static StoredCampaign run(String id, String file) {
        engine.submit(id, "name: " + id + "\n" + file, Map.of());
        return engine.awaitEnd(id);
    }

    @Test
    void shouldTakeAnswersUsageAndCostFromOwnCode() throws Exception {
        String code = StoredCode.of(
                engine,
                temporary,
                Map.of(
                        "own.py", """
                                def call_api(prompt, options, context):
                                    print("noise")
                                    return {"output": prompt + options["config"]["mark"] + context["vars"]["t"] + options["label"],
                                            "tokenUsage": {"prompt": 7, "completion": 2}, "cost": 0.25, "metadata": {"a": 1}}

                                class Mine:
                                    async def answer(prompt, options, context):
                                        return {"output": {"said": [context["prompt"], options["config"], options["id"]]}, "cost": 0}
                                """,
                        "own.js", """
                                module.exports = class {
                                  constructor(options) { this.options = options; this.count = 0; }
                                  async callApi(prompt, context) {
                                    this.count += 1;
                                    return {output: prompt + this.options.config.mark + context.vars.t + (this.count > 0), cost: NaN};
                                  }
                                };
                                """,
                        "plain.mjs",
                                "export const answer = (prompt, context, options) => ({output: options.label +"
                                        + " context.prompt});\n"));
        StoredCampaign ended = run("answers", """
            code: sha256:%s
            trials: 3
            limits: {budgetUsd: 100}
            cases: [{id: a, prompt: "Hi", vars: {t: ab}}]
            branches:
              - {id: p, kind: python, file: own.py, config: {mark: "!"}, maxCostUsd: 1}
              - {id: m, kind: python, file: own.py, function: Mine.answer, maxCostUsd: 1, transform: {javascript: "JSON.parse(output).said[0]"}}
              - {id: j, kind: javascript, file: own.js, config: {mark: "?"}, maxCostUsd: 2, checks: []}
              - {id: f, kind: javascript, file: plain.mjs, function: answer, maxCostUsd: 1, systemPrompt: Be brief}
            strategy: {type: pick-first}
            """.formatted(code).replace(", checks: []", ""));

        assertThat(ended.failureReason()).isNull();
        assertThat(outcomes(
                        "answers",
                        "branch_index = 0 AND response = 'Hi!abp' AND cost_usd = 0.25 AND input_tokens = 7"
                                + " AND output_tokens = 2 AND total_tokens = 9 AND cardinality(warnings) = 0"))
                .isEqualTo(3);
        assertThat(outcomes(
                        "answers",
                        "branch_index = 1 AND response ="
                                + " '{\"said\":[\"Hi\",{},\"python:own.py:Mine.answer\"]}' AND output = '\"Hi\"'"
                                + " AND cost_usd = 0"))
                .isEqualTo(3);
        assertThat(outcomes(
                        "answers",
                        "branch_index = 2 AND response = 'Hi?abtrue' AND cost_usd IS NULL"
                                + " AND total_tokens IS NULL"))
                .as("a NaN of JavaScript is null in JSON")
                .isEqualTo(3);
        assertThat(outcomes("answers", "branch_index = 3 AND response LIKE 'f[%' AND response LIKE '%Be brief%'"))
                .isEqualTo(3);
        assertThat(count("ledger", "answers", "provider = 'python' AND model = 'own.py'"))
                .isEqualTo(3);
        assertThat(count("ledger", "answers", "true")).as("one paid call each").isEqualTo(12);
        assertThat(ended.verdict()).isEqualTo(Verdict.PASS);
    }

    /** Nothing that code does is asked again, or keeps others from their answers. */
    @Test
    void shouldFailOnceWhatTheCodeDoesNotAnswer() throws Exception {
        Path calls = Files.createDirectory(temporary.resolve("calls"));
        String code = StoredCode.of(
                engine,
                temporary,
                Map.of(
                        "own.py",
                        """
                        import os, uuid

                        def call_api(prompt, options, context):
                            open(os.path.join(%s, prompt + "." + uuid.uuid4().hex), "w").close()
                            if prompt == "error":
                                return {"error": "said no", "output": "x"}
                            if prompt == "raise":
                                raise ValueError("fell\\0 and \\033[31mred")
                            if prompt == "neither":
                                return {"text": "x"}
                            if prompt == "null":
                                return {"output": None}
                            if prompt == "nan":
                                return {"output": "x", "cost": float("nan")}
                            if prompt == "exit":
                                os._exit(0)
                            if prompt == "loop":
                                while True: pass
                            if prompt == "large":
                                return {"output": "x" * (2 << 20)}
                            if prompt == "wrong":
                                return {"output": prompt, "cost": -1, "tokenUsage": {"prompt": -7, "completion": 1.5, "total": 1 << 70}}
                            return {"output": prompt}
                        """.formatted('"' + calls.toString() + '"'),
                        "exit.cjs",
                        "module.exports = () => process.exit(0);"));
        StoredCampaign ended = run("failing", """
            code: sha256:%s
            limits: {timeoutSeconds: 3, maxAttempts: 5}
            cases:
              - {id: a, prompt: error}
              - {id: b, prompt: raise}
              - {id: c, prompt: neither}
              - {id: d, prompt: "null"}
              - {id: e, prompt: nan}
              - {id: f, prompt: exit}
              - {id: g, prompt: loop}
              - {id: h, prompt: large}
              - {id: i, prompt: wrong}
              - {id: j, prompt: fine}
            branches:
              - {id: p, kind: python, file: own.py, maxCostUsd: 0.5}
              - {id: x, kind: javascript, file: exit.cjs}
            strategy: {type: pick-first}
            """.formatted(code));

        assertThat(ended.failureReason()).isNull();
        for (int i = 0; i < 10; i++) {
            String row = "branch_index = 0 AND case_index = " + i + " AND attempts = 1 AND ";
            String expected = switch (i) {
                case 6 -> "status = 'TIMED_OUT' AND error_code = 'EVAL_CASE_TIMEOUT'";
                case 8 ->
                    "status = 'COMPLETED' AND cost_usd IS NULL AND total_tokens IS NULL AND"
                            + " cardinality(warnings) = 4";
                case 9 -> "status = 'COMPLETED' AND response = 'fine'";
                default -> "status = 'MODEL_ERROR' AND error_code = 'AGENT_FAILED'";
            };
            assertThat(outcomes("failing", row + expected)).as("case %d", i).isEqualTo(1);
        }
        assertThat(outcomes(
                        "failing",
                        "error_message LIKE '%said no' OR error_message LIKE '%ValueError: fell and [31mred'"))
                .isEqualTo(2);
        assertThat(outcomes("failing", "branch_index = 1 AND error_code = 'AGENT_FAILED' AND attempts = 1"))
                .isEqualTo(10);
        assertThat(calls.toFile().list()).as("each prompt was asked once").hasSize(10);
        assertThat(count("ledger", "failing", "provider = 'python' AND cost_usd = 0.5"))
                .as("what may have been paid counts in full")
                .isEqualTo(10);
    }

    @Test
    void shouldGradeAndJudgeByOwnCode() throws Exception {
        String code = StoredCode.of(engine, temporary, Map.of("grade.py", """
            import json

            def call_api(prompt, options, context):
                asked = json.loads(prompt)
                assert asked[0]["role"] == "system", asked
                good = "Paris" in asked[-1]["content"]
                return {"output": json.dumps({"pass": good, "score": 1 if good else 0, "reason": options["config"]["why"]}), "cost": 0.5}
            """, "judge.mjs", """
            export default class {
              async callApi(prompt) { return {output: {choice: 2, reason: 'the second'}}; }
            }
            """));
        StoredCampaign ended = run("graded", """
            code: sha256:%s
            grader: {kind: python, file: grade.py, config: {why: looked}}
            checks: [{type: rubric, value: Names the capital}]
            cases: [{id: a, prompt: Capital of France?}]
            branches:
              - {id: p, kind: scripted, script: {answers: [Paris]}}
              - {id: q, kind: scripted, script: {answers: [Rome]}}
            strategy: {type: llm-judge, judge: {kind: javascript, file: judge.mjs}}
            """.formatted(code));

        assertThat(ended.failureReason()).isNull();
        assertThat(outcomes("graded", "branch_index = 0 AND passed AND checks #>> '{0,reason}' LIKE '%looked%'"))
                .isEqualTo(1);
        assertThat(outcomes("graded", "branch_index = 1 AND NOT passed AND checks #>> '{0,status}' = 'FAILED'"))
                .isEqualTo(1);
        assertThat(count("trial", "graded", "selected_index = 1")).isEqualTo(1);
        assertThat(count("ledger", "graded", "provider = 'python' AND cost_usd = 0.5"))
                .isEqualTo(2);
        assertThat(count("ledger", "graded", "provider = 'javascript'")).isEqualTo(1);
    }
}
