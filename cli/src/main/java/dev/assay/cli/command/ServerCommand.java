package dev.assay.cli.command;

import dev.assay.cli.option.ServeOptions;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.server.ServerOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** As {@code up}, without a worker: workers are processes of their own. */
@Command(name = "server", description = "Start the API without a worker; workers are other processes.")
public final class ServerCommand implements Callable<Integer> {

    @Mixin
    private ServeOptions options = new ServeOptions();

    @Override
    public Integer call() {
        if (options.engine() == EngineKind.IN_PROCESS) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "No worker could reach Temporal inside this process; install the temporal CLI or set"
                            + " TEMPORAL_ADDRESS, or use assay up");
        }
        return options.serve(ServerOptions.Role.API_ONLY);
    }
}
