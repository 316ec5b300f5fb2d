package dev.assay.standalone.engine;

import com.uber.m3.tally.Scope;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.start.Waiting;
import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An external Temporal service: a cluster or Temporal Cloud. */
public final class ExternalEngine implements TemporalEngine {

    private static final long STOP_SECONDS = 2;
    private static final long PROBE_SECONDS = 2;

    private final WorkflowServiceStubs stubs;
    private final String address;
    private final String namespace;

    private ExternalEngine(WorkflowServiceStubs stubs, String address, String namespace) {
        this.stubs = stubs;
        this.address = address;
        this.namespace = namespace;
    }

    /**
     * Connects as Temporal's own tools do: {@code TEMPORAL_ADDRESS}, {@code TEMPORAL_NAMESPACE}, {@code TEMPORAL_API_KEY},
     * {@code TEMPORAL_TLS…}, or a profile of Temporal's configuration file.
     *
     * @param scope where the SDK counts what it does
     * @throws AssayException STORE_UNAVAILABLE when the service does not answer within {@code limit}
     */
    public static ExternalEngine connect(Duration limit, Scope scope) {
        WorkflowServiceStubsOptions options;
        String namespace;
        try {
            ClientConfigProfile profile = ClientConfigProfile.load();
            options = WorkflowServiceStubsOptions.newBuilder(profile.toWorkflowServiceStubsOptions())
                    .setMetricsScope(scope)
                    .build();
            namespace = Objects.requireNonNullElse(profile.getNamespace(), "default");
        } catch (IOException | RuntimeException e) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, "Temporal's connection settings cannot be read: " + e.getMessage(), e);
        }
        return connect(options, Objects.requireNonNullElse(options.getTarget(), "127.0.0.1:7233"), namespace, limit);
    }

    /**
     * Connects to a service without credentials, as one that {@code endpoints.json} names.
     *
     * @param scope where the SDK counts what it does
     */
    public static ExternalEngine at(String address, String namespace, Scope scope) {
        return connect(
                WorkflowServiceStubsOptions.newBuilder()
                        .setTarget(address)
                        .setMetricsScope(scope)
                        .build(),
                address,
                namespace,
                Waiting.PROMPT);
    }

    private static ExternalEngine connect(
            WorkflowServiceStubsOptions options, String address, String namespace, Duration limit) {
        WorkflowServiceStubs stubs = WorkflowServiceStubs.newServiceStubs(options);
        try {
            NamespaceWait.until(stubs, namespace, limit);
            return new ExternalEngine(stubs, address, namespace);
        } catch (AssayException e) {
            stubs.shutdownNow();
            throw e;
        }
    }

    /** Whether the service answers, within 2 s. */
    public boolean answers() {
        try {
            stubs.blockingStub()
                    .withDeadlineAfter(PROBE_SECONDS, TimeUnit.SECONDS)
                    .getSystemInfo(GetSystemInfoRequest.getDefaultInstance());
            return true;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    @Override
    public WorkflowServiceStubs stubs() {
        return stubs;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public String banner() {
        return "external service at " + address + ", namespace " + namespace + "; durable as that service is";
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public @Nullable String ui() {
        return null;
    }

    @Override
    public @Nullable Long pid() {
        return null;
    }

    @Override
    public void close() {
        stubs.shutdownNow();
        stubs.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    }
}
