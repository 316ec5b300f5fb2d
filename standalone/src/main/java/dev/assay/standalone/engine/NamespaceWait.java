package dev.assay.standalone.engine;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.start.Waiting;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Waits until a Temporal service answers for a namespace. */
final class NamespaceWait {

    private static final long CALL_SECONDS = 2;

    private NamespaceWait() {}

    /**
     * Returns when the service knows {@code namespace}.
     *
     * @throws AssayException STORE_UNAVAILABLE with the service's last word after {@code limit}, at once when it refuses the
     *     credentials
     */
    static void until(WorkflowServiceStubs stubs, String namespace, Duration limit) {
        DescribeNamespaceRequest request =
                DescribeNamespaceRequest.newBuilder().setNamespace(namespace).build();
        Waiting.until(service(stubs, namespace), limit, () -> missing(stubs, request));
    }

    private static String service(WorkflowServiceStubs stubs, String namespace) {
        return "Temporal at " + stubs.getOptions().getTarget() + " (namespace " + namespace + ")";
    }

    private static Optional<String> missing(WorkflowServiceStubs stubs, DescribeNamespaceRequest request) {
        try {
            stubs.blockingStub()
                    .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                    .describeNamespace(request);
            return Optional.empty();
        } catch (StatusRuntimeException e) {
            String said = e.getStatus().getCode() + " " + e.getStatus().getDescription();
            if (isRefusal(e.getStatus())) {
                throw new AssayException(
                        ErrorCode.STORE_UNAVAILABLE, service(stubs, request.getNamespace()) + " refuses: " + said, e);
            }
            return Optional.of(said);
        }
    }

    private static boolean isRefusal(Status status) {
        return status.getCode() == Status.Code.UNAUTHENTICATED || status.getCode() == Status.Code.PERMISSION_DENIED;
    }
}
