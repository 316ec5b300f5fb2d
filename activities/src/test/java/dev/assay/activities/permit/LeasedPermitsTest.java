package dev.assay.activities.permit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.permit.PermitWish;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LeasedPermitsTest {

    private static final int CELLS = 40;
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final PermitPool CAMPAIGN = PermitPool.campaign("campaign");
    private static final PermitPool PROVIDER = PermitPool.provider("provider");

    private final LeasedPermits permits = new LeasedPermits();
    private final AtomicInteger placed = new AtomicInteger();
    private final AtomicInteger calling = new AtomicInteger();
    private final CountDownLatch finish = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(CELLS);

    @AfterEach
    void stop() throws InterruptedException {
        finish.countDown();
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(placed).hasValue(0);
        assertThat(calling).hasValue(0);
    }

    private void startCells() {
        for (int i = 0; i < CELLS; i++) {
            Thread.ofVirtual().start(() -> {
                try (Permits.Place place = permits.enter("campaign", "provider", false, 0)) {
                    placed.incrementAndGet();
                    try (Permits.Permit permit = place.acquire()) {
                        calling.incrementAndGet();
                        finish.await();
                        calling.decrementAndGet();
                    }
                    placed.decrementAndGet();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                } finally {
                    ended.countDown();
                }
            });
        }
    }

    private void awaitCells(int expectedPlaced, int expectedCalling) {
        await().until(() -> placed.get() >= expectedPlaced && calling.get() >= expectedCalling);
        await().during(SHORT).untilAsserted(() -> {
            assertThat(placed).hasValue(expectedPlaced);
            assertThat(calling).hasValue(expectedCalling);
        });
    }

    @Test
    void shouldLetAQuarterMoreCellsPrepareThanMayCall() throws InterruptedException {
        permits.allow(CAMPAIGN, 8);
        permits.allow(PROVIDER, 100);

        startCells();

        awaitCells(10, 8);
    }

    @Test
    void shouldBoundByTheSmallerPoolAndFollowItsGrowth() throws InterruptedException {
        permits.allow(CAMPAIGN, 100);
        permits.allow(PROVIDER, 1);

        startCells();
        awaitCells(2, 1);
        permits.allow(PROVIDER, 4);

        awaitCells(5, 4);
    }

    @Test
    void shouldSayWhatIsHeldAndWanted() throws InterruptedException {
        permits.allow(CAMPAIGN, 8);
        permits.allow(PROVIDER, 100);

        startCells();
        awaitCells(10, 8);

        assertThat(permits.asks())
                .isEqualTo(Map.of(
                        CAMPAIGN,
                        new PermitAsk(8, new PermitWish(CELLS, 0)),
                        PROVIDER,
                        new PermitAsk(100, new PermitWish(CELLS, 0))));
    }

    @Test
    void shouldGiveUpPermitsAsCallsEndWhenPoolShrinks() throws InterruptedException {
        permits.allow(CAMPAIGN, 8);
        permits.allow(PROVIDER, 100);
        startCells();
        awaitCells(10, 8);

        permits.allow(CAMPAIGN, 0);

        assertThat(permits.asks().get(CAMPAIGN)).isEqualTo(new PermitAsk(8, new PermitWish(CELLS, 0)));
        finish.countDown();
        await().until(() -> calling.get() == 0);
        await().during(SHORT)
                .until(() -> permits.asks().get(CAMPAIGN), new PermitAsk(0, new PermitWish(CELLS - 8, 0))::equals);
        permits.allow(CAMPAIGN, 8);
    }

    @Test
    void shouldKeepNoCampaignPermitForACellThatWaitsForItsProvider() throws Exception {
        permits.allow(CAMPAIGN, 4);
        permits.allow(PROVIDER, 1);
        permits.allow(PermitPool.provider("other"), 100);
        startCells();
        awaitCells(2, 1);

        try (Permits.Place first = permits.enter("campaign", "other", false, 0);
                Permits.Place second = permits.enter("campaign", "other", false, 0);
                Permits.Place third = permits.enter("campaign", "other", false, 0);
                Permits.Permit one = first.acquire();
                Permits.Permit two = second.acquire();
                Permits.Permit three = third.acquire()) {
            assertThat(permits.asks().get(PermitPool.provider("other")).wish().wanted())
                    .isEqualTo(3);
            assertThat(List.of(one, two, three)).doesNotContainNull();
        }
        permits.allow(PROVIDER, CELLS);
    }

    @Test
    void shouldHoldNothingWhenACellIsStoppedWhileItWaits() throws InterruptedException {
        Thread cell = Thread.ofVirtual().start(() -> {
            try (Permits.Place place = permits.enter("campaign", "provider", false, 0)) {
                throw new IllegalStateException("Nobody allowed " + place);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> !permits.asks().isEmpty());

        cell.interrupt();
        assertThat(cell.join(Duration.ofSeconds(10))).isTrue();

        assertThat(permits.asks()).isEmpty();
        permits.allow(CAMPAIGN, CELLS);
        permits.allow(PROVIDER, CELLS);
        startCells();
    }

    @Test
    void shouldServeEvaluationsFirstAndCampaignsInTurn() throws InterruptedException {
        List.of("a", "b", "evaluation").forEach(id -> permits.allow(PermitPool.campaign(id), CELLS));
        permits.allow(PROVIDER, 1);
        List<String> served = new CopyOnWriteArrayList<>();
        Semaphore mayEnd = new Semaphore(0);
        for (int i = 0; i < 10; i++) {
            serve("a", served, mayEnd);
        }
        await().until(() -> served.size() == 1 && waiting(PROVIDER) == 9);
        for (int i = 0; i < 3; i++) {
            serve("b", served, mayEnd);
        }
        serve("evaluation", served, mayEnd);
        await().until(() -> waiting(PROVIDER) == 13);

        for (int i = 1; i < 14; i++) {
            int next = i + 1;
            mayEnd.release();
            await().until(() -> served.size() == next);
        }
        mayEnd.release();

        assertThat(served.get(1)).isEqualTo("evaluation");
        assertThat(served.subList(0, 9)).filteredOn("b"::equals).hasSize(3);
        startCells();
        permits.allow(CAMPAIGN, CELLS);
        permits.allow(PROVIDER, CELLS);
    }

    private void serve(String id, List<String> served, Semaphore mayEnd) {
        Thread.ofVirtual().start(() -> {
            try (Permits.Place place = permits.enter(id, "provider", id.equals("evaluation"), 0);
                    Permits.Permit permit = place.acquire()) {
                assertThat(permit).isNotNull();
                served.add(id);
                mayEnd.acquire();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private int waiting(PermitPool pool) {
        PermitAsk ask = permits.asks().get(pool);
        return ask == null ? 0 : ask.wish().wanted() - 1;
    }

    @Test
    void shouldSayForHowLongCellsWaitWithoutAPermit() {
        AtomicLong now = new AtomicLong();
        LeasedPermits starved = new LeasedPermits(now::get);
        starved.allow(PROVIDER, 0);
        now.addAndGet(Duration.ofSeconds(7).toNanos());
        assertThat(starved.starved("campaign", "provider")).as("nobody waits").isZero();

        Thread cell = Thread.ofVirtual().start(() -> {
            try (Permits.Place place = starved.enter("campaign", "provider", false, 0)) {
                assertThat(place).isNull();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> starved.asks().containsKey(PROVIDER));
        starved.allow(PROVIDER, 0);
        now.addAndGet(Duration.ofSeconds(3).toNanos());
        starved.allow(PROVIDER, 0);
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(starved.starved("campaign", "provider")).isEqualTo(Duration.ofSeconds(4));
        assertThat(starved.starved("other", "elsewhere")).isZero();

        starved.allow(PROVIDER, 1);
        assertThat(starved.starved("campaign", "provider")).isZero();
        cell.interrupt();
        startCells();
        permits.allow(CAMPAIGN, CELLS);
        permits.allow(PROVIDER, CELLS);
    }

    @Test
    void shouldBoundPartsOfAssayByTheirCampaignOnly() throws Exception {
        permits.allow(CAMPAIGN, 1);

        try (Permits.Place place = permits.enter("campaign", "scripted", false, 0)) {
            assertThat(permits.asks().keySet()).containsExactly(CAMPAIGN);
            assertThat(place).isNotNull();
        }
        permits.allow(CAMPAIGN, CELLS);
        permits.allow(PROVIDER, CELLS);
        startCells();
    }
}
