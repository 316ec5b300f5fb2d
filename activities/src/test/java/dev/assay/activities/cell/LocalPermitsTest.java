package dev.assay.activities.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LocalPermitsTest {

    private static final int CELLS = 40;

    private final LocalPermits permits = new LocalPermits();
    private final AtomicInteger placed = new AtomicInteger();
    private final AtomicInteger calling = new AtomicInteger();
    private final CountDownLatch finish = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(CELLS);

    @AfterEach
    void stop() throws InterruptedException {
        finish.countDown();
        ended.await();
        assertThat(placed).hasValue(0);
        assertThat(calling).hasValue(0);
    }

    private void startCells() {
        for (int i = 0; i < CELLS; i++) {
            Thread.ofVirtual().start(() -> {
                try (Permits.Place place = permits.enter("campaign", "provider")) {
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

    private void awaitCells(int expectedPlaced, int expectedCalling) throws InterruptedException {
        while (placed.get() < expectedPlaced || calling.get() < expectedCalling) {
            Thread.sleep(1);
        }
        Thread.sleep(50);
        assertThat(placed).hasValue(expectedPlaced);
        assertThat(calling).hasValue(expectedCalling);
    }

    @Test
    void shouldLetAQuarterMoreCellsPrepareThanMayCall() throws InterruptedException {
        permits.limitCampaign("campaign", 8);
        permits.limitProvider("provider", 100);

        startCells();

        awaitCells(10, 8);
    }

    @Test
    void shouldBoundByTheSmallerPoolAndFollowItsGrowth() throws InterruptedException {
        permits.limitCampaign("campaign", 100);
        permits.limitProvider("provider", 1);

        startCells();
        awaitCells(2, 1);
        permits.limitProvider("provider", 4);

        awaitCells(5, 4);
    }

    @Test
    void shouldRefusePoolsWithoutPermits() {
        startCells();

        assertThatThrownBy(() -> permits.limitCampaign("campaign", 0)).isInstanceOf(IllegalArgumentException.class);

        permits.limitCampaign("campaign", 1);
        permits.limitProvider("provider", 1);
    }
}
