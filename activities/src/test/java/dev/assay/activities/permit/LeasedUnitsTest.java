package dev.assay.activities.permit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.permit.LeasedPermits.UnitRound;
import dev.assay.domain.limit.ChargeCorrection;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.OthersUse;
import dev.assay.domain.limit.Units;
import dev.assay.domain.limit.answer.HeaderLimit;
import dev.assay.domain.limit.size.CountingRules;
import dev.assay.domain.limit.size.OutputCounting;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.usage.Usage;
import dev.assay.store.limit.UnitAnswer;
import dev.assay.store.limit.UnitRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LeasedUnitsTest {

    private static final long LIMIT = 1_000;
    private static final long SLOT = 77;
    private static final Instant SEEN = Instant.parse("2026-11-26T12:00:00Z");
    private static final ModelPool POOL = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "gpt*");
    private static final CallRoute ROUTE = new CallRoute("openai", null, POOL);
    private static final PermitPool CAMPAIGN = PermitPool.campaign("campaign");
    private static final PermitPool PROVIDER = PermitPool.provider("openai");

    private final AtomicLong nanos = new AtomicLong();
    private final LeasedPermits permits = new LeasedPermits(nanos::get);
    private final List<String> calling = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    @BeforeEach
    void allow() {
        permits.allow(CAMPAIGN, 8);
        permits.allow(PROVIDER, 8);
    }

    @AfterEach
    void stop() throws InterruptedException {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
        }
    }

    /** A cell that calls until it is interrupted; the test waits until it waits, at the place that it has then. */
    private Thread cell(String name, String campaign, boolean isUrgent, long tokens) {
        int before = waiting();
        Thread cell = Thread.ofVirtual().start(() -> {
            try (Permits.Place place = permits.enter(campaign, ROUTE, isUrgent, 0);
                    Permits.Permit permit = place.acquire(Units.ofRequest(tokens, 0))) {
                calling.add(name);
                Thread.sleep(Long.MAX_VALUE);
                throw new IllegalStateException("Nobody interrupted the cell that has " + permit);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        threads.add(cell);
        await().until(() -> waiting() != before || calling.contains(name));
        return cell;
    }

    private int waiting() {
        return permits.awaited(PROVIDER);
    }

    /** An exchange that grants the first {@code granted} requests. */
    private UnitRequest grant(int granted) {
        UnitRound round = permits.unitRound();
        UnitRequest request = requireNonNull(round.requests().get(POOL));
        permits.unitsCame(round, Map.of(POOL, answer(granted)));
        return request;
    }

    private static UnitAnswer answer(int granted) {
        return new UnitAnswer(
                granted, Map.of(LimitKind.TOKENS_PER_MINUTE, new UnitAnswer.Charging(LIMIT, SLOT, LIMIT, SEEN)));
    }

    private @Nullable UnitRequest said() {
        return permits.unitRound().requests().get(POOL);
    }

    private static List<Long> tokens(UnitRequest request) {
        return request.requests().stream().map(Units::tokens).toList();
    }

    @Test
    void shouldHoldNoPermitWhileUnitsAreMissing() {
        cell("one", "campaign", false, 100);

        assertThat(permits.asks().get(CAMPAIGN))
                .satisfies(ask -> assertThat(ask.wish().wanted()).isEqualTo(1));
        assertThat(calling).isEmpty();
        grant(1);

        await().untilAsserted(() -> assertThat(calling).containsExactly("one"));
        assertThat(said()).as("nothing is left to be said").isNull();
    }

    @Test
    void shouldAskForNoUnitsWhenNoLimitIsConfigured() throws InterruptedException {
        try (Permits.Place place = permits.enter("campaign", "openai", false, 0);
                Permits.Permit permit = place.acquire(Units.ofRequest(100, 0))) {
            assertThat(permit.units()).isNull();
            assertThat(permits.unitRound().requests()).isEmpty();
        }
    }

    @Test
    void shouldAskForThoseOnlyThatCouldGoNow() {
        permits.allow(CAMPAIGN, 1);
        permits.allow(PermitPool.campaign("other"), 8);
        cell("one", "campaign", false, 100);
        cell("two", "campaign", false, 200);
        cell("three", "other", false, 300);
        cell("urgent", "other", true, 400);

        UnitRequest request = grant(0);

        assertThat(tokens(request)).containsExactly(400L, 100L, 300L);
        assertThat(request.isUrgent()).isTrue();
        assertThat(request.waiting()).isEqualTo(4);
    }

    private void calling(String name, long tokens) {
        cell(name, "campaign", false, tokens);
        grant(1);
        await().untilAsserted(() -> assertThat(calling).contains(name));
    }

    /** Otherwise each request that gets a permit would wait for an exchange. */
    @Test
    void shouldAskAheadForThoseThatWillHaveRoomBeforeTheNextExchange() {
        permits.allow(CAMPAIGN, 2);
        calling("one", 100);
        calling("two", 100);
        for (long tokens = 201; tokens <= 240; tokens++) {
            cell("cell " + tokens, "campaign", false, tokens);
        }
        assertThat(said()).as("nothing could go now").isNull();

        nanos.addAndGet(Duration.ofMillis(50).toNanos());

        assertThat(tokens(grant(16)))
                .as("40 requests a second, for 400 ms")
                .hasSize(16)
                .startsWith(201L, 202L);
        nanos.addAndGet(Duration.ofMillis(10).toNanos());
        assertThat(said()).as("units are there").isNull();
    }

    @Test
    void shouldAskForNothingAheadWhereOthersNeedWhatIsLeft() {
        permits.allow(CAMPAIGN, 2);
        calling("one", 100);
        cell("two", "campaign", false, 150);
        cell("three", "campaign", false, 201);
        nanos.addAndGet(Duration.ofMillis(50).toNanos());
        assertThat(tokens(grant(0))).containsExactly(150L, 201L);

        nanos.addAndGet(Duration.ofMillis(50).toNanos());

        assertThat(tokens(requireNonNull(said()))).containsExactly(150L);
    }

    @Test
    void shouldLetNobodyPassTheFirstInLine() throws InterruptedException {
        Thread gone = cell("gone", "campaign", true, 10);
        cell("large", "campaign", false, 900);
        permits.allow(PermitPool.campaign("other"), 8);
        cell("small", "other", false, 10);
        UnitRound round = permits.unitRound();
        gone.interrupt();
        assertThat(gone.join(Duration.ofSeconds(10))).isTrue();

        permits.unitsCame(round, Map.of(POOL, answer(1)));

        assertThat(tokens(grant(0)))
                .as("what is there would do for the small one")
                .containsExactly(900L);
        assertThat(calling).isEmpty();
        grant(1);
        await().untilAsserted(() -> assertThat(calling).containsExactlyInAnyOrder("large", "small"));
    }

    @Test
    void shouldReturnUnitsThatNobodyUsedInTime() throws InterruptedException {
        Thread cell = cell("one", "campaign", false, 100);
        UnitRound round = permits.unitRound();
        cell.interrupt();
        assertThat(cell.join(Duration.ofSeconds(10))).isTrue();
        permits.unitsCame(round, Map.of(POOL, answer(1)));
        assertThat(said()).as("they may still be used").isNull();

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(requireNonNull(said()).corrections())
                .containsExactly(new ChargeCorrection(LimitKind.TOKENS_PER_MINUTE, SLOT, 100, 0));
        cell("two", "campaign", false, 50);
        assertThat(calling).isEmpty();
    }

    @Test
    void shouldTellOthersWhenItWaitsNoMore() throws InterruptedException {
        Thread cell = cell("one", "campaign", false, 100);
        grant(0);
        cell.interrupt();
        assertThat(cell.join(Duration.ofSeconds(10))).isTrue();

        assertThat(grant(0).waiting()).isZero();
        assertThat(said()).isNull();
    }

    @Test
    void shouldHoldAPlaceUntilTheOutcomeIsStored() throws InterruptedException {
        permits.allow(CAMPAIGN, 1);
        Permits.Place first = placed();
        Permits.Place second = placed();
        cell("three", "campaign", false, 100);

        UnitRound round = permits.unitRound();
        assertThat(round.requests()).as("one permit, and places for two").isEmpty();
        first.close();
        grant(1);
        await().untilAsserted(() -> assertThat(calling).containsExactly("three"));
        second.close();
    }

    /** The place of a cell whose call has ended. */
    private Permits.Place placed() throws InterruptedException {
        List<Permits.Place> places = new CopyOnWriteArrayList<>();
        Thread cell = Thread.ofVirtual().start(() -> {
            try {
                Permits.Place place = permits.enter("campaign", ROUTE, false, 0);
                place.acquire(Units.ofRequest(100, 0)).close();
                places.add(place);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> waiting() > 0);
        grant(1);
        assertThat(cell.join(Duration.ofSeconds(10))).isTrue();
        return places.getFirst();
    }

    @Test
    void shouldSayCorrectionsUnderOneNumberUntilTheyAreHeard() throws InterruptedException {
        Thread cell = cell("one", "campaign", false, 100);
        grant(1);
        cell.interrupt();
        assertThat(cell.join(Duration.ofSeconds(10))).isTrue();
        TakenUnits taken = taken(100);
        taken.giveBack();
        UnitRequest first = requireNonNull(said());
        taken.again();

        UnitRequest second = grant(0);

        assertThat(second.corrections()).isEqualTo(first.corrections());
        assertThat(second.number()).isEqualTo(first.number());
        UnitRequest third = requireNonNull(said());
        assertThat(third.corrections())
                .containsExactly(new ChargeCorrection(LimitKind.TOKENS_PER_MINUTE, ChargeCorrection.NOW, 0, 100));
        assertThat(third.number()).isGreaterThan(first.number());
    }

    /** The units of a cell that has them. */
    private TakenUnits taken(long tokens) throws InterruptedException {
        List<TakenUnits> taken = new CopyOnWriteArrayList<>();
        Thread cell = Thread.ofVirtual().start(() -> {
            try (Permits.Place place = permits.enter("campaign", ROUTE, false, 0);
                    Permits.Permit permit = place.acquire(Units.ofRequest(tokens, 0))) {
                taken.add(requireNonNull(permit.units()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> waiting() > 0);
        grant(1);
        assertThat(cell.join(Duration.ofSeconds(10))).isTrue();
        return taken.getFirst();
    }

    @Test
    void shouldPutAChargeRightByWhatWasUsed() throws InterruptedException {
        CountingRules rules = new CountingRules(OutputCounting.PRODUCED, true);

        taken(100).answered(rules, new Usage(30L, 20L, 0L, 0L, 0L, null));
        assertThat(grant(0).corrections())
                .containsExactly(new ChargeCorrection(LimitKind.TOKENS_PER_MINUTE, SLOT, 50, 0));

        taken(100).answered(rules, new Usage(300L, 20L, 0L, 0L, 0L, null));
        assertThat(grant(0).corrections())
                .containsExactly(new ChargeCorrection(LimitKind.TOKENS_PER_MINUTE, SLOT, 0, 220));

        taken(100).answered(rules, Usage.UNKNOWN);
        assertThat(said()).as("nothing is known that would change it").isNull();
    }

    @Test
    void shouldTellWhatAnswersShowOfOthersUntilItIsHeard() throws InterruptedException {
        LimitKind tokens = LimitKind.TOKENS_PER_MINUTE;
        TakenUnits first = taken(100);
        TakenUnits second = taken(100);

        first.heard(List.of(new HeaderLimit(tokens, LIMIT, 700L, true)));
        second.heard(List.of(new HeaderLimit(tokens, LIMIT, 600L, true)));

        assertThat(requireNonNull(said()).others()).containsExactly(new OthersUse(tokens, SEEN, LIMIT, 600));
        assertThat(grant(0).others()).as("nobody may have heard it").hasSize(1);
        assertThat(said()).isNull();
    }

    @Test
    void shouldTellNothingOfLimitsThatAreNotKeptOrSayNothing() throws InterruptedException {
        TakenUnits taken = taken(100);

        taken.heard(List.of(
                new HeaderLimit(LimitKind.REQUESTS_PER_MINUTE, 10, 1L, true),
                new HeaderLimit(LimitKind.TOKENS_PER_MINUTE, LIMIT, null, true),
                new HeaderLimit(LimitKind.TOKENS_PER_MINUTE, LIMIT + 1, 1L, false)));

        assertThat(said()).isNull();
    }

    @Test
    void shouldChargeTheLimitOnlyWhenARequestIsLargerThanThat() throws InterruptedException {
        CountingRules rules = new CountingRules(OutputCounting.PRODUCED, true);

        taken(3 * LIMIT).answered(rules, new Usage(2 * LIMIT, 0L, 0L, 0L, 0L, null));
        assertThat(said()).isNull();

        taken(3 * LIMIT).answered(rules, new Usage(LIMIT / 4, 0L, 0L, 0L, 0L, null));
        assertThat(grant(0).corrections())
                .containsExactly(new ChargeCorrection(LimitKind.TOKENS_PER_MINUTE, SLOT, LIMIT * 3 / 4, 0));
    }

    @Test
    void shouldNotSendWithUnitsThatAreTooOld() throws InterruptedException {
        TakenUnits taken = taken(100);
        assertThat(taken.areFresh()).isTrue();

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(taken.areFresh()).isFalse();
    }

    @Test
    void shouldCountWhatIsChargedAndNotWhatCameBack() throws Exception {
        cell("one", "campaign", false, 100);
        cell("two", "campaign", false, 50);
        assertThat(permits.awaitedUnits("openai")).isEqualTo(2);
        assertThat(permits.awaitedUnits("other")).isZero();
        grant(1);
        await().until(() -> permits.awaitedUnits("openai") == 1);

        assertThat(permits.spentUnits("openai", LimitKind.TOKENS_PER_MINUTE)).isEqualTo(100);
        assertThat(permits.spentUnits("openai", LimitKind.REQUESTS_PER_DAY)).isZero();
    }

    @Test
    void shouldHoldTheCounterUpWhenUnitsComeBack() {
        UnitCount count = new UnitCount();
        count.add("openai", LimitKind.TOKENS_PER_MINUTE, 100);
        count.add("openai", LimitKind.TOKENS_PER_MINUTE, -60);
        assertThat(count.of("openai", LimitKind.TOKENS_PER_MINUTE)).isEqualTo(100);

        count.add("openai", LimitKind.TOKENS_PER_MINUTE, 50);
        assertThat(count.of("openai", LimitKind.TOKENS_PER_MINUTE)).isEqualTo(100);

        count.add("openai", LimitKind.TOKENS_PER_MINUTE, 50);
        assertThat(count.of("openai", LimitKind.TOKENS_PER_MINUTE)).isEqualTo(140);
        assertThat(count.of("other", LimitKind.TOKENS_PER_MINUTE)).isZero();
    }
}
