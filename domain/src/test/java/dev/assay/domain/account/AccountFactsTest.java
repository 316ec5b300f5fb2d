package dev.assay.domain.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.account.CampaignAccount.BranchStanding;
import dev.assay.domain.account.CampaignAccount.Cells;
import dev.assay.domain.account.CampaignAccount.ErrorCount;
import dev.assay.domain.account.CampaignAccount.ProviderStanding;
import dev.assay.domain.account.CampaignAccount.ProviderState;
import dev.assay.domain.account.ProviderCheck.Asked;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.HealthFacts;
import dev.assay.domain.health.HealthFacts.Blocked;
import dev.assay.domain.health.HealthFacts.Budget;
import dev.assay.domain.health.HealthFacts.Down;
import dev.assay.domain.health.HealthFacts.Driver;
import dev.assay.domain.health.HealthFacts.KeysLeft;
import dev.assay.domain.health.HealthFacts.Kills;
import dev.assay.domain.health.HealthFacts.Outages;
import dev.assay.domain.health.HealthFacts.Pool;
import dev.assay.domain.health.HealthFacts.RefusedKey;
import dev.assay.domain.health.HealthFacts.Retry;
import dev.assay.domain.health.HealthFacts.Workers;
import dev.assay.domain.health.OutBatch;
import dev.assay.domain.limit.outage.Outage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A campaign of 100 cells: 60 of its branch {@code a}, over openai, are open, and 30 of {@code b}, over anthropic. */
final class AccountFactsTest {

    private static final Instant SOON = Instant.parse("2026-01-01T12:00:05Z");
    private static final Workers ALIVE = new Workers(1, List.of());

    private CampaignState state = CampaignState.RUNNING;
    private Workers workers = ALIVE;
    private Outages outages = Outages.NONE;
    private List<Retry> retries = List.of();
    private List<ErrorCount> ended = List.of();
    private List<Pool> waiting = List.of();
    private List<Blocked> blocked = List.of();
    private @Nullable Budget budget;
    private long calling = 4;
    private @Nullable Instant end = SOON;
    private List<OutBatch> out = List.of();

    private CampaignAccount account() {
        HealthFacts health = new HealthFacts(
                        state,
                        null,
                        Driver.RUNNING,
                        new HealthFacts.Cells(90, calling, 20, waiting, 0, List.of(), blocked, List.of()),
                        retries,
                        workers,
                        new HealthFacts.Spend(budget, List.of()),
                        HealthFacts.Store.WRITES,
                        Kills.NONE,
                        outages,
                        Duration.ofSeconds(1))
                .outIn(out);
        return new AccountFacts(
                        new AccountFacts.Campaign("c-1", true, null, null),
                        Cells.of(100, 10, 0, 0, 3),
                        List.of(
                                new Asked("openai", "openai", "gpt", 60),
                                new Asked("anthropic", "anthropic", "opus", 30),
                                new Asked("openai", "openai", "judge", 0)),
                        ended,
                        List.of(new BranchStanding("a", 10, 8, 0.4, 0.97, 1, Map.of("TIMEOUT", 1L), BigDecimal.ONE)),
                        health,
                        new AccountFacts.Speed(2.0, end),
                        new AccountFacts.Spend(new BigDecimal("1.5"), null, CampaignAccount.Reused.NONE),
                        null,
                        List.of())
                .account();
    }

    /** A batch of 30 cells that was handed over at 12:00, as it stands at 13:00. */
    private static OutBatch out(String provider, long done, @Nullable Duration usual) {
        Instant handedOver = Instant.parse("2026-01-01T12:00:00Z");
        return new OutBatch(
                "b", provider, 30, done, handedOver, null, null, null, usual, handedOver.plus(Duration.ofHours(1)));
    }

    @Test
    void shouldSayWithWhomCellsAreOutAndWhenTheyAreBack() {
        out = List.of(out("openai", 20, null), out("anthropic", 15, null), out("openai", 0, Duration.ofHours(5)));

        assertThat(account().outWith())
                .containsExactly(
                        new CampaignAccount.OutWith("anthropic", 1, 30, 15),
                        new CampaignAccount.OutWith("openai", 2, 60, 20));
        // The last of them by what is usual, the others by what they have finished: at 13:30 and 14:00.
        assertThat(account().eta()).isEqualTo(Instant.parse("2026-01-01T17:00:00Z"));
    }

