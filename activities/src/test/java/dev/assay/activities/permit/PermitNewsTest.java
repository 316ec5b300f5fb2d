package dev.assay.activities.permit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.permit.PermitPool;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PermitNewsTest {

    private static final int CAMPAIGNS = 500;

    private final LeasedPermits permits = new LeasedPermits();

    @Test
    void shouldTellOfACellOnceItIsCounted() throws InterruptedException {
        for (int i = 0; i < CAMPAIGNS; i++) {
            PermitPool pool = PermitPool.campaign("campaign-" + i);
            Thread cell = Thread.ofPlatform().start(() -> waitForPlace(pool.name()));

            permits.awaitNews(Duration.ofSeconds(10));

            // The news is over: a cell that is missing here would wait for the next regular exchange.
            assertThat(permits.asks()).containsKey(pool);
            assertThat(permits.asks().get(pool).wish().wanted()).isEqualTo(1);
            cell.interrupt();
            cell.join();
        }
    }

    private void waitForPlace(String campaign) {
        try (Permits.Place _ = permits.enter(campaign, "provider", false, 0)) {
            throw new AssertionError("Nobody granted a place");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
