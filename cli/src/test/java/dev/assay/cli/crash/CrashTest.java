package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.cli.testing.Api;
import dev.assay.standalone.server.Endpoints;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of the JVM and of PostgreSQL in the middle of a campaign: it finishes, and nothing that was stored is paid for again. */
@Tag("slow")
class CrashTest {

    private static final int IN_FLIGHT = 10;
    private static final int TRIALS = 200;
    private static final int PANEL_TRIALS = 120;
    private static final int PANEL_CALLS = 6;
    private static final int GRADED_TRIALS = 150;
    private static final int HYPOTHESES = 24;
    private static final int BATCHES_IN_FLIGHT = 3;
    private static final long IN_FLIGHT_BOUND = KilledServer.inFlightBound(IN_FLIGHT);

    @TempDir
    Path temporary;

    private KilledServer assay;

    @BeforeEach
    void prepare() {
        assay = new KilledServer(temporary.resolve("data"));
    }

    @AfterEach
    void stop() throws Exception {
        assay.close();
    }

    private static String cases(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "  - {id: case-%d, prompt: Question %d?}%n".formatted(i, i))
                .collect(Collectors.joining());
    }

    /** 100 cases × 2 trials, 400 ms each, 10 at a time: eight seconds. */
    private static String campaign() {
        return """
            name: crash
            cases:
            %sbranches:
              - {id: slow, kind: scripted, script: {answers: [Answer], delayMs: 400}}
            trials: 2
            limits: {maxConcurrent: %d}
            """.formatted(cases(TRIALS / 2), IN_FLIGHT);
    }

    /** Each trial is judged in both orders by each of three judges, 100 ms a call, 10 at a time: seven seconds. */
    private static String panel() {
        String judge = "    - {kind: scripted, script: {answers: ['1'], delayMs: 100}}\n";
        return """
            name: panel
            cases:
            %sbranches:
              - {id: a, kind: scripted, script: {answers: [Answer]}}
              - {id: b, kind: scripted, script: {answers: [Another]}}
            strategy:
              type: llm-judge
              swapPositions: true
              panel:
            %slimits: {maxConcurrent: %d}
            """.formatted(cases(PANEL_TRIALS), judge.repeat(3), IN_FLIGHT);
    }

    /** Each answer has two grades, 100 ms each, 10 at a time: five seconds. */
    private static String graded() {
        return """
            name: graded
            cases:
            %schecks: [{type: rubric, value: Polite}, {type: closed-qa, value: Short}]
            branches:
              - {id: a, kind: scripted, script: {answers: [Answer], delayMs: 100}}
            grader:
              kind: scripted
              script: {answers: ['{"reason": "so", "score": 1, "pass": true, "answer": "Y"}'], delayMs: 100}
            limits: {maxConcurrent: %d}
            """.formatted(cases(GRADED_TRIALS), IN_FLIGHT);
    }

    /** Batches of two, a second each, three at a time: four seconds. A reply scores all hypotheses, those of other batches in vain. */
    private static String hypotheses() {
        String scores = "{specificity: 4, novelty: 4, connectionValidity: 4, feasibility: 4, grounding: 4}";
        return """
            challenger:
              kind: scripted
              script:
                delayMs: 1000
                answers: ['{"evaluations": [%s]}']
            hypotheses:
            %sparallelConfig: {mode: batched, batchSize: 2, maxConcurrent: %d}
            """.formatted(
                        IntStream.range(0, HYPOTHESES)
                                .mapToObj(i -> "{\"id\": \"h%d\", \"scores\": %s, \"verdict\": \"pass\"}"
                                        .formatted(i, scores.replaceAll("(\\w+):", "\"$1\":")))
                                .collect(Collectors.joining(", ")),
                        IntStream.range(0, HYPOTHESES)
                                .mapToObj(i -> "  - {id: h%d, statement: Statement %d.}%n".formatted(i, i))
                                .collect(Collectors.joining()),
                        BATCHES_IN_FLIGHT);
    }

    private void awaitCells(String id, int cells) throws Exception {
        await().atMost(Api.PATIENCE).until(() -> assay.api().cellsDone(id) >= cells);
    }

    /** One campaign is generating, another is being judged, a third is being graded. */
    @Test
    void shouldAskNothingAgainWhenServerAndPostgresAreKilledAndUpIsStartedAgain() throws Exception {
        Process first = assay.up();
        Endpoints endpoints = assay.api().await();
        String panels = assay.api().submit(panel());
        await().atMost(Api.PATIENCE)
                .until(() ->
                        assay.api().campaign(panels).at("/progress/trialsDone").asInt() >= 5);
        String grades = assay.api().submit(graded());
        String answers = assay.api().submit(campaign());
        awaitCells(answers, 20);
        awaitCells(grades, 5);
        assertThat(assay.api().cellsDone(answers)).isLessThan(TRIALS);
        assertThat(assay.api().cellsDone(grades)).isLessThan(GRADED_TRIALS);
        assertThat(assay.api().state(panels)).isEqualTo("RUNNING");

        assay.kill(first, endpoints);
        assay.finishOnAnotherServer(panels, answers, grades);
        assertNothingLostAndNothingPaidTwice(answers);
        assertEachGradeOnRecordOnceAndNothingPaidTwice(grades);
        assay.inspect(panels, tables -> {
            assertThat(tables.count("SELECT count(*) FROM trial WHERE campaign_id = ? AND complete"))
                    .isEqualTo(PANEL_TRIALS);
            assertThat(tables.count("SELECT count(*) FROM judge_call WHERE campaign_id = ? AND status = 'COMPLETED'"))
                    .isEqualTo(PANEL_TRIALS * PANEL_CALLS);
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND kind = 'judge'")
                            - PANEL_TRIALS * PANEL_CALLS)
                    .as("judges that were being asked when the server was killed")
                    .isBetween(0L, IN_FLIGHT_BOUND);
        });
    }

    @Test
    void shouldFinishWhenRunAndPostgresAreKilledAndCampaignIsResumed() throws Exception {
        Path file = temporary.resolve("campaign.yaml");
        Files.writeString(file, campaign());
        Process run = assay.start("run", file.toString());
        Endpoints endpoints = assay.api().await();
        await().atMost(Api.PATIENCE).until(() -> assay.api().newest().isPresent());
        String id = assay.api().newest().orElseThrow();
        awaitCells(id, 40);

        assay.kill(run, endpoints);
        Process resume = assay.start("resume", id);

        assertThat(resume.waitFor(Api.PATIENCE)).isTrue();
        assertThat(resume.exitValue()).isZero();
        assertNothingLostAndNothingPaidTwice(id);
    }

    /** Three passes of ten settle a case: 40 cases × 10 trials, 100 ms each, 10 at a time. */
    @Test
    void shouldAskNoCaseThatHadStoppedWhenServerAndPostgresAreKilled() throws Exception {
        Process first = assay.up();
        Endpoints endpoints = assay.api().await();
        String id = assay.api().submit("""
            name: settled
            cases:
            %sbranches:
              - {id: b, kind: scripted, script: {answers: [Answer], delayMs: 100}}
            trials: 10
            gate: {passThreshold: 0.3, suiteThreshold: 1}
            limits: {maxConcurrent: %d}
            stop: settled
            """.formatted(cases(40), IN_FLIGHT));
        awaitCells(id, 90);

        assay.kill(first, endpoints);
        assay.finishOnAnotherServer(id);

        assay.inspect(id, tables -> {
            long asked = tables.count("SELECT count(*) FROM results WHERE campaign_id = ? AND status = 'COMPLETED'");
            long needless =
                    tables.count("SELECT count(*) FROM results WHERE campaign_id = ? AND status = 'NOT_NEEDED'");
            // Workers look again after a rest: at most one round of the cases more.
            assertThat(asked).isBetween(120L, 160L);
            assertThat(needless).isEqualTo(400 - asked);
            assertThat(tables.count("SELECT sum(cells_not_needed) FROM progress WHERE campaign_id = ?"))
                    .isEqualTo(needless);
            assertThat(tables.count("""
                SELECT (summary #>> '{branches,0,saved,calls}')::int FROM campaign
                WHERE campaign_id = ? AND verdict = 'PASS'\
                """)).isEqualTo(needless);
            assertThat(tables.count("""
                SELECT count(*) FROM ledger l WHERE campaign_id = ? AND 3 <= (
                    SELECT count(*) FROM outcome o WHERE o.campaign_id = l.campaign_id AND o.passed
                      AND o.ordinal % 40 = l.ordinal % 40 AND o.finished_at < l.sent_at - interval '1 second')\
                """))
                    .as("requests for cases that had stopped")
                    .isZero();
        });
    }

    @Test
    void shouldScoreEveryBatchOnceWhenServerAndPostgresAreKilledBetweenBatches() throws Exception {
        Process first = assay.up();
        Endpoints endpoints = assay.api().await();
        String id = assay.api().submit("/api/v1/hypothesis-evaluations", hypotheses());
        String path = "/api/v1/hypothesis-evaluations/" + id;
        await().atMost(Api.PATIENCE)
                .until(() -> assay.api().get(path).at("/summary/scored").asInt() >= 2 * BATCHES_IN_FLIGHT);
        assertThat(assay.api().get(path).at("/summary/scored").asInt()).isLessThan(HYPOTHESES);

        assay.kill(first, endpoints);
        assay.finishOnAnotherServer(id);

        int batches = HYPOTHESES / 2;
        assay.inspect(id, tables -> {
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE campaign_id = ? AND status = 'COMPLETED'"))
                    .isEqualTo(batches);
            assertThat(tables.count("""
                SELECT count(*) FROM ledger l JOIN outcome o USING (campaign_id, ordinal)
                WHERE l.sent_at > o.finished_at AND campaign_id = ?\
                """))
                    .as("requests for batches that were stored")
                    .isZero();
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ?") - batches)
                    .as("requests that were in flight when the server was killed")
                    .isBetween(0L, KilledServer.inFlightBound(BATCHES_IN_FLIGHT));
        });
    }

    private void assertNothingLostAndNothingPaidTwice(String id) throws SQLException {
        assay.inspect(id, tables -> {
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE campaign_id = ?"))
                    .isEqualTo(TRIALS);
            assertThat(tables.count("SELECT count(*) FROM trial WHERE campaign_id = ? AND complete"))
                    .isEqualTo(TRIALS);
            tables.assertCountersEqualRows();
            assertThat(tables.count("""
                SELECT count(*) FROM ledger l JOIN outcome o USING (campaign_id, ordinal)
                WHERE l.sent_at > o.finished_at AND campaign_id = ?\
                """))
                    .as("requests for outcomes that were stored")
                    .isZero();
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ?") - TRIALS)
                    .as("requests that were in flight when the server was killed")
                    .isBetween(0L, IN_FLIGHT_BOUND);
        });
    }

    private void assertEachGradeOnRecordOnceAndNothingPaidTwice(String id) throws SQLException {
        assay.inspect(id, tables -> {
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE campaign_id = ? AND passed"))
                    .isEqualTo(GRADED_TRIALS);
            tables.assertCountersEqualRows();
            tables.assertGradesPaidOnce(2 * GRADED_TRIALS, IN_FLIGHT_BOUND);
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND kind = 'branch'")
                            - GRADED_TRIALS)
                    .as("answers that were being given when the server was killed")
                    .isBetween(0L, IN_FLIGHT_BOUND);
        });
    }
}
