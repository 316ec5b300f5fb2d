package dev.assay.cli.option;

import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.log.Logging;
import dev.assay.standalone.process.SystemBrowser;
import dev.assay.standalone.server.AssayServer;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.DataLock;
import dev.assay.standalone.server.Endpoints;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of servers that stay, and their run. */
public final class ServeOptions {

    private static final int LAST_PORT = 65_535;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Port of the API; 0: any. Default: 8080.")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description =
                    "Address on which the API listens. Default: 127.0.0.1, this machine only. On another one the API"
                            + " asks for tokens (assay token).")
    private String host = "127.0.0.1";

    @Option(
            names = "--allow-host",
            paramLabel = "NAME",
            description = "Also answer under this name; may be given several times. Default: names of loopback only.")
    private Set<String> allowedHosts = Set.of();

    @Option(names = "--engine", paramLabel = "ENGINE", description = "Temporal: in-process, dev-server or external.")
    private @Nullable String engine;

    @Mixin
    private IsolationOption isolation = new IsolationOption();

    @Option(
            names = "--temporal-ui",
            description = "Show Temporal's pages where they cannot be hidden from pages of a browser, too.")
    private boolean temporalUi;

    @Option(names = "--open", description = "Open the pages in the browser.")
    private boolean open;

    public EngineKind engine() {
        return EngineKind.choose(engine, System.getenv());
    }

    /** Starts a server, prints its addresses, and waits until this process is asked to end. */
    public int serve(ServerOptions.Role role) {
        if (port < 0 || port > LAST_PORT) {
            throw common.badUsage("--port must be a whole number from 0 to " + LAST_PORT + ", but is " + port);
        }
        Interrupts.exitOnTerminate();
        DataDirectory directory = common.directory();
        ServerOptions options = new ServerOptions(
                common.commandName(), host, port, engine(), role, allowedHosts, isolation.level(), temporalUi);
        try (AssayServer server =
                AssayServer.tryStart(directory, options).orElseThrow(() -> DataLock.held(directory))) {
            banner(server, directory, role);
            if (open && !SystemBrowser.open(server.endpoints().pages())) {
                common.err().println("No browser was found; open the pages yourself.");
                common.err().flush();
            }
            // Ctrl-C and SIGTERM end the JVM, whose shutdown hook stops the server.
            Interrupts.untilEnd();
        }
        return ExitCode.OK;
    }

    private void banner(AssayServer server, DataDirectory directory, ServerOptions.Role role) {
        Endpoints endpoints = server.endpoints();
        PrintWriter out = common.out();
        out.println("Assay is up. API: " + endpoints.api() + "/api/v1");
        out.println("  Pages:      " + endpoints.pages());
        out.println("  Temporal:   " + server.engineBanner());
        out.println("  PostgreSQL: " + server.databaseBanner());
        out.println("  Worker:     " + (role.works() ? "in this process" : "none here; start one with: assay worker"));
        IsolationOffer programs = server.programs();
        if (programs != null) {
            out.println("  Programs:   " + ProgramsText.of(programs));
        }
        out.println("  Logs:       " + Logging.place(directory.logs()));
        out.println("Ctrl-C stops it; campaigns go on at the next start.");
        out.flush();
    }
}