    @Test
    void shouldExpectNothingOfABatchThatTakesLongerThanUsual() {
        out = List.of(out("openai", 0, Duration.ofMinutes(30)));
        end = null;

        assertThat(account().eta()).isNull();
        assertThat(account().etaReason()).isEqualTo(EtaReason.TOO_FEW_DONE);
    }

    private ProviderStanding first() {
        return account().providers().getFirst();
    }

    private static Down down(String provider, String models, int workers) {
        return new Down(provider, models, workers, SOON, "HTTP 503", SOON);
    }

    private static Outages refused(int going, boolean hasOtherValue) {
        return new Outages(
                false,
                List.of(),
                List.of(new RefusedKey(
                        "openai",
                        "main",
                        Outage.Reason.AUTH,
                        1,
                        new KeysLeft(going, 2, hasOtherValue),
                        SOON,
                        "401",
                        SOON)),
                List.of());
    }

    /** Of 23 cells that workers run some are being recorded. */
    @Test
    void shouldCountNoMoreCallsInFlightThanTheLimit() {
        assertThat(account().inFlight()).isEqualTo(4);
        calling = 23;
        assertThat(account().inFlight()).isEqualTo(20);
    }

    @Test
    void shouldNameEachProviderOnceInTheOrderOfItsBranches() {
        assertThat(account().providers())
                .containsExactly(
                        new ProviderStanding("openai", ProviderState.OK, 0),
                        new ProviderStanding("anthropic", ProviderState.OK, 0));
        assertThat(account().cells()).isEqualTo(new Cells(10, 90, 0, 0, 0, 3));
        assertThat(account().eta()).isEqualTo(SOON);
        assertThat(account().etaReason()).isNull();
        assertThat(account().next()).isEqualTo("assay watch c-1");
    }

    @Test
    void shouldHoldTheCellsOfTheModelThatDoesNotAnswer() {
        outages = new Outages(false, List.of(down("openai", "gpt", 0)), List.of(), List.of());

        assertThat(first()).isEqualTo(new ProviderStanding("openai", ProviderState.DOWN, 60));
        assertThat(account().cells().held()).isEqualTo(60);
        assertThat(account().next()).as("it is asked again by itself").isEqualTo("assay watch c-1");
        assertThat(account().eta()).as("the other branch goes on").isEqualTo(SOON);
    }

    @Test
    void shouldHoldNothingWhenOnlyAJudgeIsAwayOrOneWorkerIsCutOff() {
        outages = new Outages(false, List.of(down("openai", "judge", 0)), List.of(), List.of());
        assertThat(first()).isEqualTo(new ProviderStanding("openai", ProviderState.DOWN, 0));

        outages = new Outages(false, List.of(down("openai", "gpt", 1)), List.of(), List.of());
        assertThat(first()).isEqualTo(new ProviderStanding("openai", ProviderState.OK, 0));
    }

    @Test
    void shouldSayWhyNoEndIsKnownWhenEveryCellWaitsForAProvider() {
        outages = new Outages(
                false, List.of(down("openai", "gpt", 0), down("anthropic", "opus", 0)), List.of(), List.of());

        assertThat(account().eta()).isNull();
        assertThat(account().etaReason()).isEqualTo(EtaReason.PROVIDER_AWAY);
    }

    @Test
    void shouldHaveNoKeyWhenNoneGoesOn() {
        outages = refused(0, false);
        assertThat(first()).isEqualTo(new ProviderStanding("openai", ProviderState.NO_KEY, 60));
        assertThat(account().next()).isEqualTo("assay provider list");

        outages = refused(1, false);
        assertThat(first().state()).isEqualTo(ProviderState.OK);

        outages = refused(0, true);
        assertThat(first().state()).isEqualTo(ProviderState.OK);
    }

