package dev.assay.cli.command;

import dev.assay.cli.server.DataDirectory;
import dev.assay.cli.server.Endpoints;
import dev.assay.cli.server.JoinedWorker;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** One more worker for the server that holds the data directory. */
@Command(name = "worker", description = "Join the server of the data directory as one more worker.")
public final class WorkerCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        DataDirectory directory = common.directory();
        Endpoints endpoints = Endpoints.read(directory)
                .orElseThrow(() -> new AssayException(
                        ErrorCode.STORE_UNAVAILABLE,
                        "No server runs over " + directory.path() + "; start one with: assay up"));
        try (JoinedWorker worker = JoinedWorker.start(directory, endpoints)) {
            common.out().println("This worker has joined " + endpoints.api() + ". Ctrl-C stops it.");
            common.out().flush();
            ServeOptions.waitForEnd();
        }
        return ExitCode.OK;
    }
}
