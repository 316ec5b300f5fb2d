package dev.assay.standalone.engine;

import com.uber.m3.tally.Scope;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testserver.TestServer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The Java test server in this process, reached over a channel without a port. */
public final class InProcessEngine implements TemporalEngine {

    private static final long STOP_SECONDS = 2;

    private final Scope scope;
    private @Nullable Running running;
    private boolean closed;

    private record Running(TestServer.InProcessTestServer server, WorkflowServiceStubs stubs) {}

    /** @param scope where the SDK counts what it does */
    public InProcessEngine(Scope scope) {
        this.scope = scope;
    }

    /**
     * Of the server, whose clock is the machine's. It starts with the first call: commands that only read never need it.
     *
     * @throws IllegalStateException when it is closed and has not started
     */
    @Override
    public synchronized WorkflowServiceStubs stubs() {
        if (running == null) {
            if (closed) {
                throw new IllegalStateException("The engine is closed");
            }
            boolean lockTimeSkipping = true;
            TestServer.InProcessTestServer server = TestServer.createServer(lockTimeSkipping);
            running = new Running(
                    server,
                    WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                            .setChannel(server.getChannel())
                            .setMetricsScope(scope)
                            .build()));
        }
        return running.stubs();
    }

    @Override
    public String namespace() {
        return "default";
    }

    @Override
    public String banner() {
        return "in this process; its histories end with it, and campaigns go on from PostgreSQL. Install the temporal"
                + " CLI for durable histories and Temporal's pages";
    }

    @Override
    public @Nullable String address() {
        return null;
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
    public synchronized void close() {
        closed = true;
        if (running != null) {
            running.stubs().shutdownNow();
            running.stubs().awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
            running.server().close();
        }
    }
}
