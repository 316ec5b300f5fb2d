package dev.assay.cli.command.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.client.ProvidersApi;
import dev.assay.cli.command.ApiSession;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.JsonRows;
import dev.assay.cli.report.LimitTable;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows and changes the limits of providers. */
@Command(
        name = "provider",
        description = "List providers, show and change their limits.",
        subcommands = {
            ProviderCommand.ListProvidersCommand.class,
            ProviderCommand.ShowProviderCommand.class,
            ProviderLimitsCommand.class,
            ProviderKeyCommand.class,
            ProviderCommand.LimitChangesCommand.class
        })
public final class ProviderCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(
                    spec.commandLine(), "Name a command: assay provider list, show, limits, key or changes.");
        }
    }

    /** The server that is asked, and the form of the answer. */
    static final class ProviderOptions {

        @Mixin
        private ConnectOptions connect = new ConnectOptions();

        @Option(names = "--json", description = "Print the API's answer as JSON.")
        private boolean json;

        /** Asks the server and prints what it says. */
        int print(BiConsumer<ProvidersApi, PrintWriter> asking) {
            try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
                PrintWriter out = connect.common().out();
                asking.accept(session.api().providers(), out);
                out.flush();
                return ExitCode.OK;
            }
        }

        boolean json() {
            return json;
        }

        /** The answer as it is wanted. */
        String shown(JsonNode answer, String text) {
            return json ? answer.toPrettyString() + System.lineSeparator() : text;
        }
    }

    /** Lists all providers. */
    @Command(name = "list", description = "List the providers that live workers can ask.")
    static final class ListProvidersCommand implements Callable<Integer> {

        @Mixin
        private ProviderOptions options = new ProviderOptions();

        @Override
        public Integer call() {
            return options.print((api, out) -> {
                JsonNode providers = api.list();
                out.print(options.shown(providers, LimitTable.ofProviders(providers)));
            });
        }
    }

    /** Shows one provider. */
    @Command(name = "show", description = "Show the limits of a provider, and what is used of them.")
    static final class ShowProviderCommand implements Callable<Integer> {

        @Mixin
        private ProviderOptions options = new ProviderOptions();

        @Parameters(paramLabel = "NAME", description = "The provider, as campaigns call it.")
        private String name = "";

        @Override
        public Integer call() {
            return options.print((api, out) -> {
                JsonNode limits = api.limits(name);
                out.print(options.shown(limits, LimitTable.of(name, limits)));
            });
        }
    }

    /** Prints changes, row by row as they arrive. */
    @Command(name = "changes", description = "Print what changed of the limits of a provider, newest first.")
    static final class LimitChangesCommand implements Callable<Integer> {

        @Mixin
        private ProviderOptions options = new ProviderOptions();

        @Parameters(paramLabel = "NAME", description = "The provider, as campaigns call it.")
        private String name = "";

        @Override
        public Integer call() {
            return options.print((api, out) -> {
                if (options.json()) {
                    JsonRows.print(out, row -> api.changes(name, row));
                } else {
                    api.changes(name, row -> out.println(LimitTable.change(row)));
                }
            });
        }
    }
}
