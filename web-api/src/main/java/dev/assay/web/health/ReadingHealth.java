package dev.assay.web.health;

import dev.assay.web.document.RequestReader;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Singleton;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** DOWN while no thread that reads documents has been free for long. UP again with the first free one. */
@Singleton
final class ReadingHealth implements HealthIndicator {

    private static final String NAME = "reading";

    private final RequestReader reader;

    ReadingHealth(RequestReader reader) {
        this.reader = reader;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        return Mono.fromSupplier(() -> reader.isBusy()
                ? HealthResult.builder(NAME, HealthStatus.DOWN)
                        .details(Map.of(NAME, "busy"))
                        .build()
                : HealthResult.builder(NAME, HealthStatus.UP).build());
    }
}
