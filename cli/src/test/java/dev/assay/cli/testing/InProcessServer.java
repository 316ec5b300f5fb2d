package dev.assay.cli.testing;

import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.server.AssayServer;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.ServerOptions;
import java.nio.file.Path;

/** Servers with the in-process engine, on ports that are free. */
public final class InProcessServer {

    private static final ServerOptions OPTIONS =
            new ServerOptions("assay up", "127.0.0.1", 0, EngineKind.IN_PROCESS, ServerOptions.Role.SERVICE);

    private InProcessServer() {}

    /** Starts what {@code assay up} starts on {@code data}, in this JVM. */
    public static AssayServer start(Path data) {
        return AssayServer.tryStart(DataDirectory.open(data), OPTIONS).orElseThrow();
    }
}
