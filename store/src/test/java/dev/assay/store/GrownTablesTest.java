package dev.assay.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.permit.PermitWish;
import dev.assay.store.access.AuditFilter;
import dev.assay.store.access.AuditRepository;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.CampaignSearch;
import dev.assay.store.cell.AttemptKey;
import dev.assay.store.cell.CellClaim;
import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.EnlistRepository;
import dev.assay.store.delivery.ProviderBatch;
import dev.assay.store.evaluation.EvaluationRepository;
import dev.assay.store.evaluation.EventRepository;
import dev.assay.store.health.CensusRepository;
import dev.assay.store.health.HealthRepository;
import dev.assay.store.health.PaceRepository;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.JournalEntry.Settle;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.limit.LimitQueries;
import dev.assay.store.limit.ThrottleQueries;
import dev.assay.store.limit.ThrottleReport;
import dev.assay.store.limit.ThrottleRepository;
import dev.assay.store.limit.UnitRepository;
import dev.assay.store.limit.UnitRequest;
import dev.assay.store.outage.KeyDecisions;
import dev.assay.store.outage.OutageRepository;
import dev.assay.store.page.PageRequest;
import dev.assay.store.permit.PermitRepository;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.store.removal.RemovalRepository;
import dev.assay.store.restore.RestoreRepository;
import dev.assay.store.result.AnswerExcerpts;
import dev.assay.store.result.OutcomeFilter;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.ProgressRepository;
import dev.assay.store.series.SeriesRepository;
import dev.assay.store.sql.Sql;
import dev.assay.store.steering.WaitingLoops;
import dev.assay.store.trial.TrialRepository;
import dev.assay.store.worker.WorkerRepository;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What workers, pages and polls ask again and again costs no more for all that has ended: it reads no table that grows from end to end,
 * and few blocks. PostgreSQL counts what each call reads, the first time and when its plan is the one for all parameters.
 */
@Tag("slow")
final class GrownTablesTest {

    /** A twentieth of 200,000 campaigns, 100,000 workers and 5 million cells; fewer requests, which take a minute to write. */
    private static final GeneratedTables TABLES = new GeneratedTables(10_000, 5_000, 250_000, 20_000);

    /**
     * What a call may read.
     *
     * @param blocks of 8 KB, in tables and their indexes
     * @param rows of a table, one after the other: what those that live have there. A table that holds no more is read at once
     */
    private record Bound(long blocks, long rows) {}

    private static final Bound BOUND = new Bound(250, 1_000);

    /** The driver prepares a statement that runs the fifth time; five runs later PostgreSQL may plan it for all parameters. */
    private static final int UNTIL_PLANNED = 12;

    private static final String READ = """
        SELECT 'rows of ' || relname AS what, seq_tup_read AS number FROM pg_stat_user_tables
        UNION ALL
        SELECT 'blocks of ' || relname, heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)
                                        + coalesce(toast_blks_read + toast_blks_hit, 0)
        FROM pg_statio_user_tables\
        """;

    private static final RunKey RUN = new RunKey(GeneratedTables.OPEN, 1);
    private static final String WORKER = "live-1";

    /** What reads more, and why it may. */
    private static final Map<String, Bound> EXCEPTIONS = Map.of(
            // A text is searched in all names. A person types it; nothing repeats it.
            "campaigns by text",
            new Bound(4_000, 20_000),
            // All requests of one campaign. Where it has more than 10,000 cells the sum is renewed beside the answers,
            // not for each.
            "spend",
            new Bound(4_000, 30_000),
            // A hundred campaigns that have not ended, and 500 cells in flight, are all counted, each quarter of a
            // minute.
            "census",
            new Bound(1_500, 1_000),
            // It removes a hundred rows of the oldest thousand. For each PostgreSQL looks among the 200 permits.
            "forgetEnded",
            new Bound(3_000, 21_000));

    private static StoreFixture store;

    @BeforeAll
    static void start() {
        // One connection: what it read is told when it is asked to.
        store = StoreFixture.open(Map.of("datasources.default.maximum-pool-size", 1));
        TABLES.fill(store);
    }

