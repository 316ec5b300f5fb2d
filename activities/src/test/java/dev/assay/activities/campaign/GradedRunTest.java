package dev.assay.activities.campaign;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.campaigns.result.Summaries;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.Rerun.Only;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evidence.DrawQueries;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks that a model grades, from generation to verdict. */
final class GradedRunTest {

    private static final String YES = "'{\"reason\": \"well said\", \"score\": 0.9, \"pass\": true}'";
    private static final String NO = "'{\"reason\": \"badly said\", \"score\": 0.2, \"pass\": false}'";

    private static Engine engine;

    @BeforeAll
    static void start() {
        engine = new Engine();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
    }

    private static String campaign(String id, String grader) {
        return """
            name: %s
            cases:
              - id: france
                prompt: Capital of France?
                checks: [{type: icontains, value: paris}, {type: rubric, value: Polite, metric: tone}]
              - id: italy
                prompt: Capital of Italy?
                checks: [{type: group, checks: [{type: icontains, value: paris}, {type: closed-qa, value: Short}]}]
              - {id: peru, prompt: Capital of Peru?, checks: [{type: icontains, value: paris}]}
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Paris it is]}}
            strategy: {type: highest-score}
            trials: 2
            grader: {kind: scripted, script: %s}
            """.formatted(id, grader);
    }

    private static long count(String sql, String id) {
        return engine.store.count(sql.replace("?", "'" + id + "'"));
    }

    private static long asked(String id, String kind) {
        return count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND kind = '" + kind + "'", id);
    }

    private static long outcomes(String id, String condition) {
        return count("SELECT count(*) FROM outcome WHERE campaign_id = ? AND " + condition, id);
    }

    private static StoredCampaign rerun(String id, Only only) {
        engine.store.get(CampaignChanges.class).rerun(id, new Rerun(only, List.of(), List.of()));
        engine.startOrWake(id);
        return engine.awaitEnd(id);
    }

    @Test
    void shouldGradeEachAnswerOnceAndPassWhenTheGraderSaysSo() {
        engine.submit(
                "graded",
                campaign("graded", "{answers: [" + YES.replace("}'", ", \"answer\": \"Y\"}'") + "]}"),
                Map.of());

        StoredCampaign ended = engine.awaitEnd("graded");

        assertThat(ended.failureReason()).isNull();
        assertThat(ended.verdict()).isEqualTo(Verdict.PASS);
        assertThat(asked("graded", "branch")).isEqualTo(12);
        assertThat(asked("graded", "grade"))
                .as("two cases, two branches, two trials")
                .isEqualTo(8);
        assertThat(count(
                        "SELECT count(*) FROM judge_call WHERE campaign_id = ? AND graded_branch IS NOT NULL",
                        "graded"))
                .isEqualTo(8);
        assertThat(outcomes("graded", "passed")).isEqualTo(12);
        assertThat(count("SELECT count(*) FROM ungraded_outcome WHERE campaign_id = ?", "graded"))
                .isZero();
        assertThat(outcomes("graded", "case_index = 0 AND abs(score - 0.95) < 1e-9"))
                .as("the mean of 1 and of the grade")
                .isEqualTo(4);
        assertThat(outcomes("graded", "case_index = 0 AND checks #>> '{1,reason}' = 'well said'"))
                .isEqualTo(4);
        CampaignSummary summary = engine.store.get(Summaries.class).summarize(ended);
        assertThat(summary.judge().calls()).as("nobody judged").isZero();
        assertThat(requireNonNull(summary.graders()).calls()).isEqualTo(8);
        assertThat(count("SELECT sum(cells_done) FROM progress WHERE campaign_id = ? AND kind = 'branch'", "graded"))
                .isEqualTo(12);
    }

    @Test
    void shouldFailTheGateWhenTheGraderDoesNotAgree() {
        engine.submit(
                "disagreed",
                campaign("disagreed", "{answers: [" + NO.replace("}'", ", \"answer\": \"N\"}'") + "]}"),
                Map.of());

        assertThat(engine.awaitEnd("disagreed").verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcomes("disagreed", "passed IS FALSE AND case_index < 2")).isEqualTo(8);

        assertThat(rerun("disagreed", Only.GRADES).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(asked("disagreed", "branch")).as("no answer is given again").isEqualTo(12);
        assertThat(asked("disagreed", "grade")).isEqualTo(16);
        assertThat(outcomes("disagreed", "true")).isEqualTo(12);
        assertThat(engine.store
                        .get(DrawQueries.class)
                        .of(engine.get("disagreed"))
                        .redraws())
                .as("a grade that is asked for again is another draw: the first one counts")
                .hasSize(8)
                .allMatch(redraw -> !redraw.passed());

        rerun("disagreed", Only.FAILED);
        assertThat(asked("disagreed", "branch")).as("those that failed").isEqualTo(20);
        assertThat(asked("disagreed", "grade")).as("and their grades").isEqualTo(24);
    }

    @Test
    void shouldLeaveChecksUnscoredAndRepeatNoGenerationWhenTheGraderFails() {
        engine.submit(
                "broken",
                campaign(
                        "broken",
                        "{answers: [" + YES
                                + "], failures: [{status: 400}, {status: 400}, {status: 400}, {status: 400}, {status:"
                                + " 400}]}"),
                Map.of());

        StoredCampaign ended = engine.awaitEnd("broken");

        assertThat(ended.state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(asked("broken", "branch")).isEqualTo(12);
        assertThat(outcomes("broken", "status = 'COMPLETED' AND passed IS NULL AND score IS NULL AND case_index < 2"))
                .as("unscored, never 0")
                .isEqualTo(8);
        assertThat(outcomes("broken", "checks #>> '{1,status}' = 'UNSCORED' AND case_index = 0"))
                .isEqualTo(4);
        assertThat(ended.verdict()).isEqualTo(Verdict.INCONCLUSIVE);

        rerun("broken", Only.ERRORED);
        assertThat(asked("broken", "branch")).as("no answer is missing").isEqualTo(12);
        long before = asked("broken", "grade");
        rerun("broken", Only.GRADES);
        assertThat(asked("broken", "branch")).isEqualTo(12);
        assertThat(asked("broken", "grade")).isEqualTo(before + 8);
    }

    @Test
    void shouldAskOnceMoreWhenAReplyCannotBeUsed() {
        engine.submit("mumbled", campaign("mumbled", "{answers: [I would rather not say]}"), Map.of());

        assertThat(engine.awaitEnd("mumbled").verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(asked("mumbled", "grade")).as("each one repaired once").isEqualTo(16);
        assertThat(outcomes("mumbled", "passed IS NULL AND case_index < 2")).isEqualTo(8);
        assertThat(outcomes("mumbled", "passed AND case_index = 2"))
                .as("nobody grades these")
                .isEqualTo(4);
    }
}
