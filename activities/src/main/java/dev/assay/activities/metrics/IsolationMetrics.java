package dev.assay.activities.metrics;

import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.isolation.IsolationOffer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/** The level at which this worker starts programs: 1 at its own, 0 at the others. */
public final class IsolationMetrics {

    private IsolationMetrics() {}

    /**
     * Shows it.
     *
     * @param offer null: it has no programs to start, and all are 0
     */
    public static void show(MeterRegistry registry, @Nullable IsolationOffer offer) {
        for (IsolationLevel level : IsolationLevel.values()) {
            double value = offer != null && offer.refusal() == null && offer.level() == level ? 1 : 0;
            Gauge.builder("assay.agent.isolation", () -> value)
                    .description("1 at the level at which this worker starts programs of branches")
                    .tag("level", level.word())
                    .register(registry);
        }
    }
}
