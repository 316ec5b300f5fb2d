package dev.assay.standalone.engine;

import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.campaign.CampaignAttributes;
import dev.assay.workflows.campaign.Visibility;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.ListSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc.OperatorServiceBlockingStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers the search attributes of campaigns in a namespace, where that is allowed. */
final class SearchAttributeSetup {

    private static final Logger LOG = LoggerFactory.getLogger(SearchAttributeSetup.class);
    private static final long CALL_SECONDS = 5;

    private SearchAttributeSetup() {}

    /**
     * Registers as many of the search attributes as the namespace has room for.
     *
     * @return OBSERVED when it knows none; after one warning, as when it lacks some
     */
    static Visibility ensure(WorkflowServiceStubs stubs, String namespace, NamePrefix prefix) {
        OperatorServiceStubs operator = OperatorServiceStubs.newServiceStubs(
                OperatorServiceStubsOptions.newBuilder(stubs.getOptions()).build());
        try {
            return ensure(
                    operator,
                    namespace,
                    CampaignAttributes.ALL.stream()
                            .<SearchAttributeKey<?>>map(prefix::on)
                            .toList());
        } finally {
            operator.shutdownNow();
        }
    }

    private static Visibility ensure(
            OperatorServiceStubs operator, String namespace, List<SearchAttributeKey<?>> attributes) {
        Map<String, String> lacking = new LinkedHashMap<>();
        try {
            Map<String, IndexedValueType> known = known(operator, namespace);
            for (SearchAttributeKey<?> key : attributes) {
                add(operator, namespace, key, known.get(key.getName()))
                        .ifPresent(why -> lacking.put(spelled(key), why));
            }
        } catch (StatusRuntimeException e) {
            attributes.forEach(key -> lacking.put(spelled(key), String.valueOf(e.getMessage())));
        }
        if (!lacking.isEmpty()) {
            LOG.warn(
                    "Campaigns are not found in Temporal's namespace {} by {}. Have an administrator register them: {}",
                    namespace,
                    String.join(", ", lacking.keySet()),
                    new TreeSet<>(lacking.values()));
        }
        return lacking.size() == attributes.size() ? Visibility.OBSERVED : Visibility.SEARCHABLE;
    }

    /** The attributes of the namespace; none where the server cannot list them, as the in-process one. */
    private static Map<String, IndexedValueType> known(OperatorServiceStubs operator, String namespace) {
        try {
            return stub(operator)
                    .listSearchAttributes(ListSearchAttributesRequest.newBuilder()
                            .setNamespace(namespace)
                            .build())
                    .getCustomAttributesMap();
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                return Map.of();
            }
            throw e;
        }
    }

    /** Registers {@code key} unless it is known; answers with the reason if the namespace still lacks it. */
    private static Optional<String> add(
            OperatorServiceStubs operator,
            String namespace,
            SearchAttributeKey<?> key,
            @Nullable IndexedValueType known) {
        if (known != null) {
            return known == key.getValueType()
                    ? Optional.empty()
                    : Optional.of(key.getName() + " is registered there as " + type(known));
        }
        try {
            var _ = stub(operator)
                    .addSearchAttributes(AddSearchAttributesRequest.newBuilder()
                            .setNamespace(namespace)
                            .putSearchAttributes(key.getName(), key.getValueType())
                            .build());
        } catch (StatusRuntimeException e) {
            // Another server may have been faster, and the in-process one could not say what it knows.
            if (e.getStatus().getCode() != Status.Code.ALREADY_EXISTS) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }

    private static String spelled(SearchAttributeKey<?> key) {
        return key.getName() + " (" + type(key.getValueType()) + ")";
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
