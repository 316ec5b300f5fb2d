package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.code.Interpreters;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.Rerun.Only;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each verdict names who gave it, wherever it was given. */
final class EvaluatorCampaignTest {

    private static final String GRADE = "'{\"reason\": \"r\", \"score\": 0.9, \"pass\": true, \"answer\": \"Y\"}'";

    /** The results of checks that are no groups, those in groups included. */
    private static final String LEAVES = """
        WITH RECURSIVE r AS (
            SELECT o.ordinal, o.branch_index, e.result FROM outcome o CROSS JOIN jsonb_array_elements(o.checks) e(result)
            WHERE o.campaign_id = '?'
            UNION ALL
            SELECT r.ordinal, r.branch_index, e.result FROM r CROSS JOIN jsonb_array_elements(r.result -> 'checks') e(result)
            WHERE r.result ->> 'type' = 'group')
        SELECT r.result ->> 'type' AS type, r.result ->> 'evaluator' AS hash, v.kind, v.definition ->> 'code' AS code,
            v.definition::text AS definition
        FROM r LEFT JOIN evaluator v ON v.evaluator_hash = r.result ->> 'evaluator' WHERE r.result ->> 'type' <> 'group'\
        """;

    private static Engine engine;

    @BeforeAll
    static void start() {
        Interpreters.require();
        engine = new Engine(new ToolPolicy(
                List.of(),
                List.of(),
                List.of(),
                null,
                new CodeAllowance(Set.of("python", "javascript"), Set.of(), Set.of("sh"))));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (engine != null) {
            engine.close();
        }
    }

    private static void run(String id, String yaml) {
        engine.submit(id, "name: " + id + "\n" + yaml, Map.of());
        assertThat(engine.awaitEnd(id).failureReason()).isNull();
    }

    private static List<Map<String, Object>> leaves(String id) {
        List<Map<String, Object>> leaves = engine.store.query(LEAVES.replace("?", id));
        assertThat(leaves).isNotEmpty().allSatisfy(leaf -> {
            assertThat(leaf.get("hash")).as("%s", leaf).isNotNull();
            assertThat(leaf.get("kind")).as("noted: %s", leaf).isNotNull();
        });
        return leaves;
    }

    private static Set<String> texts(List<Map<String, Object>> rows, String column) {
        Set<String> texts = new TreeSet<>();
        rows.forEach(row -> texts.add(String.valueOf(row.get(column))));
        return texts;
    }

