package dev.assay.domain.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.LostTime;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.CampaignHealth.Code;
import dev.assay.domain.health.CampaignHealth.Reason;
import dev.assay.domain.health.CampaignHealth.Status;
import dev.assay.domain.health.HealthFacts.Budget;
import dev.assay.domain.health.HealthFacts.Cells;
import dev.assay.domain.health.HealthFacts.Down;
import dev.assay.domain.health.HealthFacts.Driver;
import dev.assay.domain.health.HealthFacts.KeysLeft;
import dev.assay.domain.health.HealthFacts.Killed;
import dev.assay.domain.health.HealthFacts.Kills;
import dev.assay.domain.health.HealthFacts.MissingKey;
import dev.assay.domain.health.HealthFacts.Outages;
import dev.assay.domain.health.HealthFacts.Pool;
import dev.assay.domain.health.HealthFacts.RefusedKey;
import dev.assay.domain.health.HealthFacts.Retry;
import dev.assay.domain.health.HealthFacts.Spend;
import dev.assay.domain.health.HealthFacts.Store;
import dev.assay.domain.health.HealthFacts.Workers;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.outage.Outage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HealthCheckTest {

    private static final Instant SOON = Instant.parse("2026-01-01T12:00:05Z");
    private static final Workers ONE_WORKER = new Workers(1, List.of());

    private CampaignState state = CampaignState.RUNNING;
    private @Nullable String failureReason;
    private Driver driver = Driver.RUNNING;
    private Cells cells = cells(3, List.of(), 0);
    private List<Retry> retries = List.of();
    private Workers workers = ONE_WORKER;
    private @Nullable Budget budget;
    private List<LostTime> lost = List.of();
    private Store store = Store.WRITES;
    private Kills kills = Kills.NONE;
    private Outages outages = Outages.NONE;
    private Duration idle = Duration.ofSeconds(1);

    /** 100 open cells, at most 20 calls. */
    private static Cells cells(int calling, List<Pool> forPermit, int forBudget) {
        return new Cells(100, calling, 20, forPermit, forBudget);
    }

    private CampaignHealth health() {
        return HealthCheck.of(new HealthFacts(
                state,
                failureReason,
                driver,
                cells,
                retries,
                workers,
                new Spend(budget, lost),
                store,
                kills,
                outages,
                idle));
    }

    private static Down down(int workers) {
        return new Down(
                "openai",
                "gpt-6.1",
                workers,
                SOON,
                "Provider openai is not available (HTTP 503).",
                SOON.plusSeconds(8));
    }

    @Test
    void shouldSayWhichProviderIsDownAndWhenItIsAskedAgain() {
        outages = new Outages(false, List.of(down(0)), List.of(), List.of());

        Reason reason = only(Status.WAITING, Code.PROVIDER_DOWN);
        assertThat(reason.message())
                .startsWith("Provider openai does not answer for gpt-6.1 since 2026-01-01 12:00:05 UTC")
                .contains("It is asked again at 2026-01-01 12:00:13 UTC.")
                .endsWith("(HTTP 503).");
        assertThat(reason.until()).isEqualTo(SOON.plusSeconds(8));
    }

    @Test
    void shouldBeOkWhenOnlySomeWorkersAreCutOff() {
        outages = new Outages(false, List.of(down(1)), List.of(), List.of());

        assertThat(only(Status.OK, Code.WORKER_CUT_OFF).message())
                .startsWith("1 worker gets no answer from provider openai");
    }

    @Test
    void shouldNeedAPersonWhenTheKeyIsRefused() {
        outages = new Outages(false, List.of(), List.of(refused(new KeysLeft(0, 1, false))), List.of());

        Reason reason = only(Status.STALLED, Code.PROVIDER_DOWN);
        assertThat(reason.message())
                .startsWith("The key of provider openai is refused since 2026-01-01 12:00:05 UTC")
                .endsWith("refused the key of OPENAI_API_KEY (HTTP 401).");
        assertThat(reason.until()).isEqualTo(SOON.plusSeconds(600));
    }

    @Test
    void shouldBeOkWhenOnlySomeWorkersHaveARefusedKey() {
        outages = new Outages(false, List.of(), List.of(refused(new KeysLeft(1, 1, true))), List.of());

        assertThat(only(Status.OK, Code.WORKER_KEY).message())
                .startsWith("2 workers have a key of provider openai that is refused")
                .contains("OPENAI_API_KEY");
    }

    @Test
    void shouldSayHowManyKeysGoOnWhenOneIsRefused() {
        outages = new Outages(false, List.of(), List.of(refused(new KeysLeft(1, 2, false))), List.of());

        assertThat(only(Status.OK, Code.PROVIDER_KEY).message())
                .isEqualTo("Key second of provider openai is disabled: it was refused (401). 1 of 2 keys goes on.");
    }

    @Test
    void shouldNameAKeyThatNoWorkerHasWhileOthersGoOn() {
        outages = new Outages(
                false, List.of(), List.of(), List.of(new MissingKey("openai", "third", "OPENAI_THIRD", 2, 3)));

        assertThat(only(Status.OK, Code.PROVIDER_KEY).message())
                .isEqualTo(
                        "Key third of provider openai is missing: no live worker has OPENAI_THIRD. 2 of 3 keys go on.");
    }

    private static RefusedKey refused(KeysLeft left) {
        return new RefusedKey(
                "openai",
                "second",
                Outage.Reason.AUTH,
                2,
                left,
                SOON,
                "Provider openai refused the key of OPENAI_API_KEY (HTTP 401).",
                SOON.plusSeconds(600));
    }

    @Test
    void shouldSayForWhichProviderAssayPausedTheCampaign() {
        state = CampaignState.PAUSED;
        failureReason = "Provider openai is down since 2026-01-01 12:00:05 UTC.";
        outages = new Outages(true, List.of(), List.of(), List.of());

        assertThat(health().status()).isEqualTo(Status.STALLED);
        assertThat(health().reasons()).extracting(Reason::code).containsExactly(Code.PAUSED, Code.PROVIDER_DOWN);
    }

    private Reason only(Status status, Code code) {
        CampaignHealth health = health();
        assertThat(health.status()).isEqualTo(status);
        assertThat(health.reasons()).extracting(Reason::code).containsExactly(code);
        return health.reasons().getFirst();
    }

    @ParameterizedTest
    @EnumSource(CampaignState.class)
    void shouldSayInEveryStateWhatWasKilled(CampaignState any) {
        state = any;
        kills = new Kills(12, List.of(new Killed("check {\"type\":\"regex\"}", 8), new Killed("template {{ n }}", 4)));

        assertThat(health().reasons())
                .filteredOn(reason -> reason.code() == Code.COMPUTE_KILLED)
                .singleElement()
                .satisfies(reason -> assertThat(reason.message())
                        .startsWith("12 computations took more time or memory than one may")
                        .contains("Most often: check {\"type\":\"regex\"} (8); template {{ n }} (4)."));
    }

    @ParameterizedTest
    @EnumSource(
            value = CampaignState.class,
            names = {"RUNNING", "COMPLETED", "CANCELLED"})
    void shouldSayInEveryStateThatSpendOfALostTimeIsUnknown(CampaignState any) {
        state = any;
        lost = List.of(new LostTime(null, SOON), new LostTime(SOON, SOON.plusSeconds(55)));

        CampaignHealth health = health();

        assertThat(health.status()).isEqualTo(Status.OK);
        assertThat(health.reasons())
                .extracting(Reason::code)
                .containsOnly(Code.STORE_RESTORED)
                .hasSize(2);
        assertThat(health.reasons().getFirst().message())
                .contains("a time that is not known to 2026-01-01 12:00:05 UTC");
        assertThat(health.reasons().getLast().message())
                .contains("from 2026-01-01 12:00:05 UTC to 2026-01-01 12:01:00 UTC", "unknown");
    }

    @Test
    void shouldBeWellWhenCallsAreInFlight() {
        idle = Duration.ofMinutes(5);

        assertThat(health()).isEqualTo(new CampaignHealth(Status.OK, List.of()));
    }

    @Test
    void shouldBeWellBetweenTwoBatches() {
        cells = cells(0, List.of(), 0);

        assertThat(health().status()).isEqualTo(Status.OK);
    }

    @Test
    void shouldNameProviderAndTimeWhenItLimitsTheRate() {
        cells = cells(0, List.of(), 0);
        retries = List.of(new Retry(ErrorCode.PROVIDER_RATE_LIMITED, "openai", 12, SOON));

        assertThat(only(Status.WAITING, Code.RATE_LIMIT))
                .isEqualTo(new Reason(Code.RATE_LIMIT, "Provider openai limits the rate (429).", 12L, SOON));
    }

    @Test
    void shouldSayWhenAProviderIsAskedAgainThatRefusedCalls() {
        cells = cells(1, List.of(new Pool("openai", 12, 1, 20)), 0)
                .limitedBy(List.of(), List.of(new HealthFacts.Blocked("openai", SOON)));

        assertThat(only(Status.WAITING, Code.RATE_LIMIT))
                .isEqualTo(new Reason(
                        Code.RATE_LIMIT,
                        "Provider openai limits the rate (429). It is asked again at "
                                + SOON.toString().substring(11, 19) + " UTC.",
                        12L,
                        SOON));
    }

    @Test
    void shouldStayWellWhenMoreCallsAreInFlightThanWaitForARetry() {
        cells = cells(13, List.of(), 0);
        retries = List.of(new Retry(ErrorCode.PROVIDER_RATE_LIMITED, "openai", 12, SOON));

        only(Status.OK, Code.RATE_LIMIT);
    }

    @Test
    void shouldSayWhatFailedWhenAttemptsAreMadeAgain() {
        cells = cells(0, List.of(), 0);
        retries = List.of(new Retry(ErrorCode.PROVIDER_UNAVAILABLE, "mistral", 1, SOON));

        Reason reason = only(Status.WAITING, Code.RETRY);

        assertThat(reason.message()).contains("mistral", "PROVIDER_UNAVAILABLE");
        assertThat(reason.until()).isEqualTo(SOON);
    }

    /** Workers cannot renew their leases then: to start another one would be wrong advice. */
    @Test
    void shouldSayWhatPostgresRefusesInsteadOfAskingForAWorker() {
        workers = new Workers(0, List.of("openai"));
        store = new Store(new StoreRefusal(false, "No space left on device"), 0, null);

        assertThat(only(Status.STALLED, Code.STORE_REFUSES).message()).contains("No space left on device", "by itself");
    }

    @Test
    void shouldSayThatPostgresIsReadOnly() {
        store = new Store(new StoreRefusal(true, "cannot execute UPDATE in a read-only transaction"), 0, null);

        assertThat(only(Status.STALLED, Code.STORE_READ_ONLY).message()).contains("cannot execute UPDATE");
    }

    @Test
    void shouldBeStalledWhenAssayPausedItAndSayWhatWasPaidInVain() {
        state = CampaignState.PAUSED;
        failureReason = "PostgreSQL refused a statement (SQLSTATE 42501): planted";
        store = new Store(null, 3, new BigDecimal("0.0450"));

        CampaignHealth health = health();

        assertThat(health.status()).isEqualTo(Status.STALLED);
        assertThat(health.reasons()).extracting(Reason::code).containsExactly(Code.STORE_REFUSES, Code.STORE_REFUSES);
        assertThat(health.reasons().getFirst().message()).contains("42501", "planted", "resume");
        assertThat(health.reasons().getLast().message()).startsWith("3 answers that were paid (0.045 USD)");
    }

    @Test
    void shouldSayWhatWasPaidInVainWhenItHasEnded() {
        state = CampaignState.COMPLETED;
        store = new Store(null, 1, null);

        assertThat(only(Status.OK, Code.STORE_REFUSES).message()).startsWith("1 answer that was paid could not");
    }

    @Test
    void shouldBeStalledWhenNoWorkerIsAlive() {
        workers = new Workers(0, List.of("openai"));

        assertThat(only(Status.STALLED, Code.NO_WORKER).message()).contains("assay worker");
    }

    @Test
    void shouldWaitForTheEndOfWorkersThatKnowNoBatches() {
        workers = new Workers(2, List.of(), false, 1);

        assertThat(only(Status.WAITING, Code.BATCH_WORKERS).message()).contains("1 worker of an earlier build runs");
    }

    @Test
    void shouldNameEachProviderThatNoWorkerCanAsk() {
        workers = new Workers(2, List.of("openai", "anthropic"));

        CampaignHealth health = health();

        assertThat(health.status()).isEqualTo(Status.STALLED);
        assertThat(health.reasons()).extracting(Reason::code).containsOnly(Code.NO_WORKER_FOR_PROVIDER);
        assertThat(health.reasons().get(0).message()).contains("openai");
        assertThat(health.reasons().get(1).message()).contains("anthropic");
    }

    @Test
    void shouldStayWellWhenItsOwnLimitBoundsTheSpeed() {
        cells = cells(20, List.of(new Pool("openai", 40, 20, 50)), 0);

        assertThat(only(Status.OK, Code.CAMPAIGN_PERMITS).cells()).isEqualTo(40);
    }

    @Test
    void shouldWaitWhenOtherCampaignsHoldThePermitsOfTheProvider() {
        cells = cells(1, List.of(new Pool("openai", 40, 50, 50)), 0);

        Reason reason = only(Status.WAITING, Code.PROVIDER_PERMITS);

        assertThat(reason.message()).contains("All 50 calls", "openai");
        assertThat(reason.cells()).isEqualTo(40);
    }

    @Test
    void shouldSayWhichLimitHoldsCallsWhenUnitsAreShort() {
        HealthFacts.Limit limit = new HealthFacts.Limit(
                "openai", "gpt*", LimitKind.INPUT_TOKENS_PER_DAY, 2_000_000, 41, Duration.ofSeconds(59), null);
        cells = cells(0, List.of(new Pool("openai", 40, 0, 50)), 0).limitedBy(List.of(limit), List.of());
        idle = Duration.ofMinutes(5);

        Reason reason = only(Status.OK, Code.PROVIDER_LIMIT);
        assertThat(reason.message())
                .isEqualTo("Provider openai allows 2,000,000 tokens of input a day for gpt*, those of other campaigns"
                        + " included.");
        assertThat(reason.cells()).isEqualTo(41);

        cells = cells.limitedBy(
                List.of(new HealthFacts.Limit(
                        "openai",
                        "gpt*",
                        LimitKind.REQUESTS_PER_MINUTE,
                        1,
                        41,
                        Duration.ofSeconds(60),
                        "chief, \"shared\"")),
                List.of());
        assertThat(health().status()).isEqualTo(Status.WAITING);
        assertThat(health().reasons().getFirst().message())
                .endsWith("those of other campaigns included. It was set by hand: chief, \"shared\".");
    }

    @Test
    void shouldNeverCallAnUnboundedPoolFull() {
        cells = cells(1, List.of(new Pool("replay", 40, 1_000_000, null)), 0);

        assertThat(health().reasons()).isEmpty();
    }

    @Test
    void shouldWaitWhenCallsInFlightHoldTheBudget() {
        cells = cells(2, List.of(), 5);
        budget = new Budget(new BigDecimal("20"), new BigDecimal("19.5"), new BigDecimal("0.4"));

        Reason reason = only(Status.WAITING, Code.BUDGET);

        assertThat(reason.message()).contains("of 20 USD, 19.5 are spent and 0.4 reserved");
        assertThat(reason.cells()).isEqualTo(5);
    }

    @Test
    void shouldSayThatCellsWereSkippedWhenTheBudgetEndedTheCampaign() {
        state = CampaignState.COMPLETED;
        budget = new Budget(new BigDecimal("20"), new BigDecimal("20"), BigDecimal.ZERO);

        assertThat(only(Status.OK, Code.BUDGET).cells()).isEqualTo(100);
    }

    @Test
    void shouldWaitWhenPausedWhateverElseIsMissing() {
        state = CampaignState.PAUSED;
        workers = new Workers(0, List.of());

        only(Status.WAITING, Code.PAUSED);
    }

    @Test
    void shouldBeStalledWhenTemporalDoesNotAnswer() {
        driver = Driver.UNREACHABLE;

        only(Status.STALLED, Code.ENGINE_UNREACHABLE);
    }

    @Test
    void shouldBeStalledWhenATaskOfItsWorkflowFailsAgainAndAgain() {
        driver = Driver.BLOCKED;

        only(Status.STALLED, Code.WORKFLOW_BLOCKED);
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "RUNNING"})
    void shouldWaitForTheReconcilerWhenThereIsNoWorkflow(CampaignState goingOn) {
        state = goingOn;
        driver = Driver.MISSING;

        only(Status.WAITING, Code.WORKFLOW_MISSING);
    }

    @Test
    void shouldBeStalledWhenNothingHappensAndNothingSaysWhy() {
        cells = cells(0, List.of(), 0);
        idle = HealthCheck.PATIENCE.plusSeconds(1);

        assertThat(only(Status.STALLED, Code.NO_PROGRESS).message()).contains("61 s");
    }

    @Test
    void shouldNameWorkflowTasksWhenNoWorkerHasTakenACellForHalfAMinute() {
        cells = cells(0, List.of(), 0);
        idle = HealthCheck.START.plusSeconds(1);

        assertThat(only(Status.WAITING, Code.NOT_STARTING).message()).contains("31 s", "lacks workflow-tasks");
    }

    @Test
    void shouldNamePermitsWhenCellsWaitForThemAndNoCallHasBegunForHalfAMinute() {
        cells = cells(0, List.of(new Pool("openai", 37, 0, 50)), 0);
        idle = HealthCheck.START.plusSeconds(1);

        assertThat(only(Status.WAITING, Code.NOT_STARTING).message()).contains("lacks permits");
    }

    @Test
    void shouldNameConnectionsWhenNoWorkerReachesPostgresInTime() {
        cells = cells(0, List.of(new Pool("openai", 37, 0, 50)), 0);
        workers = new Workers(2, List.of(), true, 0);
        idle = HealthCheck.START.plusSeconds(1);

        assertThat(only(Status.WAITING, Code.NOT_STARTING).message()).contains("lacks connections");
        idle = HealthCheck.PATIENCE.plusSeconds(1);
        assertThat(only(Status.STALLED, Code.NO_PROGRESS).message()).contains("lacks connections");
    }

    @Test
    void shouldSayNothingOfTheStartWhileACallIsInFlightOrNoCellIsOpenOrSomethingElseSaysWhy() {
        idle = HealthCheck.START.plusSeconds(1);
        assertThat(health().reasons()).isEmpty();

        cells = new Cells(0, 0, 20, List.of(), 0);
        assertThat(health().reasons()).isEmpty();

        cells = cells(0, List.of(new Pool("openai", 37, 50, 50)), 0);
        only(Status.WAITING, Code.PROVIDER_PERMITS);
    }

    @Test
    void shouldBeStalledWhenCellsWaitForPermitsThatNobodyUses() {
        cells = cells(0, List.of(new Pool("openai", 37, 0, 50)), 0);
        idle = HealthCheck.PATIENCE.plusSeconds(1);

        assertThat(only(Status.STALLED, Code.NO_PROGRESS).message()).contains("37 cells wait for permits");
    }

    @Test
    void shouldRepeatTheReasonWhenTheCampaignFailed() {
        state = CampaignState.FAILED;
        failureReason = "Slice 3 failed";

        assertThat(only(Status.STALLED, Code.FAILED).message()).contains("Slice 3 failed");
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "RUNNING", "CANCELLED"})
    void shouldSayWhoEndedItsWorkflowAndWhatToDo(CampaignState now) {
        state = now;
        driver = now == CampaignState.CANCELLED ? Driver.RUNNING : Driver.ENDED;
        failureReason = new EndInTemporal(
                        EndInTemporal.How.TERMINATED, Instant.parse("2026-11-25T18:00:00Z"), "7@host\u001b[2J")
                .sentence("c-1");

        assertThat(only(Status.STALLED, Code.ENDED_IN_TEMPORAL).message())
                .isEqualTo("Its workflow was terminated in Temporal at 2026-11-25 18:00:00 UTC by 7@host [2J;"
                        + " `assay resume c-1` goes on.");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "CANCELLED"})
    void shouldBeWellWhenEnded(CampaignState ended) {
        state = ended;
        driver = Driver.MISSING;
        workers = new Workers(0, List.of());

        assertThat(health()).isEqualTo(new CampaignHealth(Status.OK, List.of()));
    }

    @Test
    void shouldPutTheMostUrgentReasonFirst() {
        cells = cells(0, List.of(), 0);
        retries = List.of(new Retry(ErrorCode.PROVIDER_RATE_LIMITED, "openai", 12, SOON));
        workers = new Workers(1, List.of("anthropic"));

        CampaignHealth health = health();

        assertThat(health.status()).isEqualTo(Status.STALLED);
        assertThat(health.reasons())
                .extracting(Reason::code)
                .containsExactly(Code.NO_WORKER_FOR_PROVIDER, Code.RATE_LIMIT);
    }
}
