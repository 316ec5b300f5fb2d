package dev.assay.cli.command;

import dev.assay.cli.server.DataDirectory;
import dev.assay.cli.server.Endpoints;
import dev.assay.cli.server.FollowingWorker;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** One more worker for the servers that hold the data directory, one after the other. */
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
        try (FollowingWorker worker = FollowingWorker.join(directory, endpoints)) {
            common.out().println("This worker has joined " + worker.api() + ". Ctrl-C stops it.");
            common.out().flush();
            worker.follow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.OK;
    }
}
