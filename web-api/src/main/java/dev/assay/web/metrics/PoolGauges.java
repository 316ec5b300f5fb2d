package dev.assay.web.metrics;

import dev.assay.domain.provider.KeyState;
import dev.assay.store.health.Census;
import dev.assay.store.limit.ThrottleState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;

/** What refusals have made of pools and keys. */
final class PoolGauges {

    private final MultiGauge concurrent;
    private final MultiGauge blocked;
    private final MultiGauge keys;
    private final DoubleUnaryOperator fresh;

    /** @param fresh a value as it is shown: none where the last reading is too old */
    PoolGauges(MeterRegistry registry, DoubleUnaryOperator fresh) {
        this.fresh = fresh;
        this.concurrent = MultiGauge.builder("assay.pool.concurrent")
                .description("Calls that a pool which refused something may have in flight now")
                .register(registry);
        this.blocked = MultiGauge.builder("assay.pool.blocked")
                .baseUnit("seconds")
                .description("Time until calls of a pool which refused them go on, 0 where they do")
                .register(registry);
        this.keys = MultiGauge.builder("assay.key.enabled")
                .description("1 while requests are sent with a key, else 0")
                .register(registry);
    }

    void show(Census census, Instant now) {
        concurrent.register(rows(census, state -> state.concurrency().now(), Math::min), true);
        blocked.register(rows(census, state -> seconds(state, now), Math::max), true);
        keys.register(keys(census), true);
    }

    private static double seconds(ThrottleState state, Instant now) {
        Instant until = state.blockedUntil();
        return until == null || !until.isAfter(now)
                ? 0
                : Duration.between(now, until).toMillis() / 1e3;
    }

    /** Addresses of systems under test are campaigns' texts: all of them are one. So are models that no settings name. */
    private List<MultiGauge.Row<?>> rows(
            Census census, ToDoubleFunction<ThrottleState> value, DoubleBinaryOperator strictest) {
        Map<Tags, Double> values = new LinkedHashMap<>();
        for (ThrottleState state : census.throttles()) {
            Tags tags = Tags.of(
                    "provider",
                    state.pool().provider().split("/", 2)[0],
                    "account",
                    state.pool().account(),
                    "models",
                    state.isNamed() ? state.pool().models() : StoreMetrics.OTHER);
            values.merge(tags, value.applyAsDouble(state), strictest::applyAsDouble);
        }
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        values.forEach((tags, one) -> rows.add(row(tags, one)));
        return rows;
    }

    private List<MultiGauge.Row<?>> keys(Census census) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        census.keys()
                .forEach((provider, all) -> all.forEach(key -> rows.add(row(
                        Tags.of("provider", provider, "key", key.key().name()),
                        key.use() == KeyState.Use.ENABLED ? 1 : 0))));
        return rows;
    }

    private MultiGauge.Row<Double> row(Tags tags, double value) {
        return MultiGauge.Row.of(tags, value, fresh::applyAsDouble);
    }
}
