package dev.assay.standalone.engine;

import com.uber.m3.tally.Scope;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.process.SupervisedProcess;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The dev server of the {@code temporal} CLI: a supervised child over a database file. */
public final class DevServerEngine implements TemporalEngine {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);
    private static final long STOP_SECONDS = 2;
    private static final int ATTEMPTS = 3;
    private static final Logger LOG = LoggerFactory.getLogger(DevServerEngine.class);

    private final DevServerProcess child;
    private final @Nullable PagesDoor pages;
    private final SupervisedProcess process;
    private final WorkflowServiceStubs stubs;

    private DevServerEngine(
            DevServerProcess child, @Nullable PagesDoor pages, SupervisedProcess process, WorkflowServiceStubs stubs) {
        this.child = child;
        this.pages = pages;
        this.process = process;
        this.stubs = stubs;
    }

    /**
     * Starts the dev server, after stopping one that a killed parent left over the same file.
     *
     * @param scope where the SDK counts what it does
     * @throws AssayException STORE_UNAVAILABLE when it does not start
     */
    public static DevServerEngine start(Path directory, Path log, Runnable onRestart, Scope scope, PagesAccess access) {
        Path temporal = DetachedCommand.onPath("temporal")
                .orElseThrow(() -> new AssayException(
                        ErrorCode.STORE_UNAVAILABLE,
                        "The engine dev-server needs the temporal CLI on the PATH; install it, or use --engine"
                                + " in-process"));
        try {
            for (int attempt = 1; ; attempt++) {
                DevServerProcess child = DevServerProcess.prepare(temporal, directory, log, access.evenOpen());
                try {
                    return start(child, onRestart, scope, access);
                } catch (AssayException | BindException e) {
                    if (attempt == ATTEMPTS || !child.hasLostAPort()) {
                        throw e;
                    }
                    LOG.info("Another server took a port of the dev server first; it tries another one");
                }
            }
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE, "The Temporal dev server could not be started: " + e.getMessage(), e);
        }
    }

    private static DevServerEngine start(DevServerProcess child, Runnable onRestart, Scope scope, PagesAccess access)
            throws IOException {
        PagesDoor pages = child.hasPages() ? PagesDoor.open(child.pagesPort(), child::pages, access.door()) : null;
        try {
            return connect(child, pages, SupervisedProcess.start(child, onRestart), scope);
        } catch (RuntimeException e) {
            if (pages != null) {
                pages.close();
            }
            throw e;
        }
    }

    private static DevServerEngine connect(
            DevServerProcess child, @Nullable PagesDoor pages, SupervisedProcess process, Scope scope) {
        WorkflowServiceStubs stubs = WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                .setTarget(child.address())
                .setMetricsScope(scope)
                .build());
        DevServerEngine engine = new DevServerEngine(child, pages, process, stubs);
        try {
            NamespaceWait.until(stubs, engine.namespace(), CONNECT_TIMEOUT);
            return engine;
        } catch (AssayException e) {
            engine.close();
            throw e;
        }
    }

    @Override
    public WorkflowServiceStubs stubs() {
        return stubs;
    }

    @Override
    public String namespace() {
        return DevServerProcess.NAMESPACE;
    }

    @Override
    public String banner() {
        String at = pages == null
                ? "; its pages are off: they would be open to every page of a browser; --temporal-ui turns them on"
                : ", pages at " + ui();
        return "dev server of the temporal CLI (" + child.version() + ") at " + child.address() + at
                + "; its histories are kept in " + child.database();
    }

    @Override
    public String address() {
        return child.address();
    }

    @Override
    public @Nullable String ui() {
        return pages == null ? null : "http://127.0.0.1:" + pages.port();
    }

    @Override
    public Long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        stubs.shutdownNow();
        stubs.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        if (pages != null) {
            pages.close();
        }
        process.close();
    }
}
