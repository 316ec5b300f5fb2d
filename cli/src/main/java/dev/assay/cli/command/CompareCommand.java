package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.ComparisonTable;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.comparison.ComparisonReport;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.gate.Pairing;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.text.Excerpt;
import dev.assay.standalone.server.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two campaigns, or two branches of one. */
@Command(name = "compare", description = "Compare two campaigns that have ended, or two branches of one.")
public final class CompareCommand implements Callable<Integer> {

    private static final String WRITTEN = ", as CAMPAIGN or CAMPAIGN:BRANCH.";

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Parameters(index = "0", paramLabel = "A", description = "The baseline" + WRITTEN)
    private String a = "";

    @Parameters(index = "1", paramLabel = "B", description = "The candidate" + WRITTEN)
    private String b = "";

    @Option(
            names = "--max-drop",
            paramLabel = "X",
            description = "Exit 100 when the trial rate drops by more than X (0–1), 101 when the data decide neither."
                    + " Without it the verdict is for 0.02, and the exit code 0.")
    private @Nullable Double maxDrop;

    @Option(
            names = "--reducer",
            paramLabel = "NAME",
            description = "Also compare this number of each case, such as pass_at_5; may be given several times.")
    private List<String> reducers = List.of();

    @Option(
            names = "--pair",
            paramLabel = "WHAT",
            description = "What cases must have in common: content, or question, which leaves checks, threshold and"
                    + " metadata out. Default: content.")
    private @Nullable String pair;

    @Option(names = "--json", description = "Print the API's answer as JSON.")
    private boolean json;

    @Option(names = "--markdown", paramLabel = "F", description = "Write the comparison in Markdown to this file.")
    private @Nullable Path markdown;

    @Override
    public Integer call() {
        if (maxDrop != null && !(maxDrop >= 0 && maxDrop <= 1)) {
            throw connect.common().badUsage("--max-drop must be a number from 0 to 1, but is " + maxDrop);
        }
        if (pair != null && !Pairing.BY_WORD.containsKey(pair)) {
            throw connect.common().badUsage("--pair must be content or question, but is " + Excerpt.of(pair));
        }
        JsonNode answer;
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.LISTER, ApiSession.Joining.ANY)) {
            answer = session.api().compare(a, b, maxDrop, reducers, pair);
        }
        ComparisonReport report = Json.read(answer.toString(), ComparisonReport.class);
        PrintWriter out = connect.common().out();
        out.print(json ? answer.toPrettyString() + System.lineSeparator() : ComparisonTable.text(report));
        out.flush();
        if (markdown != null) {
            write(markdown, ComparisonTable.markdown(report));
        }
        return maxDrop == null ? ExitCode.OK : exitCode(report);
    }

    private static int exitCode(ComparisonReport report) {
        return switch (report.decision().verdict()) {
            case PASS -> ExitRule.PASSED;
            case FAIL -> ExitRule.FAILED;
            case INCONCLUSIVE -> ExitRule.INCONCLUSIVE;
        };
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE, "The comparison cannot be written to " + file + ": " + e, e);
        }
    }
}
