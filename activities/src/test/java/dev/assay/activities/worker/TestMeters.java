package dev.assay.activities.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** The registry that a process has, in the contexts of tests. */
@Factory
class TestMeters {

    @Singleton
    MeterRegistry registry() {
        return new SimpleMeterRegistry();
    }
}
