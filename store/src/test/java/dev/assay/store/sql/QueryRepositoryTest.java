package dev.assay.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.store.Campaigns;
import dev.assay.store.SampleCampaign;
import dev.assay.store.SqlState;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.access.Actor;
import dev.assay.store.access.AuditFilter;
import dev.assay.store.access.AuditRepository;
import dev.assay.store.access.AuditRow;
import dev.assay.store.cases.CaseLists;
import dev.assay.store.cassette.CassetteRepository;
import dev.assay.store.evaluation.EvaluationEvent;
import dev.assay.store.evaluation.EvaluationRepository;
import dev.assay.store.evaluation.EventRepository;
import dev.assay.store.installation.InstallationRepository;
import dev.assay.store.result.LedgerTotals;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.series.SeriesBucket;
import dev.assay.store.series.SeriesRepository;
import dev.assay.store.suite.CaseRepository;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.store.worker.WorkerRepository.CampaignControl;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What Micronaut Data makes of rows: the types of PostgreSQL that the store has, null among them. */
@StoreTest
final class QueryRepositoryTest {

    private static final Instant NOON = Instant.parse("2031-03-04T12:00:00Z");

    private final StoreFixture store;

    QueryRepositoryTest(StoreFixture store) {
        this.store = store;
    }

    @Test
    void shouldReadTheInstallation(InstallationRepository installation) {
        assertThat(installation.id()).isEqualTo(store.value("SELECT installation_id::text FROM installation"));
    }

    @Test
    void shouldReadTimesSumsAndCostsOfASeries(SeriesRepository series) {
        String id = Campaigns.running(store, "series");
        for (String cost : new String[] {"0.25", null}) {
            store.execute(
                    "INSERT INTO series VALUES ('series', ?, '2031-03-04 13:00:00.123456+01', 2, 3, 1, 2, 500,"
                            + " ?::numeric, 2, 1)",
                    "worker " + cost,
                    cost);
        }
        store.execute("INSERT INTO series VALUES ('series', 'w', '2031-03-04 12:00:02+00', 2, 1, 0, 0, 0, NULL)");

        assertThat(series.find(id))
                .containsExactly(
                        new SeriesBucket(NOON, 2, 6, 2, 4, 0.5, new BigDecimal("0.25")),
                        new SeriesBucket(NOON.plusSeconds(2), 2, 1, 0, 0, null, null));
        assertThat(series.find("unknown")).isEmpty();
    }

    @Test
    void shouldReadTheAuditWithAndWithoutAnAnswer(AuditRepository audit) {
        long first = audit.begin(new Actor("ada", "10.0.0.1"), "POST /campaigns", null);
        audit.end(first, 202, "made");
        long second = audit.begin(new Actor("bob", "shell"), "token create", "token");

        List<AuditRow> rows = audit.page(AuditFilter.ALL, null, 2).items();
        assertThat(rows).extracting(AuditRow::id).containsExactly(second, first);
        assertThat(rows).extracting(AuditRow::who).containsExactly("bob", "ada");
        assertThat(rows).extracting(AuditRow::what).containsExactly("token create", "POST /campaigns");
        assertThat(rows).extracting(AuditRow::from).containsExactly("shell", "10.0.0.1");
        assertThat(rows).extracting(AuditRow::status).containsExactly(null, 202);
        assertThat(rows).extracting(AuditRow::object).containsExactly("token", "made");
        assertThat(rows.getFirst().at())
                .isAfterOrEqualTo(rows.getLast().at())
                .isEqualTo(instant("SELECT extract(epoch FROM at) * 1000000 FROM audit WHERE audit_id = ?", second));
    }

    @Test
    void shouldReadEventsAfterANumber(EventRepository events, EvaluationRepository evaluations) {
        String id = Campaigns.running(store, "events");
        store.execute("INSERT INTO session (session_id, loops) VALUES ('s', 1)");
        store.execute(
                "INSERT INTO evaluation (evaluation_id, session_id, first_loop, on_cancel) VALUES ('events', 's', 1,"
                        + " 'SELECT')");
        assertThat(events.isOver(id)).isFalse();
        event(1, null, "ParallelLoopStart");
        event(2, "s.0.1", "AgentStart");
        assertThat(events.isOver(id)).isFalse();
        event(3, null, "ParallelLoopEnd");

        assertThat(events.isOver(id)).isTrue();
        assertThat(events.after(id, 0, 2))
                .containsExactly(
                        new EvaluationEvent(1, null, "ParallelLoopStart", "{\"a\": [1]}", NOON),
                        new EvaluationEvent(2, "s.0.1", "AgentStart", "{\"a\": [1]}", NOON));
        assertThat(events.after(id, 3, 2)).isEmpty();
        assertThat(evaluations.isBusy(id)).isFalse();
    }

