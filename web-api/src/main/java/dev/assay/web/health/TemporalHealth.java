package dev.assay.web.health;

import io.grpc.StatusRuntimeException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.util.StringUtils;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.scheduling.TaskExecutors;
import io.temporal.client.WorkflowClient;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** DOWN while Temporal does not answer. PostgreSQL has an indicator of its own. */
@Singleton
@Requires(property = "endpoints.health.temporal.enabled", notEquals = StringUtils.FALSE)
final class TemporalHealth implements HealthIndicator {

    private static final String NAME = "temporal";

    private final WorkflowClient client;
    private final ExecutorService blocking;

    TemporalHealth(WorkflowClient client, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.client = client;
        this.blocking = blocking;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        return Mono.fromCallable(this::check).subscribeOn(Schedulers.fromExecutorService(blocking));
    }

    private HealthResult check() {
        try {
            client.getWorkflowServiceStubs().healthCheck();
            return HealthResult.builder(NAME, HealthStatus.UP).build();
        } catch (StatusRuntimeException e) {
            return HealthResult.builder(NAME, HealthStatus.DOWN).exception(e).build();
        }
    }
}
