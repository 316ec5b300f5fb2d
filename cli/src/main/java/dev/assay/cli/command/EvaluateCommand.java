package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.EvaluationsApi;
import dev.assay.cli.file.DocumentFile;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.BranchAnswer;
import dev.assay.cli.report.EvaluationTable;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one prompt through several branches and prints the selected response. */
@Command(name = "evaluate", description = "Run a prompt through several branches and print the selected response.")
public final class EvaluateCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Option(names = "--prompt", paramLabel = "TEXT", description = "The prompt; may be given several times.")
    private List<String> prompts = List.of();

    @Option(
            names = "--branch",
            paramLabel = "PROVIDER/MODEL",
            description = "A model, as in openai/gpt-6.1-terra; may be given several times.")
    private List<String> branches = List.of();

    @Option(
            names = "--strategy",
            paramLabel = "TYPE",
            description = "Strategy that selects the best, as in token-efficient.")
    private @Nullable String strategy;

    @Option(
            names = "--judge",
            paramLabel = "PROVIDER/MODEL",
            description = "A model that judges; the strategy is then llm-judge.")
    private @Nullable String judge;

    @Option(
            names = "--continue",
            paramLabel = "ID",
            description =
                    "Continue from the selected context of this evaluation. Without a branch the winner continues.")
    private @Nullable String earlier;

    @Option(names = "--json", description = "Print the API's answer as JSON.")
    private boolean json;

    @Option(names = "--events", description = "Print the events as they happen, one JSON object a line, and no result.")
    private boolean events;

    @Option(
            names = "--stream",
            paramLabel = "BRANCH",
            description = "Print the answer of this branch as it arrives; the selected one follows if it is another.")
    private @Nullable String streamed;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "YAML or JSON with prompts, context, branches, strategy, limits. Options override it.")
    private @Nullable Path file;

    @Override
    public Integer call() {
        ObjectNode document = document();
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.RUNNER, ApiSession.Joining.SHARED)) {
            EvaluationsApi evaluations = session.api().evaluations();
            JsonNode submitted =
                    earlier == null ? evaluations.submit(document) : evaluations.proceed(earlier, document);
            String id = submitted.path("id").asText();
            session.cancelOnInterrupt(evaluations, id);
            PrintWriter out = connect.common().out();
            BranchAnswer answer = streamed == null
                    ? null
                    : new BranchAnswer(streamed, out, connect.common().err());
            if (events || answer != null) {
                evaluations.events(id, event -> {
                    if (events) {
                        out.println(event);
                        out.flush();
                    } else if (answer != null) {
                        answer.accept(Json.tree(event));
                    }
                });
            }
            return show(evaluations.ended(id), answer, out);
        }
    }

    private ObjectNode document() {
        ObjectNode document = file == null ? JsonNodeFactory.instance.objectNode() : read(file);
        if (!prompts.isEmpty()) {
            ArrayNode texts = document.putArray("prompts");
            prompts.forEach(texts::add);
        }
        if (!branches.isEmpty()) {
            ArrayNode models = document.putArray("branches");
            branches.forEach(branch -> models.add(model("--branch", branch)));
        }
        if (judge != null) {
            if (strategy != null && !strategy.equals("llm-judge")) {
                throw connect.common().badUsage("--judge belongs to strategy llm-judge, not to " + strategy);
            }
            document.putObject("strategy").put("type", "llm-judge").set("judge", model("--judge", judge));
        } else if (strategy != null) {
            document.putObject("strategy").put("type", strategy);
        }
        if (document.isEmpty() && earlier == null) {
            throw connect.common().badUsage("Name a FILE, or give --prompt and --branch");
        }
        return document;
    }

    private static ObjectNode read(Path path) {
        JsonNode document = DocumentFile.read(path);
        if (document instanceof ObjectNode object) {
            return object;
        }
        throw AssayException.invalid(
                path + " is no evaluation: it must be an object with prompts and branches", List.of());
    }

    private ObjectNode model(String option, String written) {
        int slash = written.indexOf('/');
        if (slash < 1 || slash == written.length() - 1) {
            throw connect.common()
                    .badUsage(option + " must be PROVIDER/MODEL, as in openai/gpt-6.1-terra, but is " + written);
        }
        return JsonNodeFactory.instance
                .objectNode()
                .put("provider", written.substring(0, slash))
                .put("model", written.substring(slash + 1));
    }

    private int show(JsonNode evaluation, @Nullable BranchAnswer answer, PrintWriter out) {
        Interrupts.stayIfInterrupted();
        boolean isSelected = evaluation.path("selectedIndex").isNumber();
        PrintWriter err = connect.common().err();
        if (json) {
            out.println(evaluation.toPrettyString());
        } else if (!events) {
            err.print(EvaluationTable.of(evaluation));
            err.println(evaluation.path("selection").path("reason").asText());
            String id = evaluation.path("id").asText();
            err.println("Evaluation " + id + " (go on with: " + connect.pasted("assay evaluate --continue " + id)
                    + " --prompt …)");
            err.flush();
            boolean isPrinted = answer != null
                    && answer.printed(evaluation.path("selectedLoopId").asText());
            if (isSelected && !isPrinted) {
                out.println(response(evaluation));
            }
        }
        out.flush();
        if (!isSelected) {
            err.println("assay: " + evaluation.path("error").path("message").asText("Nothing was selected."));
            err.flush();
        }
        return isSelected ? ExitCode.OK : ExitCode.COULD_NOT_RUN;
    }

    private static String response(JsonNode evaluation) {
        for (JsonNode outcome : evaluation.path("outcomes")) {
            if (outcome.path("selected").asBoolean()) {
                return outcome.path("response").asText();
            }
        }
        return "";
    }
}
