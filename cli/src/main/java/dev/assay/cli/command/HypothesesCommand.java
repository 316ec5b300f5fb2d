package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.EvaluationsApi;
import dev.assay.cli.file.HypothesisFile;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.HypothesisTable;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.hypothesis.BatchPlan.Mode;
import dev.assay.domain.hypothesis.HypothesisVerdict;
import dev.assay.domain.hypothesis.ModeComparison;
import dev.assay.domain.hypothesis.ModeComparison.Score;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.ExitRule;
import dev.assay.standalone.server.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Scores hypotheses by a rubric and prints them, best first. */
@Command(name = "hypotheses", description = "Score hypotheses by a rubric, in batches that run at the same time.")
public final class HypothesesCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Parameters(
            paramLabel = "FILE",
            description = "YAML or JSON with challenger, hypotheses, rubric, parallelConfig, shuffleSeed, limits."
                    + " Options override it.")
    private @Nullable Path file;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "single, batched or individual. Default: single for up to 3 hypotheses, else batched.")
    private @Nullable String mode;

    @Option(names = "--batch-size", paramLabel = "N", description = "Hypotheses of one call. Default: 2.")
    private @Nullable Integer batchSize;

    @Option(names = "--max-concurrent", paramLabel = "N", description = "Concurrent calls. Default: 3.")
    private @Nullable Integer maxConcurrent;

    @Option(names = "--json", description = "Print the API's answer as JSON.")
    private boolean json;

    @Option(names = "--markdown", paramLabel = "F", description = "Write a report in Markdown to this file.")
    private @Nullable Path markdown;

    @Option(names = "--compare-modes", description = "Run all three modes, one after the other, and compare them.")
    private boolean compareModes;

    @Override
    public Integer call() {
        if (compareModes && mode != null) {
            throw connect.common().badUsage("--compare-modes runs all modes; leave --mode out");
        }
        ObjectNode document = document();
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.RUNNER, ApiSession.Joining.SHARED)) {
            return compareModes ? compare(session, document) : show(ended(session, document));
        }
    }

    private ObjectNode document() {
        ObjectNode document = HypothesisFile.load(Objects.requireNonNull(file));
        if (mode != null) {
            config(document).put("mode", mode);
        }
        if (batchSize != null) {
            config(document).put("batchSize", batchSize);
        }
        if (maxConcurrent != null) {
            config(document).put("maxConcurrent", maxConcurrent);
        }
        return document;
    }

    /** A field that is no object is left for the server to refuse. */
    private static ObjectNode config(ObjectNode document) {
        JsonNode written = document.path("parallelConfig");
        return written instanceof ObjectNode object
                ? object
                : written.isMissingNode() || written.isNull()
                        ? document.putObject("parallelConfig")
                        : Json.mapper().createObjectNode();
    }

    private JsonNode ended(ApiSession session, ObjectNode document) {
        EvaluationsApi evaluations = session.api().hypotheses();
        String id = evaluations.submit(document).path("id").asText();
        session.cancelOnInterrupt(evaluations, id);
        return evaluations.ended(id);
    }

    private int compare(ApiSession session, ObjectNode document) {
        Map<String, JsonNode> evaluations = new LinkedHashMap<>();
        Map<String, Map<String, Score>> scores = new LinkedHashMap<>();
        for (Mode each : Mode.values()) {
            ObjectNode one = document.deepCopy();
            ObjectNode config = config(one).put("mode", each.word());
            if (each != Mode.BATCHED) {
                config.remove("batchSize");
            }
            JsonNode evaluation = ended(session, one);
            evaluations.put(each.word(), evaluation);
            scores.put(each.word(), scores(evaluation));
        }
        Interrupts.stayIfInterrupted();
        List<ModeComparison> comparisons = ModeComparison.of(scores);
        String table = HypothesisTable.modes(evaluations, comparisons);
        PrintWriter out = connect.common().out();
        if (json) {
            ObjectNode said = Json.mapper().createObjectNode();
            said.set("modes", Json.mapper().valueToTree(evaluations));
            said.set("comparisons", Json.mapper().valueToTree(comparisons));
            out.println(said.toPrettyString());
        } else {
            out.print(table);
        }
        out.flush();
        write(table);
        return evaluations.values().stream().mapToInt(this::warned).max().orElse(ExitCode.OK);
    }

    private static Map<String, Score> scores(JsonNode evaluation) {
        Map<String, Score> scores = new HashMap<>();
        for (String list : List.of("scoredHypotheses", "rejected")) {
            for (JsonNode one : evaluation.path(list)) {
                HypothesisVerdict verdict = Objects.requireNonNull(
                        HypothesisVerdict.of(one.path("verdict").asText()));
                scores.put(
                        one.path("id").asText(), new Score(one.path("composite").decimalValue(), verdict));
            }
        }
        return scores;
    }

    private int show(JsonNode evaluation) {
        Interrupts.stayIfInterrupted();
        PrintWriter out = connect.common().out();
        out.print(json ? evaluation.toPrettyString() + System.lineSeparator() : HypothesisTable.text(evaluation));
        out.flush();
        write(HypothesisTable.markdown(evaluation));
        return warned(evaluation);
    }

    private void write(String report) {
        if (markdown != null) {
            try {
                Files.writeString(markdown, report);
            } catch (IOException e) {
                throw new AssayException(
                        ErrorCode.STORE_UNAVAILABLE, "The report cannot be written to " + markdown + ": " + e, e);
            }
        }
    }

    /** Prints failures to standard error; returns the exit code of the evaluation. */
    private int warned(JsonNode evaluation) {
        PrintWriter err = connect.common().err();
        evaluation.path("warnings").forEach(warning -> err.println("Warning: " + warning.asText()));
        boolean nothing = evaluation.at("/summary/scored").asInt() == 0;
        if (nothing) {
            err.println("assay: Nothing was scored (" + evaluation.path("state").asText() + ").");
        }
        err.flush();
        return nothing
                ? ExitCode.COULD_NOT_RUN
                : evaluation.path("unscored").isEmpty() ? ExitCode.OK : ExitRule.INCONCLUSIVE;
    }
}
