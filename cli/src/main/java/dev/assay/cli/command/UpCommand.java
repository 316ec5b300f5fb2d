package dev.assay.cli.command;

import dev.assay.cli.option.ServeOptions;
import dev.assay.standalone.server.ServerOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Everything in one process: API, worker, embedded stores. Resumes every campaign that was going on. */
@Command(name = "up", description = "Start API, worker and embedded stores; unfinished campaigns go on.")
public final class UpCommand implements Callable<Integer> {

    @Mixin
    private ServeOptions options = new ServeOptions();

    @Override
    public Integer call() {
        return options.serve(ServerOptions.Role.SERVICE);
    }
}
