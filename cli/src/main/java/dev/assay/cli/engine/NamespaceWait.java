package dev.assay.cli.engine;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits until a Temporal service answers for a namespace. */
final class NamespaceWait {

    private static final long CALL_SECONDS = 2;
    private static final long PAUSE_MILLIS = 50;

    private NamespaceWait() {}

    /**
     * Returns when the service knows {@code namespace}.
     *
     * @throws AssayException STORE_UNAVAILABLE with the service's last word after {@code limit}, at once when it refuses the
     *     credentials
     */
    static void until(WorkflowServiceStubs stubs, String namespace, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        DescribeNamespaceRequest request =
                DescribeNamespaceRequest.newBuilder().setNamespace(namespace).build();
        while (true) {
            try {
                stubs.blockingStub()
                        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                        .describeNamespace(request);
                return;
            } catch (StatusRuntimeException e) {
                if (isRefusal(e.getStatus()) || System.nanoTime() > deadline) {
                    throw new AssayException(
                            ErrorCode.STORE_UNAVAILABLE,
                            "Temporal does not answer for namespace " + namespace + ": "
                                    + e.getStatus().getCode() + " "
                                    + e.getStatus().getDescription(),
                            e);
                }
                pause();
            }
        }
    }

    private static boolean isRefusal(Status status) {
        return status.getCode() == Status.Code.UNAUTHENTICATED || status.getCode() == Status.Code.PERMISSION_DENIED;
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssayException(ErrorCode.CANCELLED, "Interrupted while Temporal was starting", e);
        }
    }
}