    @Test
    void shouldNameChecksInPlaceInComputeProcessesAndInGroups() {
        run("plain", """
            cases:
              - id: france
                prompt: Capital of France?
                checks:
                  - {type: icontains, value: paris, weight: 2}
                  - {type: regex, value: "^P"}
                  - {type: group, checks: [{type: contains, value: P}, {type: group, checks: [{type: json}]}]}
              - {id: italy, prompt: Capital of Italy?, checks: [{type: icontains, value: paris, description: d}]}
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Rome]}}
            trials: 3
            """);

        List<Map<String, Object>> leaves = leaves("plain");
        assertThat(leaves).hasSize((4 + 1) * 2 * 3);
        assertThat(texts(leaves, "code")).containsExactly("contains/1", "icontains/1", "json/1", "regex/1");
        assertThat(texts(leaves, "hash"))
                .as("the same check of two cases is one")
                .hasSize(4);
        assertThat(texts(leaves, "kind")).containsExactly("check");
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'plain'"
                        + " AND checks #>> '{2,evaluator}' IS NOT NULL"))
                .as("a group is none")
                .isZero();
    }

    @Test
    void shouldNameGradersAndJudgesAsTheirCallsDo() {
        run("judged", """
            cases:
              - {id: france, prompt: Capital of France?, checks: [{type: icontains, value: paris}, {type: rubric, value: Polite}]}
              - {id: italy, prompt: Capital of Italy?, checks: [{type: closed-qa, value: Short}]}
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Paris it is]}}
            strategy: {type: llm-judge, judge: {kind: scripted, script: {answers: ["1"]}}}
            grader: {kind: scripted, script: {answers: [%s]}}
            """.formatted(GRADE));

        List<Map<String, Object>> leaves = leaves("judged");
        assertThat(texts(leaves, "code")).containsExactly("closed-qa/1", "icontains/1", "rubric/1");
        assertThat(engine.store.query("SELECT DISTINCT v.kind, v.definition ->> 'code' AS code FROM judge_call j"
                        + " LEFT JOIN evaluator v USING (evaluator_hash) WHERE j.campaign_id = 'judged'"))
                .extracting(row -> row.get("kind") + " " + row.get("code"))
                .containsExactlyInAnyOrder("judge llm-judge/1", "grader rubric/1", "grader closed-qa/1");
        assertThat(engine.store.count("SELECT count(*) FROM outcome o JOIN judge_call j USING (campaign_id, ordinal)"
                        + " WHERE o.campaign_id = 'judged' AND j.graded_branch = o.branch_index"
                        + " AND jsonb_path_exists(o.checks, '$[*] ? (@.evaluator == $h)',"
                        + " jsonb_build_object('h', j.evaluator_hash))"))
                .as("each grade is its call's")
                .isEqualTo(4);
    }

    @Test
    void shouldKeepTheNameOfWhoeverGaveAVerdictThatStands() {
        run("stands", """
            cases:
              - {id: one, prompt: One?, checks: [{type: rubric, value: Polite}]}
              - {id: two, prompt: Two?, checks: [{type: rubric, value: Polite}]}
            branches: [{id: a, kind: scripted, script: {answers: [Paris]}}]
            grader: {kind: scripted, script: {answers: [no verdict]}}
            """);
        String now = texts(leaves("stands"), "hash").iterator().next();
        engine.store.execute("UPDATE judge_call SET evaluator_hash = 'old' WHERE campaign_id = 'stands'");
        engine.store.execute("UPDATE outcome SET checks = jsonb_set(checks, '{0,status}', '\"PASSED\"'), passed = true"
                + " WHERE campaign_id = 'stands' AND ordinal = 0");

        engine.store.get(CampaignChanges.class).rerun("stands", new Rerun(Only.GRADES, List.of(), List.of()));
        engine.startOrWake("stands");
        engine.awaitEnd("stands");

        assertThat(engine.store.query("SELECT ordinal, evaluator_hash FROM judge_call WHERE campaign_id = 'stands'"
                        + " ORDER BY ordinal"))
                .extracting(row -> row.get("ordinal") + " " + row.get("evaluator_hash"))
                .as("the grade that stands is the old grader's, the other was asked anew")
                .contains("1 " + now)
                .doesNotContain("0 " + now);
    }

    @Test
    void shouldNameOwnCodeWithItsInterpreterAndTransformsForEveryCheck() {
        run("coded", """
            cases:
              - id: plain
                prompt: One?
                checks: [{type: python, value: "True"}, {type: program, command: [sh, -c, echo true]}, {type: contains, value: P}]
              - id: transformed
                prompt: Two?
                transform: {javascript: output.toLowerCase()}
                checks:
                  - {type: contains, value: p}
                  - {type: regex, value: p}
                  - {type: python, value: "True"}
                  - {type: similar, value: a}
                  - {type: contains, value: p, transform: {javascript: "output + 'x'"}}
              - {id: failed, prompt: Three?, transform: {javascript: null.x}, checks: [{type: contains, value: p}]}
            branches: [{id: a, kind: scripted, script: {answers: [Paris]}}]
            grader: {kind: scripted, script: {answers: ["0.9"]}}
            """);

        List<Map<String, Object>> leaves = leaves("coded");
        assertThat(leaves).hasSize(3 + 5 + 1);
        assertThat(texts(leaves, "hash")).hasSize(9);
        assertThat(leaves)
                .filteredOn(leaf -> leaf.get("type").equals("python"))
                .hasSize(2)
                .allSatisfy(leaf -> assertThat(String.valueOf(leaf.get("definition")))
                        .containsPattern("\"language\": \"python\", \"version\"|\"version\": \"3"));
        assertThat(leaves)
                .filteredOn(leaf -> String.valueOf(leaf.get("definition")).contains("toLowerCase"))
                .extracting(leaf -> leaf.get("type"))
                .containsExactlyInAnyOrder("contains", "regex", "python", "similar", "contains");
        assertThat(leaves)
                .filteredOn(leaf -> leaf.get("type").equals("transform"))
                .singleElement()
                .satisfies(leaf -> assertThat(leaf.get("code")).isEqualTo("transform/1"));
    }

    @Test
    void shouldNameWhatDecidedWhereTheGraderWasNotAsked() {
        run("unasked", """
            cases: [{id: one, prompt: One?, checks: [{type: similar, value: Paris}]}]
            branches: [{id: a, kind: scripted, script: {answers: [" "]}}]
            grader: {kind: scripted, script: {answers: ["0.9"]}}
            """);

        assertThat(leaves("unasked")).singleElement().satisfies(leaf -> {
            assertThat(leaf.get("kind")).isEqualTo("check");
            assertThat(leaf.get("code")).isEqualTo("similar/1");
        });
    }
}