    @Test
    void shouldHaveNoKeyWhenNoLiveWorkerCanAskTheProvider() {
        workers = new Workers(1, List.of("openai"));
        assertThat(first()).isEqualTo(new ProviderStanding("openai", ProviderState.NO_KEY, 60));

        workers = new Workers(0, List.of("openai", "anthropic"));
        assertThat(first().state()).as("nobody knows").isEqualTo(ProviderState.OK);
        assertThat(account().next()).isEqualTo("assay worker");
    }

    @Test
    void shouldBeLimitedWhenCellsWaitForItsRateOrItsPermits() {
        retries = List.of(new Retry(ErrorCode.PROVIDER_RATE_LIMITED, "openai", 6, SOON));
        assertThat(first()).isEqualTo(new ProviderStanding("openai", ProviderState.LIMITED, 6));

        retries = List.of();
        waiting = List.of(new Pool("openai", 9, 50, 50));
        assertThat(first()).isEqualTo(new ProviderStanding("openai", ProviderState.LIMITED, 9));

        waiting = List.of(new Pool("openai", 9, 4, 50));
        assertThat(first().state()).as("they wait for the campaign's own").isEqualTo(ProviderState.OK);

        blocked = List.of(new Blocked("openai", SOON));
        assertThat(first()).isEqualTo(new ProviderStanding("openai", ProviderState.LIMITED, 9));
    }

    @Test
    void shouldPutErrorsOfEndedCellsBesideThoseThatAreTriedAgain() {
        ended = List.of(
                new ErrorCount("PROVIDER_TIMEOUT", 1, 0, "slow"), new ErrorCount("PROVIDER_REJECTED", 4, 0, "no"));
        retries = List.of(
                new Retry(ErrorCode.PROVIDER_TIMEOUT, "openai", 2, SOON),
                new Retry(ErrorCode.PROVIDER_TIMEOUT, "anthropic", 1, SOON),
                new Retry(ErrorCode.PROVIDER_UNAVAILABLE, "openai", 7, SOON));

        assertThat(account().errors())
                .containsExactly(
                        new ErrorCount("PROVIDER_REJECTED", 4, 0, "no"),
                        new ErrorCount("PROVIDER_TIMEOUT", 1, 3, "slow"),
                        new ErrorCount("PROVIDER_UNAVAILABLE", 0, 7, null));

        state = CampaignState.COMPLETED;
        assertThat(account().errors()).as("nothing is tried again").hasSize(2);
    }

    @Test
    void shouldHoldNothingWhenTheCampaignHasEnded() {
        outages = new Outages(false, List.of(down("openai", "gpt", 0)), List.of(), List.of());
        state = CampaignState.CANCELLED;

        assertThat(first()).isEqualTo(new ProviderStanding("openai", ProviderState.DOWN, 0));
    }

    @Test
    void shouldTakeTheSpendFromTheBudgetWhereThereIsOne() {
        assertThat(account().spentUsd()).isEqualByComparingTo("1.5");
        assertThat(account().budgetUsd()).isNull();

        budget = new Budget(new BigDecimal("2"), new BigDecimal("1.75"), new BigDecimal("0.25"));
        assertThat(account().spentUsd()).isEqualByComparingTo("1.75");
        assertThat(account().reservedUsd()).isEqualByComparingTo("0.25");
        assertThat(account().budgetUsd()).isEqualByComparingTo("2");
    }

    @Test
    void shouldSayThatTooFewAreDoneWhenTheSpeedIsNotKnown() {
        end = null;

        assertThat(account().etaReason()).isEqualTo(EtaReason.TOO_FEW_DONE);
    }

    @Test
    void shouldMakeCountsAgreeThatWereReadOneAfterTheOther() {
        assertThat(Cells.of(10, 8, 1, 5, 0)).isEqualTo(new Cells(8, 0, 0, 1, 1, 0));
        assertThat(Cells.of(10, 2, 1, 5, 0)).isEqualTo(new Cells(2, 2, 0, 5, 1, 0));
        assertThat(Cells.of(10, 2, 1, 5, 0).total()).isEqualTo(10);
    }
}
