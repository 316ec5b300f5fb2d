package dev.assay.cli.engine;

import dev.assay.workflows.campaign.CampaignAttributes;
import dev.assay.workflows.campaign.Visibility;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.ListSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc.OperatorServiceBlockingStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers the search attributes of campaigns in a namespace, where that is allowed. */
final class SearchAttributeSetup {

    private static final Logger LOG = LoggerFactory.getLogger(SearchAttributeSetup.class);
    private static final long CALL_SECONDS = 5;
    private static final int ATTEMPTS = 20;
    private static final long PAUSE_MILLIS = 250;

    private SearchAttributeSetup() {}

    /**
     * Makes sure that the namespace knows the search attributes.
     *
     * @return OBSERVED, after one warning, when it does not and does not let them be registered: campaigns then run without
     */
    static Visibility ensure(WorkflowServiceStubs stubs, String namespace) {
        OperatorServiceStubs operator = OperatorServiceStubs.newServiceStubs(
                OperatorServiceStubsOptions.newBuilder(stubs.getOptions()).build());
        try {
            return ensure(operator, namespace);
        } finally {
            operator.shutdownNow();
        }
    }

    private static Visibility ensure(OperatorServiceStubs operator, String namespace) {
        try {
            List<SearchAttributeKey<?>> missing = missing(operator, namespace);
            if (!missing.isEmpty()) {
                add(operator, namespace, missing);
                awaitAll(operator, namespace);
            }
            return Visibility.SEARCHABLE;
        } catch (StatusRuntimeException | IllegalStateException e) {
            LOG.warn(
                    "Campaigns cannot be found by search attributes in Temporal's namespace {}: {}. Have somebody register {}",
                    namespace,
                    e.getMessage(),
                    CampaignAttributes.ALL.stream()
                            .map(key -> key.getName() + " (" + type(key.getValueType()) + ")")
                            .collect(Collectors.joining(", ")));
            return Visibility.OBSERVED;
        }
    }

    private static List<SearchAttributeKey<?>> missing(OperatorServiceStubs operator, String namespace) {
        Map<String, IndexedValueType> known = stub(operator)
                .listSearchAttributes(ListSearchAttributesRequest.newBuilder()
                        .setNamespace(namespace)
                        .build())
                .getCustomAttributesMap();
        for (SearchAttributeKey<?> key : CampaignAttributes.ALL) {
            IndexedValueType type = known.getOrDefault(key.getName(), key.getValueType());
            if (type != key.getValueType()) {
                throw new IllegalStateException(key.getName() + " is registered there as " + type(type));
            }
        }
        return CampaignAttributes.ALL.stream()
                .filter(key -> !known.containsKey(key.getName()))
                .toList();
    }

    private static void add(OperatorServiceStubs operator, String namespace, List<SearchAttributeKey<?>> missing) {
        AddSearchAttributesRequest.Builder request =
                AddSearchAttributesRequest.newBuilder().setNamespace(namespace);
        missing.forEach(key -> request.putSearchAttributes(key.getName(), key.getValueType()));
        var _ = stub(operator).addSearchAttributes(request.build());
    }

    /** Servers read what is registered from a cache, which takes a moment. */
    private static void awaitAll(OperatorServiceStubs operator, String namespace) {
        for (int attempt = 0; !missing(operator, namespace).isEmpty(); attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IllegalStateException("they were registered, but the server does not list them yet");
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private static OperatorServiceBlockingStub stub(OperatorServiceStubs operator) {
        return operator.blockingStub().withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    /** As Temporal's tools spell it: {@code Keyword}. */
    private static String type(IndexedValueType type) {
        String word = type.name().replace("INDEXED_VALUE_TYPE_", "");
        return word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT);
    }
}
