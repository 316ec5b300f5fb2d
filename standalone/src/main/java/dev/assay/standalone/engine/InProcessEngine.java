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

    private final TestServer.InProcessTestServer server;
    private final WorkflowServiceStubs stubs;

    private InProcessEngine(TestServer.InProcessTestServer server, WorkflowServiceStubs stubs) {
        this.server = server;
        this.stubs = stubs;
    }

    /**
     * Starts the server; its clock is the machine's.
     *
     * @param scope where the SDK counts what it does
     */
    public static InProcessEngine start(Scope scope) {
        boolean lockTimeSkipping = true;
        TestServer.InProcessTestServer server = TestServer.createServer(lockTimeSkipping);
        return new InProcessEngine(
                server,
                WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                        .setChannel(server.getChannel())
                        .setMetricsScope(scope)
                        .build()));
    }

    @Override
    public WorkflowServiceStubs stubs() {
        return stubs;
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
    public void close() {
        stubs.shutdownNow();
        stubs.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        server.close();
    }
}
