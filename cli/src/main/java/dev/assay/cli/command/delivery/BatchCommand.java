package dev.assay.cli.command.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.client.BatchesApi;
import dev.assay.cli.command.ApiSession;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.BatchText;
import dev.assay.cli.report.JsonRows;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows batches of providers, and gives them up. */
@Command(
        name = "batch",
        description = "List and show batches of providers, look at one now, or give one up.",
        subcommands = {
            BatchCommand.ListBatchesCommand.class,
            BatchCommand.ShowBatchCommand.class,
            BatchCommand.LookCommand.class,
            BatchCommand.AbandonCommand.class
        })
public final class BatchCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(
                    spec.commandLine(), "Name a command: assay batch list, show, look or abandon.");
        }
    }

    /** The server that is asked, and the form of the answer. */
    static final class BatchOptions {

        @Mixin
        private ConnectOptions connect = new ConnectOptions();

        @Option(names = "--json", description = "Print the API's answer as JSON.")
        private boolean json;

        int print(BiConsumer<BatchesApi, PrintWriter> asking) {
            try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
                PrintWriter out = connect.common().out();
                asking.accept(session.api().batches(), out);
                out.flush();
                return ExitCode.OK;
            }
        }

        int printOne(Function<BatchesApi, JsonNode> asking) {
            return print((api, out) -> {
                JsonNode batch = asking.apply(api);
                out.print(json ? batch.toPrettyString() + System.lineSeparator() : BatchText.of(batch));
            });
        }
    }

    /** Lists batches. */
    @Command(name = "list", description = "List batches, newest first.")
    static final class ListBatchesCommand implements Callable<Integer> {

        @Mixin
        private BatchOptions options = new BatchOptions();

        @Option(names = "--campaign", paramLabel = "ID", description = "Only those of this campaign.")
        private @Nullable String campaign;

        @Option(names = "--state", paramLabel = "STATE", description = "Only those in this state, such as SUBMITTED.")
        private @Nullable String state;

        @Override
        public Integer call() {
            return options.print((api, out) -> {
                if (options.json) {
                    JsonRows.print(out, row -> api.list(campaign, state, row));
                } else {
                    List<JsonNode> rows = new ArrayList<>();
                    api.list(campaign, state, rows::add);
                    out.print(BatchText.table(rows));
                }
            });
        }
    }

    /** Shows one batch. */
    @Command(name = "show", description = "Show a batch.")
    static final class ShowBatchCommand implements Callable<Integer> {

        @Mixin
        private BatchOptions options = new BatchOptions();

        @Parameters(paramLabel = "ID", description = "The batch.")
        private String id = "";

        @Override
        public Integer call() {
            return options.printOne(api -> api.show(id));
        }
    }

    /** Has a batch looked at. */
    @Command(name = "look", description = "Ask the provider about a batch now.")
    static final class LookCommand implements Callable<Integer> {

        @Mixin
        private BatchOptions options = new BatchOptions();

        @Parameters(paramLabel = "ID", description = "The batch.")
        private String id = "";

        @Override
        public Integer call() {
            return options.printOne(api -> api.look(id));
        }
    }

    /** Gives a batch up. */
    @Command(
            name = "abandon",
            description =
                    "Give a batch up: its cells are open again, and what the provider answers still may be paid twice.")
    static final class AbandonCommand implements Callable<Integer> {

        @Mixin
        private BatchOptions options = new BatchOptions();

        @Spec
        private @Nullable CommandSpec spec;

        @Parameters(paramLabel = "ID", description = "The batch.")
        private String id = "";

        @Option(names = "--yes", description = "Do it: answers of the batch are lost, and may be paid.")
        private boolean isSure;

        @Override
        public Integer call() {
            if (!isSure && spec != null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "Answers of the batch are lost, and may be paid all the same; add --yes to give it up.");
            }
            return options.printOne(api -> api.abandon(id));
        }
    }
}
