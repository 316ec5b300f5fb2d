package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.LimitTable;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what is used of the limits of a provider. */
@Command(
        name = "provider",
        description = "Show the limits of a provider.",
        subcommands = ProviderCommand.ShowProviderCommand.class)
public final class ProviderCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "Name a command: assay provider show.");
        }
    }

    /** Shows one provider. */
    @Command(name = "show", description = "Show the limits of a provider, and what is used of them.")
    static final class ShowProviderCommand implements Callable<Integer> {

        @Mixin
        private ConnectOptions connect = new ConnectOptions();

        @Option(names = "--json", description = "Print the API's answer as JSON.")
        private boolean json;

        @Parameters(paramLabel = "NAME", description = "The provider, as campaigns call it.")
        private String name = "";

        @Override
        public Integer call() {
            try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
                PrintWriter out = connect.common().out();
                JsonNode limits = session.api().limitsJson(name);
                out.print(json ? limits.toPrettyString() + System.lineSeparator() : LimitTable.of(name, limits));
                out.flush();
                return ExitCode.OK;
            }
        }
    }
}
