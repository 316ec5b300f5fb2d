package dev.assay.web.health;

import dev.assay.work.confine.OwnProcess;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** The word that others of its user may read this process, where its environment asks for that. It is never DOWN. */
@Singleton
final class DumpableHealth implements HealthIndicator {

    private final Map<String, String> environment;

    @Inject
    DumpableHealth() {
        this(System.getenv());
    }

    DumpableHealth(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Publisher<HealthResult> getResult() {
        return OwnProcess.isOpen(environment)
                ? Mono.just(HealthResult.builder("dumpable", HealthStatus.UP)
                        .details(OwnProcess.OPEN)
                        .build())
                : Mono.empty();
    }
}
