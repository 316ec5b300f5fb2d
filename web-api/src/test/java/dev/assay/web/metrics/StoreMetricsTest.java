package dev.assay.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.delivery.BatchState;
import dev.assay.domain.limit.AdaptiveConcurrency;
import dev.assay.domain.limit.KnownLimit;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.LimitRoom;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.KeyState;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.store.health.Census;
import dev.assay.store.limit.LimitState;
import dev.assay.store.limit.ThrottleState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StoreMetricsTest {

    private static final Census CENSUS = new Census(
            Map.of(CampaignState.RUNNING, 2L),
            Map.of(Census.CellState.QUEUED, 7L),
            Duration.ofSeconds(90),
            Duration.ofMillis(1_500),
            3,
            List.of(
                    new Census.ProviderState("one", "default", true),
                    new Census.ProviderState("two", "default", false)),
            List.of(
                    limit(new ModelPool("one", "default", "gpt*"), new KnownLimit(500L, null, null), 500, -20),
                    limit(new ModelPool("two", "default", "a"), new KnownLimit(null, null, 900L), 900, 700),
                    limit(new ModelPool("two", "default", "b"), new KnownLimit(null, null, 40L), 40, 10),
                    limit(new ModelPool("two", "default", "c"), new KnownLimit(null, null, 60L), 60, 60)),
            List.of(
                    throttle(new ModelPool("one", "default", "gpt*"), true, 14, 90),
                    throttle(new ModelPool("http/host.test", "default", "*"), false, 3, 0),
                    throttle(new ModelPool("http/other.test", "default", "*"), false, 9, 60)),
            List.of(new Census.BatchCount("one", BatchState.SUBMITTED, 4)),
            Map.of("one", List.of(key("main", KeyState.Use.ENABLED), key("second", KeyState.Use.DISABLED))));

    private static ThrottleState throttle(ModelPool pool, boolean isNamed, int calls, int seconds) {
        return new ThrottleState(
                pool,
                seconds == 0 ? null : Instant.now().plusSeconds(seconds),
                false,
                isNamed,
                new AdaptiveConcurrency(1, 20, calls, AdaptiveConcurrency.Phase.STEADY, 1, 0),
                0,
                0);
    }

    private static KeyState key(String name, KeyState.Use use) {
        return new KeyState(new ProviderKey(name, "KEY", 1, name), use, null, null, List.of());
    }

    private static LimitState limit(ModelPool pool, KnownLimit known, long limit, long free) {
        return new LimitState(
                pool,
                Map.of(LimitKind.TOKENS_PER_DAY, known),
                List.of(new LimitRoom(LimitKind.TOKENS_PER_DAY, limit, free, 0, 2)),
                4,
                null,
                null,
                Duration.ZERO);
    }

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicLong nanoTime = new AtomicLong();
    private final CountDownLatch end = new CountDownLatch(1);
    private StoreMetrics metrics;

    @AfterEach
    void stop() {
        end.countDown();
        metrics.stop();
    }

    private void read(Supplier<Census> store) {
        metrics = new StoreMetrics(store, registry, nanoTime::get);
        metrics.start();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    private Census never() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("PostgreSQL went away");
    }

    @Test
    void shouldShowWhatWasReadUntilItIsThirtySecondsOld() {
        CountDownLatch once = new CountDownLatch(1);
        read(() -> {
            boolean first = once.getCount() == 1;
            once.countDown();
            return first ? CENSUS : never();
        });
        await().until(() -> gauge("assay.store.up") == 1);

        assertThat(gauge("assay.campaigns", "state", "running")).isEqualTo(2);
        assertThat(gauge("assay.campaigns", "state", "paused")).isZero();
        assertThat(gauge("assay.cells", "state", "queued")).isEqualTo(7);
        assertThat(gauge("assay.oldest.open.cell")).isEqualTo(90);
        assertThat(gauge("assay.longest.idle")).isEqualTo(1.5);
        assertThat(gauge("assay.workers")).isEqualTo(3);
        await().until(() -> gauge("assay.provider.down", "provider", "one", "models", "other") == 1);
        assertThat(gauge("assay.provider.down", "provider", "two")).isZero();
        await().until(() -> gauge("assay.limit.used", "models", "gpt*", "limit", "tokensPerDay") == 520);
        assertThat(gauge("assay.limit", "provider", "one", "account", "default"))
                .isEqualTo(500);
        assertThat(gauge("assay.limit", "provider", "two"))
                .as("the fullest of those that only answers say")
                .isEqualTo(40);
        assertThat(registry.get("assay.limit").tags("provider", "two").gauges())
                .singleElement()
                .satisfies(one -> assertThat(one.getId().getTag("models")).isEqualTo("other"));

        assertThat(gauge("assay.pool.concurrent", "provider", "one", "models", "gpt*"))
                .isEqualTo(14);
        assertThat(gauge("assay.pool.blocked", "provider", "one")).isBetween(60.0, 90.0);
        assertThat(gauge("assay.pool.concurrent", "provider", "http", "models", "other"))
                .as("the strictest of all hosts")
                .isEqualTo(3);
        assertThat(gauge("assay.pool.blocked", "provider", "http")).isBetween(30.0, 60.0);
        assertThat(gauge("assay.key.enabled", "provider", "one", "key", "main")).isEqualTo(1);
        assertThat(gauge("assay.key.enabled", "key", "second")).isZero();
        assertThat(gauge("assay.batches", "provider", "one", "state", "submitted"))
                .isEqualTo(4);

        nanoTime.set(Duration.ofSeconds(29).toNanos());
        assertThat(gauge("assay.store.up")).isEqualTo(1);
        nanoTime.set(Duration.ofSeconds(30).toNanos());
        assertThat(gauge("assay.store.up")).isZero();
        assertThat(gauge("assay.workers")).isNaN();
        assertThat(gauge("assay.provider.down", "provider", "one")).isNaN();
        assertThat(gauge("assay.limit", "provider", "one")).isNaN();
    }

    @Test
    void shouldAnswerAtOnceWhileThePostgresThatItAsksIsFrozen() {
        read(this::never);

        assertThat(gauge("assay.store.up")).isZero();
        assertThat(gauge("assay.cells", "state", "done")).isNaN();
    }

    @Test
    void shouldGoOnAfterAnError() {
        CountDownLatch once = new CountDownLatch(1);
        read(() -> {
            if (once.getCount() == 1) {
                once.countDown();
                throw new NoClassDefFoundError("of a driver");
            }
            return CENSUS;
        });

        await().until(() -> once.getCount() == 0);

        metrics.readSafely();

        assertThat(gauge("assay.store.up")).isEqualTo(1);
    }
}
