package dev.assay.web.health;

import dev.assay.work.compute.Computing;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Singleton;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** DOWN while no compute process starts: documents cannot be checked then. */
@Singleton
final class ComputeHealth implements HealthIndicator {

    private static final String NAME = "computing";

    private final Computing computing;

    ComputeHealth(Computing computing) {
        this.computing = computing;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        return Mono.fromSupplier(() -> computing.isDown()
                ? HealthResult.builder(NAME, HealthStatus.DOWN)
                        .details(Map.of("code", "COMPUTE_DOWN"))
                        .build()
                : HealthResult.builder(NAME, HealthStatus.UP).build());
    }
}
