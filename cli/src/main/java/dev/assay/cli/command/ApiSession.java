package dev.assay.cli.command;

import dev.assay.activities.command.OwnAgents;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.EvaluationsApi;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.option.ProgramsText;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.cli.terminal.WaitNotice;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.standalone.server.AssayServer;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.DataHolder;
import dev.assay.standalone.server.DataLock;
import dev.assay.standalone.server.Endpoints;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An API that answers: a given one, that of the process which holds the data directory, or an embedded one. */
public final class ApiSession implements AutoCloseable {

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;

    private final AssayApi api;
    private final @Nullable AssayServer embedded;
    private final PrintWriter err;

    private ApiSession(AssayApi api, @Nullable AssayServer embedded, PrintWriter err) {
        this.api = api;
        this.err = err;
        this.embedded = embedded;
    }

    /** The servers that a command may use when another process holds the data directory. */
    public enum Joining {
        /** Any: the command only looks, or asks the holder to change a campaign that it works on. */
        ANY,
        /** Only one that was started to be joined. */
        SHARED
    }

    /**
     * Connects.
     *
     * @param role what an embedded server would do
     * @throws AssayException CONFLICT when another process holds the directory and may not be joined
     */
    public static ApiSession open(ConnectOptions options, ServerOptions.Role role, Joining joining) {
        return open(options, role, joining, null, null);
    }

    /**
     * As {@link #open(ConnectOptions, ServerOptions.Role, Joining)}.
     *
     * @param agents the programs that an embedded server's worker may start beside those of the operator; null: none
     * @param isolation the level at which these start at least; null: the operator's file says
     */
    public static ApiSession open(
            ConnectOptions options,
            ServerOptions.Role role,
            Joining joining,
            @Nullable OwnAgents agents,
            @Nullable IsolationLevel isolation) {
        URI server = options.server();
        if (server != null) {
            return new ApiSession(
                    new AssayApi(server, options.token()),
                    null,
                    options.common().err());
        }
        DataDirectory directory = options.common().directory();
        ServerOptions wanted = new ServerOptions(
                options.common().commandName(), "127.0.0.1", 0, options.engine(), role, Set.of(), isolation, false);
        PrintWriter err = options.common().err();
        try (WaitNotice _ = WaitNotice.on("Starting PostgreSQL", err)) {
            Optional<AssayServer> started = AssayServer.tryStart(directory, wanted, agents);
            return started.map(embedded -> new ApiSession(new AssayApi(embedded.api()), embedded, err))
                    .orElseGet(() -> join(directory, joining, options.token(), err));
        }
    }

    /** Whether a server that may be joined holds the data directory. The directory may not exist. */
    public static boolean joinsServer(Path data) {
        return Files.isDirectory(data)
                && DataLock.holder(DataDirectory.open(data))
                        .filter(DataHolder::shared)
                        .flatMap(holder -> ProcessHandle.of(holder.pid()))
                        .filter(ProcessHandle::isAlive)
                        .isPresent();
    }

    private static ApiSession join(DataDirectory directory, Joining joining, @Nullable String token, PrintWriter err) {
        boolean shared = DataLock.holder(directory).map(DataHolder::shared).orElse(false);
        if (joining == Joining.SHARED && !shared) {
            throw DataLock.held(directory);
        }
        long deadline = System.nanoTime() + JOIN_TIMEOUT.toNanos();
        while (System.nanoTime() < deadline) {
            Optional<AssayApi> api =
                    Endpoints.read(directory).map(found -> new AssayApi(URI.create(found.api()), token));
            if (api.isPresent() && api.get().answers()) {
                return new ApiSession(api.get(), null, err);
            }
            pause();
        }
        throw DataLock.held(directory);
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssayException(ErrorCode.CANCELLED, "Interrupted while waiting for the server", e);
        }
    }

    public AssayApi api() {
        return api;
    }

    /** The level at which an embedded server starts programs, for people; null: the lowest, or it starts none. */
    @Nullable
    String isolation() {
        IsolationOffer programs = embedded == null ? null : embedded.programs();
        return programs == null || (programs.level() == IsolationLevel.NONE && programs.refusal() == null)
                ? null
                : "Programs: " + ProgramsText.of(programs);
    }

    /** Whether the server ends with this command. */
    boolean isEmbedded() {
        return embedded != null;
    }

    /** The first interrupt cancels the evaluation {@code id} and ends the session: its answer is no longer needed. */
    public void cancelOnInterrupt(EvaluationsApi evaluations, String id) {
        Interrupts.onFirst(
                () -> {
                    evaluations.cancel(id);
                    err.println("Cancelled " + evaluations.kind() + " " + id + ".");
                    err.flush();
                    close();
                },
                this::abandon);
    }

    /** Ends the processes that would be left over, and waits for nothing. */
    public void abandon() {
        if (embedded != null) {
            embedded.abandon();
        }
    }

    @Override
    public void close() {
        api.close();
        if (embedded != null) {
            try (WaitNotice _ = WaitNotice.on("Stopping PostgreSQL", err)) {
                embedded.close();
            }
        }
    }
}
