package dev.assay.cli.command.label;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.LabelsApi;
import dev.assay.cli.command.ApiSession;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.CalibrationText;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.ServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Samples of answers to label, files of labels, and what labels say. */
@Command(
        name = "labels",
        description = "Sample answers to label, import and export labels, compare verdicts with them.",
        subcommands = {
            LabelsCommand.Sample.class,
            LabelsCommand.ImportLabels.class,
            LabelsCommand.ExportLabels.class,
            LabelsCommand.Calibrate.class
        })
public final class LabelsCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(
                    spec.commandLine(), "Name a command: assay labels sample, import, export or report.");
        }
    }

    /** Asks the server. */
    private static int ask(ConnectOptions connect, ToIntBiFunction<LabelsApi, PrintWriter> asking) {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.LISTER, ApiSession.Joining.ANY)) {
            PrintWriter out = connect.common().out();
            int code = asking.applyAsInt(session.api().labels(), out);
            out.flush();
            return code;
        }
    }

    /** Writes what is sent to a file, else to the output; null: nothing is returned. */
    private static AssayApi.Reading<Long> into(@Nullable Path output, PrintWriter out) {
        return (content, _) -> {
            if (output != null) {
                return copy(content, output);
            }
            String text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
            // A carriage return would be shown as an escape; RFC 4180 readers take line feeds, too.
            out.print(text.replace("\r\n", "\n"));
            return (long) text.length();
        };
    }

    private static long copy(InputStream content, Path output) {
        try {
            return Files.copy(content, output, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "The file " + output + " cannot be written: " + e, e);
        }
    }

    /** Makes a random sample and writes its items. */
    @Command(name = "sample", description = "Make a random sample of answers, as CSV to fill in.")
    static final class Sample implements Callable<Integer> {

        @Mixin
        private ConnectOptions connect = new ConnectOptions();

        @Parameters(paramLabel = "CAMPAIGN", description = "Id of the campaign.")
        private String campaign = "";

        @Option(names = "--count", paramLabel = "N", required = true, description = "How many answers.")
        private int count;

        @Option(names = "--seed", paramLabel = "N", description = "Another one gives another sample. Default: 1.")
        private int seed = 1;

        @Option(
                names = "--branch",
                paramLabel = "B",
                description = "Only answers of this branch. May be given several times.")
        private List<String> branches = List.of();

        @Option(names = "--check", paramLabel = "C", description = "The check that labels decide. Default: the trial.")
        private @Nullable String check;

        @Option(names = "--output", paramLabel = "F", description = "Write the CSV to this file.")
        private @Nullable Path output;

        @Override
        public Integer call() {
            return ask(connect, (api, out) -> {
                ObjectNode asked =
                        Json.mapper().createObjectNode().put("count", count).put("seed", seed);
                branches.forEach(asked.putArray("branches")::add);
                asked.put("check", check);
                JsonNode sample = api.sample(campaign, asked);
                api.downloadSample(campaign, sample.path("sample").asText(), into(output, out));
                PrintWriter said = connect.common().err();
                said.println(sample.path("sample").asText() + ": " + sample.path("count") + " of "
                        + sample.path("population") + " answers"
                        + (sample.path("count").asInt() < count ? ", all that there are" : "") + ".");
                said.flush();
                return ExitCode.OK;
            });
        }
    }

    /** Sends a file of labels. */
    @Command(name = "import", description = "Store the labels of a CSV file: all of them, or none.")
    static final class ImportLabels implements Callable<Integer> {

        @Mixin
        private ConnectOptions connect = new ConnectOptions();

        @Parameters(paramLabel = "FILE.csv", description = "The file.")
        private Path file = Path.of("");

        @Option(names = "--campaign", paramLabel = "ID", description = "The campaign of lines that name none.")
        private @Nullable String campaign;

        @Option(names = "--labeller", paramLabel = "L", description = "The person of lines that name none.")
        private @Nullable String labeller;

        @Option(names = "--dry-run", description = "Store nothing, and say what would be stored.")
        private boolean dryRun;

        @Option(names = "--json", description = "Print the API's answer as JSON.")
        private boolean json;

        @Override
        public Integer call() {
            if (!Files.isRegularFile(file)) {
                throw new AssayException(ErrorCode.INVALID_INPUT, "There is no file " + file);
            }
            return ask(connect, (api, out) -> {
                Map<String, String> query = new LinkedHashMap<>(Map.of("dryRun", String.valueOf(dryRun)));
                if (labeller != null) {
                    query.put("labeller", labeller);
                }
                JsonNode done = api.upload(campaign, query, file);
                out.println(json ? done.toPrettyString() : text(done));
                return ExitCode.OK;
            });
        }

        private String text(JsonNode done) {
            StringBuilder text = new StringBuilder(dryRun ? "Would store " : "Stored ")
                    .append(done.path("stored").asInt())
                    .append(" labels of ")
                    .append(done.path("lines").asInt())
                    .append(" lines: ")
                    .append(done.path("unchanged").asInt())
                    .append(" unchanged, ")
                    .append(done.path("superseded").asInt())
                    .append(" superseded, ")
                    .append(done.path("open").asInt())
                    .append(" open.");
            done.path("notes")
                    .forEach(note -> text.append(System.lineSeparator())
                            .append(note.asText())
                            .append('.'));
            return text.toString();
        }
    }

    /** Writes all labels. */
    @Command(name = "export", description = "Write the labels of a campaign as CSV, as import reads them.")
    static final class ExportLabels implements Callable<Integer> {

        @Mixin
        private ConnectOptions connect = new ConnectOptions();

        @Parameters(paramLabel = "CAMPAIGN", description = "Id of the campaign.")
        private String campaign = "";

        @Option(names = "--output", paramLabel = "F", description = "Write them to this file.")
        private @Nullable Path output;

        @Override
        public Integer call() {
            return ask(connect, (api, out) -> {
                api.download(campaign, into(output, out));
                return ExitCode.OK;
            });
        }
    }

    /** Prints what labels say. */
    @Command(name = "report", description = "Say how far the verdicts agree with people, and the corrected rate.")
    static final class Calibrate implements Callable<Integer> {

        @Mixin
        private ConnectOptions connect = new ConnectOptions();

        @Parameters(paramLabel = "CAMPAIGN", description = "Id of the campaign.")
        private String campaign = "";

        @Option(names = "--check", paramLabel = "C", description = "Of this check. Default: whether trials pass.")
        private @Nullable String check;

        @Option(
                names = "--from",
                paramLabel = "LABELS",
                description = "Another campaign whose labels correct the rate, a sample, or all."
                        + " Default: the newest sample with labels.")
        private @Nullable String from;

        @Option(names = "--json", description = "Print the API's answer as JSON.")
        private boolean json;

        @Override
        public Integer call() {
            return ask(connect, (api, out) -> {
                Map<String, String> query = new LinkedHashMap<>();
                if (check != null) {
                    query.put("check", check);
                }
                if (from != null) {
                    query.put("labels", from);
                }
                JsonNode calibration = api.calibration(campaign, query);
                out.print(
                        json ? calibration.toPrettyString() + System.lineSeparator() : CalibrationText.of(calibration));
                return ExitCode.OK;
            });
        }
    }
}
