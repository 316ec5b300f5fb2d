package dev.assay.store.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.HealthFacts;
import dev.assay.domain.health.HealthFacts.Killed;
import dev.assay.domain.health.HealthFacts.Kills;
import dev.assay.domain.health.HealthFacts.MissingKey;
import dev.assay.domain.health.HealthFacts.Pool;
import dev.assay.domain.health.HealthFacts.Retry;
import dev.assay.domain.health.HealthFacts.Workers;
import dev.assay.domain.health.StoreRefusal;
import dev.assay.domain.health.WorkerLoad;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.store.worker.WorkerRepository.Worker;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HealthRepositoryTest {

    private static final String ID = "capitals-1";
    private static final long OPEN = 24;

    private StoreFixture store;
    private HealthRepository health;
    private WorkerRepository workers;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        health = store.get(HealthRepository.class);
        workers = store.get(WorkerRepository.class);
        CampaignRepository campaigns = store.get(CampaignRepository.class);
        campaigns.create(ID, new SampleCampaign("capitals", 3, 2, 4).submission());
        campaigns.transition(ID, Set.of(CampaignState.PENDING), CampaignState.RUNNING, false, null);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private HealthFacts facts() {
        return health.facts(
                store.get(CampaignRepository.class).find(ID).orElseThrow(), OPEN, provider -> "queue-" + provider);
    }

    private void worker(String id, String queue) {
        workers.register(
                new Worker(id, "host", 1, "test", List.of(queue), List.copyOf(SampleCampaign.PROVIDERS.values())));
    }

    private void waiting(int ordinal, int branch, String error, String when) {
        store.execute("""
            INSERT INTO cell (campaign_id, ordinal, kind, member, attempts, next_try_at, error_code)
            VALUES (?, ?, 'branch', ?, 1, now() + ?::interval, ?)\
            """, ID, ordinal, branch, when, error);
    }

    @Test
    void shouldKnowNoWorkerAndNothingInFlightWhenACampaignIsNew() {
        HealthFacts facts = facts();

        assertThat(facts.state()).isEqualTo(CampaignState.RUNNING);
        assertThat(facts.cells()).isEqualTo(new HealthFacts.Cells(OPEN, 0, 20, List.of(), 0));
        assertThat(facts.retries()).isEmpty();
        assertThat(facts.workers()).isEqualTo(new Workers(0, List.of("openai")));
        assertThat(facts.spend().budget()).isNull();
        assertThat(facts.idle()).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void shouldMissAProviderWhoseQueueNoLiveWorkerPolls() {
        worker("elsewhere", "queue-mistral");
        assertThat(facts().workers()).isEqualTo(new Workers(1, List.of("openai")));

        worker("here", "queue-openai");
        assertThat(facts().workers()).isEqualTo(new Workers(2, List.of()));

        workers.retire("here");
        assertThat(facts().workers()).isEqualTo(new Workers(1, List.of("openai")));
    }

    @Test
    void shouldCountNoWorkersWithoutBatchesWhereNoCellGoesOutInOne() {
        worker("earlier", "queue-openai");
        store.execute("UPDATE worker SET makes_batches = false");

        assertThat(facts().workers()).isEqualTo(new Workers(1, List.of()));
    }

    @Test
    void shouldKnowThatWorkersAreLateToRenewTheirLeases() {
        worker("late", "queue-openai");
        store.execute("UPDATE worker SET lease_until = now() + interval '15 seconds'");
        assertThat(facts().workers().areUnheard()).isTrue();

        worker("in time", "queue-openai");
        assertThat(facts().workers().areUnheard()).isFalse();
    }

    /** Where no key goes on other facts say so. */
    @Test
    void shouldNameTheKeyThatNoLiveWorkerHasWhileAnotherGoesOn() {
        List<ProviderKey> keys = Stream.of("first", "second", "drained")
                .map(name -> new ProviderKey(name, "OPENAI_" + name, 1, name))
                .toList();
        workers.register(new Worker(
                "one",
                "host",
                1,
                "test",
                List.of("queue-openai"),
                List.of(new ProviderInfo("openai", null, true, null, 50, 4_096, Map.of(), List.of(), keys))));
        store.execute("INSERT INTO provider_key (provider, key_name, state, reason, who, since)"
                + " VALUES ('openai', 'drained', 'draining', 'old', 'chief', now())");
        assertThat(facts().outages().missing()).isEmpty();

        store.execute("INSERT INTO key_use (provider, key_name, worker_id, fingerprint, told_at)"
                + " VALUES ('openai', 'first', 'one', '0123456789ab', now())");

        assertThat(facts().outages().missing())
                .containsExactly(new MissingKey("openai", "second", "OPENAI_second", 1, 3));
    }

    @Test
    void shouldAddUpWhatAllWorkersHold() {
        worker("a", "queue-openai");
        worker("b", "queue-openai");
        workers.report(
                "a",
                List.of(new WorkerLoad(ID, "openai", 5, 7, 1), new WorkerLoad("other", "openai", 30, 2, 0)),
                Map.of(),
                List.of());
        workers.report("b", List.of(new WorkerLoad(ID, "openai", 4, 0, 0)), Map.of(), List.of());

        assertThat(facts().cells())
                .isEqualTo(new HealthFacts.Cells(OPEN, 9, 20, List.of(new Pool("openai", 7, 40, 50)), 1));
    }

    @Test
    void shouldKnowHowManyRequestsAHostAllowsByItsStrictestAddress() {
        ToolPolicy tools = new ToolPolicy(
                List.of(
                        new ToolPolicy.Address("https://API.example.com/a", Map.of(), 7),
                        new ToolPolicy.Address("https://api.example.com/b", Map.of(), 3),
                        new ToolPolicy.Address("https://example.com/", Map.of(), 1),
                        new ToolPolicy.Address("https://free.example.com/", Map.of())),
                List.of());
        workers.register(new Worker("a", "host", 1, "test", List.of(), List.of(), tools, List.of()));
        workers.report(
                "a",
                List.of(
                        new WorkerLoad(ID, "http/api.example.com", 3, 7, 0),
                        new WorkerLoad(ID, "http/free.example.com", 0, 1, 0),
                        new WorkerLoad(ID, "http/gone.example.com", 0, 1, 0)),
                Map.of(),
                List.of());

        assertThat(facts().cells().forPermit())
                .containsExactlyInAnyOrder(
                        new Pool("http/api.example.com", 7, 3, 3),
                        new Pool("http/free.example.com", 1, 0, 1000),
                        new Pool("http/gone.example.com", 1, 0, null));
    }

    @Test
    void shouldKnowWhatPostgresRefusesWhileTheWorkerThatSaysSoIsAlive() {
        StoreRefusal full = new StoreRefusal(false, "No space left on device");
        worker("a", "queue-openai");
        workers.report("a", List.of(), Map.of(ID, full), List.of());
        assertThat(facts().store()).isEqualTo(new HealthFacts.Store(full, 0, null));

        workers.report("a", List.of(), Map.of("other", full), List.of());
        assertThat(facts().store()).isEqualTo(HealthFacts.Store.WRITES);

        workers.report("a", List.of(), Map.of(ID, full), List.of());
        workers.retire("a");
        assertThat(facts().store()).isEqualTo(HealthFacts.Store.WRITES);
    }

    @Test
    void shouldAddUpAnswersThatWerePaidAndCouldNotBeStored() {
        store.execute(
                "INSERT INTO unstored_answer (campaign_id, ordinal, kind, member, attempt, cost_usd) VALUES ('" + ID
                        + "', 0, 'branch', 0, 1, 0.25), ('" + ID + "', 0, 'branch', 0, 2, 0.5), ('" + ID
                        + "', 0, 'judge', 0, 1, NULL)");

        assertThat(facts().store()).isEqualTo(new HealthFacts.Store(null, 3, new BigDecimal("0.75")));
    }

    @Test
    void shouldAddUpKillsAndNameWhatWasKilledMostOften() {
        ComputeKillRepository kills = store.get(ComputeKillRepository.class);
        assertThat(facts().kills()).isEqualTo(Kills.NONE);
        for (int definition = 1; definition <= 4; definition++) {
            for (int i = 0; i < definition; i++) {
                kills.count(ID, "hash " + definition, "template " + definition);
            }
        }
        kills.count("no campaign", "hash", "template");

        assertThat(facts().kills())
                .isEqualTo(new Kills(
                        10,
                        List.of(
                                new Killed("template 4", 4),
                                new Killed("template 3", 3),
                                new Killed("template 2", 2))));
    }

    @Test
    void shouldCountAllThoseBeyondAThousandTogether() {
        ComputeKillRepository kills = store.get(ComputeKillRepository.class);
        for (int definition = 0; definition < 1_010; definition++) {
            kills.count(ID, "hash " + definition, "tool " + definition);
        }
        kills.count(ID, "hash 7", "tool 7");

        assertThat(store.count("SELECT count(*) FROM compute_kill")).isEqualTo(1_001);
        assertThat(facts().kills().tasks()).isEqualTo(1_011);
        assertThat(facts().kills().mostOften()).startsWith(new Killed("others", 10), new Killed("tool 7", 2));
    }

    @Test
    void shouldForgetTheLoadOfAWorkerWhoseLeaseLapsed() {
        worker("a", "queue-openai");
        workers.report("a", List.of(new WorkerLoad(ID, "openai", 5, 7, 0)), Map.of(), List.of());
        workers.retire("a");

        assertThat(facts().cells()).isEqualTo(new HealthFacts.Cells(OPEN, 0, 20, List.of(), 0));
    }

    @Test
    void shouldCountCellsThatWaitForTheirNextAttemptByWhatFailed() {
        waiting(0, 0, "PROVIDER_RATE_LIMITED", "20 seconds");
        waiting(1, 1, "PROVIDER_RATE_LIMITED", "10 seconds");
        waiting(2, 1, "PROVIDER_TIMEOUT", "30 seconds");
        waiting(3, 1, "PROVIDER_TIMEOUT", "-1 seconds");
        store.execute("UPDATE cell SET closed_epoch = 1, is_final = true WHERE ordinal = 2");
        waiting(4, 0, "PROVIDER_TIMEOUT", "30 seconds");

        List<Retry> retries = facts().retries();

        assertThat(retries)
                .extracting(Retry::code, Retry::provider, Retry::cells)
                .containsExactly(
                        tuple(ErrorCode.PROVIDER_RATE_LIMITED, "openai", 2L),
                        tuple(ErrorCode.PROVIDER_TIMEOUT, "openai", 1L));
        assertThat(Duration.between(Instant.now(), retries.getFirst().next())).isLessThan(Duration.ofSeconds(11));
    }

    @Test
    void shouldReadWhatIsLeftOfTheBudget() {
        store.execute("UPDATE campaign SET budget_usd = 2 WHERE campaign_id = ?", ID);
        store.execute("INSERT INTO budget (campaign_id, spent_usd, reserved_usd) VALUES (?, 1.5, 0.25)", ID);

        assertThat(facts().spend().budget())
                .isEqualTo(new HealthFacts.Budget(new BigDecimal("2"), new BigDecimal("1.5"), new BigDecimal("0.25")));
    }

    @Test
    void shouldCountIdleTimeFromTheLastCounterOrChangeOfState() {
        store.execute("ALTER TABLE campaign DISABLE TRIGGER campaign_changed");
        store.execute("UPDATE campaign SET changed_at = now() - interval '10 minutes' WHERE campaign_id = ?", ID);
        store.execute("""
            INSERT INTO progress (campaign_id, kind, member, shard, counted_at)
            VALUES (?, 'branch', 0, 'w', now() - interval '2 minutes')\
            """, ID);
        assertThat(facts().idle()).isBetween(Duration.ofSeconds(119), Duration.ofSeconds(150));

        store.execute("ALTER TABLE campaign ENABLE TRIGGER campaign_changed");
        store.execute("UPDATE campaign SET epoch = epoch + 1 WHERE campaign_id = ?", ID);
        assertThat(facts().idle()).isLessThan(Duration.ofSeconds(30));
    }
}
