package dev.assay.cli.command.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.command.ApiSession;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.results.OpenFile;
import dev.assay.cli.results.ResultCounts;
import dev.assay.cli.results.ResultGroups;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.results.form.ImportChoices;
import dev.assay.domain.results.form.ToolResults;
import dev.assay.standalone.server.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes campaigns of finished results of other tools. Nobody is asked, and nothing is evaluated again. */
@Command(
        name = "import-results",
        description =
                "Make a campaign of finished results of Inspect AI, promptfoo, the lm-evaluation-harness or OpenAI"
                        + " Evals.")
public final class ImportResultsCommand implements Callable<Integer> {

    private static final int NOT_COMPLETE = 101;

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the campaign. Default: as the tool names it.")
    private @Nullable String name;

    @Option(
            names = "--branch-id",
            paramLabel = "ID",
            description = "Id of the branch, where there is one. Default: the model.")
    private @Nullable String branchId;

    @Option(
            names = "--pass-at",
            paramLabel = "X",
            description =
                    "The score from which on a check passes. Default: 1. Not for tools with verdicts of their own.")
    private @Nullable Double passAt;

    @Option(
            names = "--verdict",
            paramLabel = "METRIC",
            description = "The only metric that decides whether an answer passes. Default: all of them.")
    private @Nullable String verdict;

    @Option(names = "--salvage", description = "Leave out samples of a damaged log, and import what is whole.")
    private boolean salvage;

    @Option(names = "--dry-run", description = "Show what would come, and store nothing. Needs no server.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print the campaign as JSON.")
    private boolean json;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Logs of Inspect (.eval, .json), results of promptfoo, samples_*.jsonl of the harness or their"
                            + " directory, saved objects of OpenAI's Evals API.")
    private List<Path> files = List.of();

    @Override
    public Integer call() {
        List<OpenFile> open = new ArrayList<>();
        try {
            for (Path path : paths()) {
                open.add(OpenFile.of(path, salvage));
            }
            List<ResultGroups.Group> groups = ResultGroups.of(open);
            ImportChoices options = new ImportChoices(name, branchId, passAt, verdict, salvage);
            return dryRun ? show(groups, options) : send(groups, options);
        } finally {
            open.forEach(OpenFile::close);
        }
    }

    private List<Path> paths() {
        List<Path> paths = new ArrayList<>();
        for (Path file : files) {
            if (Files.isDirectory(file)) {
                paths.addAll(inDirectory(file));
            } else if (Files.isRegularFile(file)) {
                paths.add(file);
            } else {
                throw new AssayException(ErrorCode.INVALID_INPUT, file + ": There is no such file.");
            }
        }
        return paths;
    }

    private static List<Path> inDirectory(Path directory) {
        try (Stream<Path> all = Files.list(directory)) {
            List<Path> found = all.filter(Files::isRegularFile)
                    .filter(path -> path.getFileName().toString().matches(".*\\.(json|jsonl|eval)"))
                    .sorted()
                    .toList();
            if (found.isEmpty()) {
                throw new AssayException(
                        ErrorCode.INVALID_INPUT, directory + ": The directory holds no file of results.");
            }
            return found;
        } catch (IOException e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, directory + ": It cannot be read: " + e.getMessage(), e);
        }
    }

    private int show(List<ResultGroups.Group> groups, ImportChoices options) {
        PrintWriter out = connect.common().out();
        boolean isWhole = true;
        for (ResultGroups.Group group : groups) {
            ToolResults results = group.reading().read(options);
            ResultCounts counts = new ResultCounts(header(group, results));
            results.write(counts::add);
            group.files().forEach(OpenFile::checkSame);
            out.println(counts.sentence());
            counts.aggregates()
                    .forEach(one -> out.println("  " + one.branch() + " " + one.metric() + ": theirs "
                            + said(one.theirs()) + ", ours " + said(one.ours())));
            Stream.concat(results.warnings().stream(), counts.warnings().stream())
                    .forEach(warning -> out.println("Warning: " + warning));
            isWhole &= tellEnd(out, results);
        }
        out.flush();
        return isWhole ? ExitCode.OK : NOT_COMPLETE;
    }

    private static String said(@Nullable Double number) {
        return number == null ? "unknown" : number.toString();
    }

    private static boolean tellEnd(PrintWriter out, ToolResults results) {
        String ended = results.ended();
        if (ended != null) {
            out.println("Not complete: " + ended);
        }
        return ended == null;
    }

    private ObjectNode header(ResultGroups.Group group, ToolResults results) {
        ObjectNode header = results.header();
        group.files().forEach(file -> header.withArray("files").add(file.described()));
        ObjectNode said = header.putObject("options");
        if (passAt != null) {
            said.put("passAt", passAt);
        }
        if (verdict != null) {
            said.put("verdict", verdict);
        }
        if (branchId != null) {
            said.put("branchId", branchId);
        }
        if (salvage) {
            said.put("salvage", true);
        }
        return header;
    }

    private int send(List<ResultGroups.Group> groups, ImportChoices options) {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            int code = ExitCode.OK;
            for (ResultGroups.Group group : groups) {
                code = Math.max(code, send(session.api(), group, options));
            }
            return code;
        }
    }

    private int send(AssayApi api, ResultGroups.Group group, ImportChoices options) {
        ToolResults results = group.reading().read(options);
        ResultSender.Sent sent = ResultSender.send(
                api.imports(),
                header(group, results),
                results,
                () -> group.files().forEach(OpenFile::checkSame));
        JsonNode campaign = api.campaignJson(sent.campaign());
        PrintWriter out = connect.common().out();
        PrintWriter told = json ? connect.common().err() : out;
        if (json) {
            out.println(campaign.toPrettyString());
        } else {
            out.println("Campaign " + sent.campaign() + (sent.isKnown() ? ", imported before" : "") + ": "
                    + campaign.path("cases").asInt() + " cases, "
                    + campaign.path("trials").asInt() + " trials, "
                    + campaign.path("progress").path("cellsDone").asLong() + " outcomes, "
                    + campaign.path("progress").path("cellsPassed").asLong() + " passed");
            out.println("Page: " + api.base().resolve("/ui/campaigns/" + sent.campaign()));
        }
        results.warnings().forEach(warning -> told.println("Warning: " + warning));
        api.imports()
                .report(sent.campaign())
                .path("warnings")
                .forEach(warning -> told.println("Warning: " + warning.asText()));
        boolean isWhole = campaign.path("import").path("complete").asBoolean();
        if (!isWhole) {
            told.println("Not complete: " + campaign.path("failureReason").asText());
        }
        told.flush();
        out.flush();
        return isWhole ? ExitCode.OK : NOT_COMPLETE;
    }
}
