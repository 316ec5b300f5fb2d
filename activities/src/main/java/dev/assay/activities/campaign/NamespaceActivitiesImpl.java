package dev.assay.activities.campaign;

import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.campaign.CampaignAttributes;
import dev.assay.workflows.campaign.NamespaceActivities;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.ListSearchAttributesRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.common.SearchAttributeKey;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks Temporal which search attributes its namespace has, at most every few seconds. */
@Singleton
public class NamespaceActivitiesImpl implements NamespaceActivities {

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceActivitiesImpl.class);

    /** For this time a workflow task that Temporal refuses may set the same attributes again. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private static final long CALL_SECONDS = 3;

    private final WorkflowClient client;
    private @Nullable OperatorServiceStubs operator;
    private List<String> known = List.of();
    private long askedAt;

    public NamespaceActivitiesImpl(WorkflowClient client) {
        this.client = client;
    }

    /** One thread asks, the others wait for its answer. A worker has one prefix. */
    @Override
    public synchronized List<String> searchAttributes(NamePrefix prefix) {
        if (operator == null || System.nanoTime() - askedAt > FRESH.toNanos()) {
            known = ask(prefix);
            askedAt = System.nanoTime();
        }
        return known;
    }

    private List<String> ask(NamePrefix prefix) {
        try {
            Map<String, IndexedValueType> registered = operator()
                    .blockingStub()
                    .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                    .listSearchAttributes(ListSearchAttributesRequest.newBuilder()
                            .setNamespace(client.getOptions().getNamespace())
                            .build())
                    .getCustomAttributesMap();
            return CampaignAttributes.ALL.stream()
                    .filter(key -> registered.get(prefix.on(key.getName())) == key.getValueType())
                    .map(SearchAttributeKey::getName)
                    .toList();
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                // The in-process engine does not list attributes, and forgets none.
                return CampaignAttributes.ALL.stream()
                        .map(SearchAttributeKey::getName)
                        .toList();
            }
            LOG.warn("Search attributes are left as they are, since Temporal does not say which there are", e);
            return List.of();
        }
    }

    private OperatorServiceStubs operator() {
        OperatorServiceStubs stubs = operator;
        if (stubs == null) {
            stubs = OperatorServiceStubs.newServiceStubs(OperatorServiceStubsOptions.newBuilder(
                            client.getWorkflowServiceStubs().getOptions())
                    .build());
            operator = stubs;
        }
        return stubs;
    }

    @PreDestroy
    synchronized void close() {
        if (operator != null) {
            operator.shutdownNow();
        }
    }
}
