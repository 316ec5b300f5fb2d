package dev.assay.web.health;

import dev.assay.work.secret.SecretVariables;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** The word that a secret's file cannot be read or used now. It is never DOWN: the value before goes on. */
@Singleton
final class SecretsHealth implements HealthIndicator {

    private final SecretVariables variables;

    @Inject
    SecretsHealth() {
        this(SecretVariables.ofProcess());
    }

    SecretsHealth(SecretVariables variables) {
        this.variables = variables;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        Map<String, Object> details = variables.health();
        return details.isEmpty()
                ? Mono.empty()
                : Mono.just(HealthResult.builder("secrets", HealthStatus.UP)
                        .details(details)
                        .build());
    }
}
