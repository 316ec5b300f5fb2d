package dev.assay.cli.engine;

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

    private SearchAttributeSetup() {}

    /**
     * Makes sure that the namespace knows the search attributes.
     *
     * @param prefix of their names
     * @return OBSERVED, after one warning, when it does not and does not let them be registered: campaigns then run without
     */
    static Visibility ensure(WorkflowServiceStubs stubs, String namespace, NamePrefix prefix) {
        OperatorServiceStubs operator = OperatorServiceStubs.newServiceStubs(
                OperatorServiceStubsOptions.newBuilder(stubs.getOptions()).build());
        try {
            return ensure(operator, namespace, attributes(prefix));
        } finally {
            operator.shutdownNow();
        }
    }

    private static List<SearchAttributeKey<?>> attributes(NamePrefix prefix) {
        return CampaignAttributes.ALL.stream()
                .<SearchAttributeKey<?>>map(prefix::on)
                .toList();
    }

    private static Visibility ensure(
            OperatorServiceStubs operator, String namespace, List<SearchAttributeKey<?>> attributes) {
        try {
            List<SearchAttributeKey<?>> missing = missing(operator, namespace, attributes);
            if (!missing.isEmpty()) {
                add(operator, namespace, missing);
            }
            return Visibility.SEARCHABLE;
        } catch (StatusRuntimeException | IllegalStateException e) {
            LOG.warn(
                    "Campaigns cannot be found by search attributes in Temporal's namespace {}: {}. Have somebody"
                            + " register {}",
                    namespace,
                    e.getMessage(),
                    attributes.stream()
                            .map(key -> key.getName() + " (" + type(key.getValueType()) + ")")
                            .collect(Collectors.joining(", ")));
            return Visibility.OBSERVED;
        }
    }

    /**
     * What the namespace lacks; all of them where the server cannot say, as the in-process one.
     *
     * @throws IllegalStateException when one is registered with another type
     */
    private static List<SearchAttributeKey<?>> missing(
            OperatorServiceStubs operator, String namespace, List<SearchAttributeKey<?>> attributes) {
        Map<String, IndexedValueType> known;
        try {
            known = stub(operator)
                    .listSearchAttributes(ListSearchAttributesRequest.newBuilder()
                            .setNamespace(namespace)
                            .build())
                    .getCustomAttributesMap();
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                return attributes;
            }
            throw e;
        }
        for (SearchAttributeKey<?> key : attributes) {
            IndexedValueType type = known.getOrDefault(key.getName(), key.getValueType());
            if (type != key.getValueType()) {
                throw new IllegalStateException(key.getName() + " is registered there as " + type(type));
            }
        }
        return attributes.stream()
                .filter(key -> !known.containsKey(key.getName()))
                .toList();
    }

    private static void add(OperatorServiceStubs operator, String namespace, List<SearchAttributeKey<?>> missing) {
        AddSearchAttributesRequest.Builder request =
                AddSearchAttributesRequest.newBuilder().setNamespace(namespace);
        missing.forEach(key -> request.putSearchAttributes(key.getName(), key.getValueType()));
        try {
            var _ = stub(operator).addSearchAttributes(request.build());
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.ALREADY_EXISTS) {
                throw e;
            }
            // Another server was faster, or the server could not say what it knows.
            LOG.debug("Search attributes were there already", e);
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