    @AfterAll
    static void stop() {
        store.close();
    }

    /** Something that is asked again and again. */
    private record Repeated(String name, Runnable call) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Repeated> repeated() {
        return Stream.of(workers(), cells(), batches(), polls(), pages()).flatMap(calls -> calls);
    }

    private static Stream<Repeated> workers() {
        WorkerRepository workers = store.get(WorkerRepository.class);
        PermitAsk ask = new PermitAsk(4, new PermitWish(8, 0));
        ModelPool pool = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "model-0");
        Map<PermitPool, PermitAsk> asks = Map.of(
                PermitPool.campaign("live-1"), ask, PermitPool.provider("openai"), ask, PermitPool.models(pool), ask);
        UnitRequest nothing = new UnitRequest(List.of(), false, 0, 1, List.of());
        return Stream.of(
                new Repeated("permits", () -> store.get(PermitRepository.class).exchange(WORKER, asks)),
                new Repeated("units", () -> store.get(UnitRepository.class).exchange(WORKER, Map.of(pool, nothing))),
                new Repeated(
                        "throttles",
                        () -> store.get(ThrottleRepository.class).exchange("one", Map.of(pool, ThrottleReport.NONE))),
                new Repeated("outages", () -> store.get(OutageRepository.class).exchange(WORKER, List.of())),
                new Repeated("draining", () -> store.get(KeyDecisions.class).draining()),
                new Repeated("renew", () -> workers.renew(WORKER)),
                new Repeated("report", () -> workers.report(WORKER, List.of(), Map.of(), List.of())),
                new Repeated("sweepLedger", workers::sweepLedger),
                new Repeated("forgetEnded", workers::forgetEnded),
                new Repeated("controls", () -> workers.controls(Set.of("live-1", "live-2"))),
                new Repeated("isPolled", () -> workers.isPolled("none")),
                new Repeated("isPolledOnlyWith", () -> workers.isPolledOnlyWith("none", "assay")),
                new Repeated("isPolledByAll", () -> workers.isPolledByAll("assay-evaluations")),
                new Repeated("liveBuilds", workers::liveBuilds),
                new Repeated("restore", () -> store.get(RestoreRepository.class).look(null)));
    }

    private static Stream<Repeated> cells() {
        CellRepository cells = store.get(CellRepository.class);
        TrialRepository trials = store.get(TrialRepository.class);
        List<Integer> ordinals = List.of(50_000, 50_001, 50_002);
        return Stream.of(
                new Repeated("claim", () -> cells.claim(RUN, WORKER, CellKind.BRANCH, 0, ordinals)),
                new Repeated("release", () -> cells.release(RUN, WORKER, CellKind.BRANCH, 0, ordinals)),
                new Repeated("open trials", () -> trials.open(RUN, 50_000, 50_100, 12)),
                new Repeated("closed trials", () -> trials.closed(RUN, ordinals)),
                new Repeated(
                        "trials done", () -> store.get(ProgressRepository.class).trialsDone(GeneratedTables.OPEN, 1)),
                new Repeated("request", GrownTablesTest::request));
    }

    private static Stream<Repeated> batches() {
        BatchRepository batches = store.get(BatchRepository.class);
        EnlistRepository enlisting = store.get(EnlistRepository.class);
        List<Integer> ordinals = List.of(50_000, 50_001, 50_002);
        ProviderBatch one = batches.openOf(GeneratedTables.OPEN).getFirst();
        BatchRepository.Place after = new BatchRepository.Place(Instant.now(), one.id());
        return Stream.of(
                new Repeated("open batches", () -> batches.open(100)),
                new Repeated("open batches of a campaign", () -> batches.openOf(GeneratedTables.OPEN)),
                new Repeated("requests out", () -> batches.requestsOut(GeneratedTables.OPEN)),
                new Repeated("count of open batches", () -> batches.countOpen(GeneratedTables.OPEN)),
                new Repeated("tokens out", () -> batches.tokensOut("openai", "model-0")),
                new Repeated("last durations", () -> batches.lastDurations("openai", "model-0")),
                new Repeated("too much", () -> batches.tooMuch("openai", "model-0")),
                new Repeated("known", () -> batches.areKnown(List.of("b-open-1", "nobody's"))),
                new Repeated("batch", () -> batches.find(one.id())),
                new Repeated("items", () -> batches.itemsAfter(one.id(), -1, 500)),
                new Repeated("items out", () -> batches.out(one.id(), 500)),
                new Repeated("batches", () -> batches.page(new BatchRepository.Wanted(null, null), after, 50)),
                new Repeated(
                        "batches of a campaign",
                        () -> batches.page(new BatchRepository.Wanted("ended-7", null), after, 50)),
                new Repeated(
                        "batches by state",
                        () -> batches.page(new BatchRepository.Wanted(null, "SUBMITTED"), after, 50)),
                new Repeated("ready", () -> enlisting.ready(RUN, List.of(0), ordinals)),
                new Repeated("waiting", () -> enlisting.waiting(GeneratedTables.OPEN, ordinals)),
                new Repeated("wanted", () -> enlisting.wanted(GeneratedTables.OPEN, CellKind.JUDGE, ordinals)),
                new Repeated("not open", () -> enlisting.notOpen(RUN, CellKind.BRANCH, List.of(0), ordinals)),
                new Repeated(
                        "wish",
                        () -> enlisting.wish(RUN, CellKind.JUDGE, List.of(new EnlistRepository.Place(50_000, 0)))));
    }

    /** A request that is written, and settled. */
    private static void request() {
        RunJournal journal = store.get(RunJournal.class);
        CellKey cell = new CellKey(GeneratedTables.OPEN, 50_000, CellKind.BRANCH, 0);
        AttemptKey attempt = new AttemptKey(new CellClaim(cell, 1, WORKER), 1);
        long id = journal.nextRequestId();
        try {
            journal.reserve(new Reserve(id, attempt, 1, "openai", "model-0", null, null));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        journal.settle(new Settle(id, attempt, null, null, null, null, null)).join();
    }

    private static Stream<Repeated> polls() {
        CampaignRepository campaigns = store.get(CampaignRepository.class);
        PaceRepository pace = store.get(PaceRepository.class);
        ProviderQueries providers = store.get(ProviderQueries.class);
        return Stream.of(
                new Repeated(
                        "health",
                        () -> store.get(HealthRepository.class)
                                .facts(campaigns.required(GeneratedTables.OPEN), 1, provider -> provider)),
                new Repeated("census", () -> store.get(CensusRepository.class).take()),
                new Repeated("pace", () -> pace.of(GeneratedTables.OPEN)),
                new Repeated("waiting", pace::waiting),
                new Repeated("unfinished", () -> campaigns.unfinished(false)),
                new Repeated(
                        "removals", () -> store.get(RemovalRepository.class).begun()),
                new Repeated(
                        "retention", () -> store.get(RemovalRepository.class).ended("FAILED", 60)),
                new Repeated("ledgers", () -> store.get(RemovalRepository.class).ledgersDue()),
                new Repeated("live workers", providers::liveWorkers),
                new Repeated("offer", providers::offer),
                new Repeated("programs", providers::programs),
                new Repeated("limits", () -> store.get(LimitQueries.class).all()),
                new Repeated(
                        "throttle states",
                        () -> store.get(ThrottleQueries.class).of(List.of("openai"))),
                new Repeated(
                        "progress", () -> store.get(ProgressRepository.class).find(GeneratedTables.OPEN)));
    }

    private static Stream<Repeated> pages() {
        CampaignRepository campaigns = store.get(CampaignRepository.class);
        OutcomeQueries outcomes = store.get(OutcomeQueries.class);
        PageRequest page = PageRequest.of(null, 20);
        return Stream.of(
                new Repeated("campaign", () -> campaigns.find("ended-7")),
                new Repeated("campaigns", () -> campaigns.list(CampaignSearch.ALL, page)),
                new Repeated(
                        "campaigns that run",
                        () -> campaigns.list(CampaignSearch.in(Set.of(CampaignState.RUNNING)), page)),
                new Repeated(
                        "campaigns by text",
                        () -> campaigns.list(
                                new CampaignSearch(
                                        Set.of(), Set.of(), "nowhere", null, null, null, CampaignMetadata.NONE, null),
                                page)),
                new Repeated(
                        "evaluations",
                        () -> store.get(EvaluationRepository.class).list(null, page)),
                new Repeated("outcomes", () -> outcomes.page(GeneratedTables.OPEN, OutcomeFilter.ALL, page)),
                new Repeated("failures", () -> outcomes.failures(GeneratedTables.OPEN, null, page)),
                new Repeated(
                        "answers",
                        () -> store.get(AnswerExcerpts.class).find(GeneratedTables.OPEN, 2, List.of(7L, 8L, 4711L))),
                new Repeated("spend", () -> outcomes.spend(GeneratedTables.OPEN)),
                new Repeated("series", () -> store.get(SeriesRepository.class).find(GeneratedTables.OPEN)),
                new Repeated("events", () -> store.get(EventRepository.class).after("ended-7", 0, 100)),
                new Repeated(
                        "waiting loops", () -> store.get(WaitingLoops.class).of("live-1")),
                new Repeated("outcome", () -> outcomes.transcripts(GeneratedTables.OPEN, 7)),
                new Repeated(
                        "audit",
                        () -> store.get(AuditRepository.class)
                                .page(new AuditFilter(null, null, null, null, null), null, 50)));
    }

    @ParameterizedTest
    @MethodSource("repeated")
    void shouldReadLittleHoweverMuchHasEnded(Repeated repeated) {
        Bound most = EXCEPTIONS.getOrDefault(repeated.name(), BOUND);
        assertThat(tooMuch(repeated.call(), most)).as("the first time").isEmpty();
        for (int time = 1; time < UNTIL_PLANNED; time++) {
            repeated.call().run();
        }
        assertThat(tooMuch(repeated.call(), most)).as("for all parameters").isEmpty();
    }

    @Test
    void shouldSeeATableThatIsReadFromEndToEnd() {
        Sql sql = store.get(Sql.class);
        assertThat(tooMuch(
                        () -> sql.read(() -> sql.exists("SELECT 1 FROM campaign WHERE name || '' = 'nowhere'")), BOUND))
                .containsKey("rows of campaign");
    }

    @Test
    void shouldSeeAnIndexThatIsReadFromEndToEnd() {
        Sql sql = store.get(Sql.class);
        assertThat(tooMuch(
                        () -> sql.read(() -> sql.exists(
                                "SELECT count(worker_id) FROM (SELECT worker_id FROM worker ORDER BY worker_id) AS w")),
                        new Bound(20, 0)))
                .containsKey("blocks");
    }

    /** What a call read beyond the bounds; empty: nothing. */
    private static Map<String, Long> tooMuch(Runnable call, Bound most) {
        Map<String, Long> before = counts();
        call.run();
        Map<String, Long> tooMuch = new TreeMap<>();
        long blocks = 0;
        for (Map.Entry<String, Long> count : counts().entrySet()) {
            long more = count.getValue() - before.getOrDefault(count.getKey(), 0L);
            if (count.getKey().startsWith("blocks")) {
                blocks += more;
            } else if (more > most.rows()) {
                tooMuch.put(count.getKey(), more);
            }
        }
        if (blocks > most.blocks()) {
            tooMuch.put("blocks", blocks);
        }
        return tooMuch;
    }

    /** Rows that were read one after the other, and blocks, by table, since the database was made. */
    private static Map<String, Long> counts() {
        Sql sql = store.get(Sql.class);
        sql.read(() -> sql.exists("SELECT pg_stat_force_next_flush()"));
        Map<String, Long> counts = new LinkedHashMap<>();
        store.query(READ)
                .forEach(row -> counts.put(String.valueOf(row.get("what")), (long) requireNonNull(row.get("number"))));
        return counts;
    }
}
