package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.cli.testing.Api;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of server and PostgreSQL in the middle of a graded scoring: no grade is paid twice, no verdict is lost, no branch is asked. */
@Tag("slow")
final class ScoringCrashTest {

    private static final int CASES = 120;
    private static final int IN_FLIGHT = 10;

    /** Cells that are done when it is killed; {@code -Dassay.proof=true} takes all. At none of them it may still copy. */
    private static final List<Integer> KILLS =
            Boolean.getBoolean("assay.proof") ? List.of(0, 0, 1, 10, 25, 40, 55, 70, 85, 100) : List.of(30);

    /** Each answer has a grade, 200 ms each, 10 at a time: two and a half seconds. */
    private static final String SCORING = """
        name: graded
        checks: [{type: rubric, value: Polite}]
        grader:
          kind: scripted
          script: {answers: ['{"reason": "so", "score": 1, "pass": true}'], delayMs: 200}
        limits: {maxConcurrent: %d}
        """.formatted(IN_FLIGHT);

    @TempDir
    Path temporary;

    private KilledServer assay;
    private Process server;

    @BeforeEach
    void start() throws Exception {
        assay = new KilledServer(temporary.resolve("data"));
        server = assay.up();
        assay.api().await();
    }

    @AfterEach
    void stop() throws Exception {
        assay.close();
    }

    private String answered() throws Exception {
        String id = assay.api().submit("""
            name: answered
            cases:
            %sbranches: [{id: a, kind: scripted, script: {answers: [Answer]}}]
            """.formatted(IntStream.range(0, CASES)
                .mapToObj(i -> "  - {id: case-%d, prompt: Question %d?}%n".formatted(i, i))
                .collect(Collectors.joining())));
        await().atMost(Api.PATIENCE).until(() -> assay.api().state(id).equals("COMPLETED"));
        return id;
    }

    private String score(String of) throws Exception {
        return assay.api().submit("/api/v1/campaigns/" + of + "/scorings", SCORING);
    }

    private void killAndStartAgain() throws Exception {
        assay.kill(server, assay.api().endpoints().orElseThrow());
        server = assay.up();
        assay.api().await();
    }

    @Test
    void shouldPayNoGradeTwiceWhenServerAndPostgresAreKilled() throws Exception {
        String of = answered();
        List<String> scorings = new ArrayList<>();
        for (int done : KILLS) {
            String id = score(of);
            await().atMost(Api.PATIENCE).until(() -> assay.api().cellsDone(id) >= done);

            killAndStartAgain();

            await().atMost(Api.PATIENCE).until(() -> assay.api().state(id).equals("COMPLETED"));
            scorings.add(id);
        }

        end();
        for (String id : scorings) {
            assertEachGradeOnce(id);
        }
    }

    @Test
    void shouldEndTheSameWhenTheFirstCampaignIsDeletedMeanwhile() throws Exception {
        String of = answered();
        String id = score(of);
        await().atMost(Api.PATIENCE).until(() -> assay.api().cellsDone(id) >= 1);
        assertThat(assay.api().delete("/api/v1/campaigns/" + of).statusCode()).isEqualTo(204);

        killAndStartAgain();

        await().atMost(Api.PATIENCE).until(() -> assay.api().state(id).equals("COMPLETED"));
        end();
        assertEachGradeOnce(id);
    }

    private void end() throws InterruptedException {
        server.destroy();
        assertThat(server.waitFor(Duration.ofSeconds(20))).isTrue();
    }

    private void assertEachGradeOnce(String id) throws Exception {
        assay.inspect(id, tables -> {
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE campaign_id = ? AND passed"))
                    .isEqualTo(CASES);
            tables.assertCountersEqualRows();
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND kind = 'branch'"))
                    .as("no branch is asked")
                    .isZero();
            tables.assertGradesPaidOnce(CASES, KilledServer.inFlightBound(IN_FLIGHT));
        });
    }
}