    private void event(int number, String loopId, String name) {
        store.execute("""
            INSERT INTO evaluation_event (evaluation_id, number, loop_id, name, body, at)
            VALUES ('events', ?, ?, ?, '{"a": [1]}', '2031-03-04 12:00+00')\
            """, number, loopId, name);
    }

    @Test
    void shouldReadArraysWhenWorkersAskForTheirCampaigns(WorkerRepository workers) {
        Campaigns.running(store, "plain");
        Campaigns.running(store, "cancelled");
        store.execute(
                "INSERT INTO cancelled_branch (campaign_id, branch_index) VALUES ('cancelled', 0), ('cancelled', 2)");

        assertThat(workers.controls(List.of("plain", "cancelled", "unknown")))
                .containsExactlyInAnyOrder(
                        new CampaignControl("plain", 1, CampaignState.RUNNING, Set.of()),
                        new CampaignControl("cancelled", 1, CampaignState.RUNNING, Set.of(0, 2)));
        assertThat(workers.controls(Set.of())).isEmpty();
    }

    @Test
    void shouldKnowWhatLiveWorkersPollAndAre(WorkerRepository workers) {
        Campaigns.worker(workers, "polls");

        assertThat(workers.isPolled("assay")).isTrue();
        assertThat(workers.isPolled("assay' OR true --")).isFalse();
        assertThat(workers.isPolledOnlyWith("assay", "assay")).isTrue();
        assertThat(workers.isPolledOnlyWith("assay", "none")).isFalse();
        assertThat(workers.isPolledOnlyWith("none", "assay")).isFalse();
        assertThat(workers.liveBuilds()).contains("test");
        workers.acquit("polls");
    }

    @Test
    void shouldReadBytesAndLedgersWhenThereAreAny(OutcomeQueries outcomes, WorkerRepository workers) {
        SampleCampaign sample = new SampleCampaign("bytes", 1, 2, 1);
        String id = Campaigns.running(store, "bytes");
        sample.recordOutcome(store, id, 0, 0, "COMPLETED", true);
        sample.recordOutcome(store, id, 0, 1, "COMPLETED", true);
        store.execute(
                "UPDATE outcome SET stdout = '\\x00ff', stderr = '' WHERE campaign_id = 'bytes' AND branch_index = 1");

        assertThat(outcomes.programOutput(id, 0, 0)).isEmpty();
        assertThat(outcomes.programOutput(id, 0, 1)).hasValueSatisfying(output -> {
            assertThat(output.stdout()).containsExactly(0, 0xff);
            assertThat(output.stderr()).isEmpty();
        });
        assertThat(outcomes.spend(id)).isEqualTo(LedgerTotals.NONE);
        store.execute("""
            INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id, epoch,
                state, reserved_usd)
            VALUES (-1, 'bytes', 0, 'branch', 0, 1, 1, 'openai', 'small', 'w', 1, 'SENT', 0.5)\
            """);
        assertThat(outcomes.spend(id)).isEqualTo(new LedgerTotals(null, new BigDecimal("0.5"), null, 1, 0));
        assertThat(workers.sweepLedger()).isOne();
        assertThat(workers.sweepLedger()).isZero();
        assertThat(outcomes.spend(id)).isEqualTo(new LedgerTotals(null, null, new BigDecimal("0.5"), 1, 1));
    }

    @Test
    void shouldFindCasesAndTheirTags(CaseRepository cases, CaseLists lists) {
        String suite =
                cases.store(new SampleCampaign("tags", 2, 1, 1).submission().suite());
        store.execute("UPDATE suite_case SET tags = '{geo,\"a b\"}' WHERE suite_id = ? AND case_index = 1", suite);

        assertThat(cases.caseIds(suite)).containsExactly("case-0", "case-1");
        assertThat(cases.position(suite, "case-1")).contains(1);
        assertThat(cases.position(suite, "case-2")).isEmpty();
        assertThat(lists.tags(suite))
                .containsExactly(new CaseLists.TagCount("a b", 1), new CaseLists.TagCount("geo", 1));
    }

    @Test
    void shouldFindNoAnswerOfAnUnknownCassette(CassetteRepository cassettes) {
        assertThat(cassettes.find("none", "key", 1)).isEmpty();
        assertThat(cassettes.recordedTrials("none", "key")).isEmpty();
    }

    @Test
    void shouldPassByItselfWhenTheConnectionIsLost(Sql sql, InstallationRepository installation) {
        Throwable thrown = catchThrowable(() -> sql.write(() -> {
            catchThrowable(() -> sql.exists("SELECT pg_terminate_backend(pg_backend_pid())"));
            return installation.id();
        }));
        assertThat(SqlState.isTransient(thrown)).isTrue();
    }

    private Instant instant(String microsSql, Object... parameters) {
        long micros = store.count(microsSql, parameters);
        return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }
}
