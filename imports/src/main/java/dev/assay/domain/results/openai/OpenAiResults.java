package dev.assay.domain.results.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.imports.FreeIds;
import dev.assay.domain.results.form.ImportChoices;
import dev.assay.domain.results.form.Neutral;
import dev.assay.domain.results.form.ResultSink;
import dev.assay.domain.results.form.ScoreChecks;
import dev.assay.domain.results.form.ToolResults;
import dev.assay.domain.results.form.Warnings;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.ResultTokens;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Runs of one eval of OpenAI, saved by their owner. Their verdicts stand. */
public final class OpenAiResults implements ToolResults {

    private static final Map<String, String> COUNTS =
            Map.of("passed", "passed", "failed", "failed", "errored", "errors");

    private final String file;
    private final ImportChoices options;
    private final EvalObjects objects;
    private final Warnings warnings = new Warnings();
    private final List<EvalItem> items;
    private final Map<String, String> branches = new LinkedHashMap<>();
    private final Map<String, Integer> trials = new HashMap<>();
    private int most = 1;

    /**
     * Takes objects that were looked through.
     *
     * @param file the first one, for people
     * @throws AssayException INVALID_INPUT when they are of several evals, or hold no output
     */
    public OpenAiResults(String file, EvalObjects objects, ImportChoices options) {
        this.file = file;
        this.options = options;
        this.objects = objects;
        if (options.passAt() != null) {
            throw AssayException.invalid(
                    "The results cannot be imported",
                    List.of(new FieldError(
                            "pass-at", "OpenAI's graders have verdicts, which stand; leave --pass-at out.")));
        }
        this.items = ordered(objects);
        checkOne();
        nameBranches();
        countTrials();
    }

    private static List<EvalItem> ordered(EvalObjects objects) {
        List<EvalItem> items = new ArrayList<>(objects.items());
        items.sort(Comparator.comparingLong(EvalItem::place)
                .thenComparingLong(EvalItem::createdAt)
                .thenComparing(EvalItem::id));
        return items;
    }

    /** Hands over each case that an import has: its id, and the item of the data source. */
    static void eachCase(EvalObjects objects, BiConsumer<String, JsonNode> reader) {
        Set<String> contents = new HashSet<>();
        Set<String> used = new HashSet<>();
        for (EvalItem item : ordered(objects)) {
            if (contents.add(item.content())) {
                JsonNode tree = ResultTokens.tree(item.text(), Set.of());
                reader.accept(free(String.valueOf(item.place()), used), tree.path("datasource_item"));
            }
        }
    }

    private void checkOne() {
        Set<String> evals = new TreeSet<>(objects.evals().keySet());
        items.forEach(item -> evals.add(item.eval()));
        if (evals.size() > 1) {
            throw BadResults.at(
                    file, "The objects are of several evals, " + String.join(", ", evals) + "; import each alone.");
        }
        if (items.isEmpty()) {
            throw BadResults.at(file, "There is no `eval.run.output_item`: save the output items of a run, too.");
        }
    }

    private void nameBranches() {
        Set<String> runs = new TreeSet<>();
        items.forEach(item -> runs.add(item.run()));
        List<String> ordered = new ArrayList<>(runs);
        ordered.sort(Comparator.comparingLong(
                        (String id) -> run(id).path("created_at").asLong(0))
                .thenComparing(id -> id));
        FreeIds ids = new FreeIds();
        Set<String> names = new HashSet<>();
        for (String id : ordered) {
            String name = named(id);
            branches.put(id, ids.of(names.add(name) ? name : name + "\0" + id, id));
        }
        if (options.branchId() != null && branches.size() == 1) {
            branches.replaceAll((_, _) -> options.branchId());
        }
    }

    private JsonNode run(String id) {
        JsonNode run = objects.runs().get(id);
        return run == null ? JsonNodeFactory.instance.objectNode() : run;
    }

    private String named(String id) {
        String name = run(id).path("name").asText("");
        return name.isEmpty() ? model(id) : name;
    }

    private String model(String id) {
        String model = run(id).path("model").asText("");
        if (!model.isEmpty()) {
            return model;
        }
        return items.stream()
                .filter(item -> item.run().equals(id))
                .map(EvalItem::sampleModel)
                .filter(one -> !one.isEmpty())
                .findFirst()
                .orElse(id);
    }

    /** Equal items of the data source are one case; those after the first are its trials in a run. */
    private void countTrials() {
        Map<String, Integer> counts = new HashMap<>();
        for (EvalItem item : items) {
            int trial = counts.merge(item.run() + " " + item.content(), 1, Integer::sum);
            trials.put(item.id(), trial);
            most = Math.max(most, trial);
        }
        if (most > 1_000) {
            throw BadResults.at(file, "An item is repeated " + most + " times; at most 1000 are imported.");
        }
    }

    @Override
    public ObjectNode header() {
        String eval = items.getFirst().eval();
        JsonNode spec = objects.evals().get(eval);
        String name = spec == null ? "" : spec.path("name").asText("");
        ObjectNode header = Neutral.header(
                "openai-evals", null, options.name() != null ? options.name() : name.isBlank() ? eval : name, most);
        branches.forEach((run, branch) -> {
            Neutral.branch(header, branch, model(run));
            JsonNode counts = run(run).path("result_counts");
            if (counts.isObject() && !counts.isEmpty()) {
                COUNTS.forEach((word, of) -> Neutral.aggregate(
                        header,
                        word,
                        branch,
                        counts.path(word).isNumber()
                                ? (Double) counts.path(word).doubleValue()
                                : null,
                        of));
            }
        });
        return header;
    }

    @Override
    public void write(ResultSink sink) {
        ScoreChecks checks = new ScoreChecks(options);
        Map<String, String> cases = new HashMap<>();
        Set<String> used = new HashSet<>();
        for (EvalItem item : items) {
            JsonNode tree = ResultTokens.tree(item.text(), Set.of());
            String caseId = cases.get(item.content());
            if (caseId == null) {
                caseId = free(String.valueOf(item.place()), used);
                cases.put(item.content(), caseId);
                sink.line(Neutral.line(suiteCase(caseId, tree)));
            }
            ObjectNode outcome = Neutral.outcome(
                    caseId,
                    branches.getOrDefault(item.run(), item.run()),
                    trials.getOrDefault(item.id(), 1),
                    isError(tree) ? "MODEL_ERROR" : "COMPLETED");
            sink.line(outcome(outcome, tree, checks));
        }
        checks.checkVerdict();
    }

    private static String free(String wanted, Set<String> used) {
        String id = wanted;
        for (int n = 2; !used.add(id); n++) {
            id = wanted + "-" + n;
        }
        return id;
    }

    private static ObjectNode suiteCase(String caseId, JsonNode item) {
        ObjectNode suiteCase = Neutral.newCase(caseId);
        suiteCase.set("vars", Neutral.plain(item.path("datasource_item")));
        List<ObjectNode> asked = new ArrayList<>();
        for (JsonNode message : item.path("sample").path("input")) {
            String role = message.path("role").asText("");
            boolean isTalk = role.equals("user") || role.equals("assistant");
            if (isTalk
                    && message.path("content").isTextual()
                    && !message.path("content").asText().isBlank()) {
                asked.add(Neutral.message(role, message.path("content").asText()));
            }
        }
        if (!asked.isEmpty() && asked.getLast().path("role").asText().equals("user")) {
            Neutral.ask(suiteCase, asked);
        }
        return suiteCase;
    }

    private static boolean isError(JsonNode item) {
        JsonNode error = item.path("sample").path("error");
        String status = item.path("status").asText("");
        return !error.path("code").asText("").isEmpty()
                || !error.path("message").asText("").isEmpty()
                || status.equals("error")
                || status.equals("errored");
    }

    private static ObjectNode outcome(ObjectNode outcome, JsonNode item, ScoreChecks checks) {
        JsonNode sample = item.path("sample");
        List<String> said = new ArrayList<>();
        for (JsonNode message : sample.path("output")) {
            if (message.path("role").asText("").equals("assistant")) {
                said.add(message.path("content").asText(""));
            }
        }
        outcome.put("response", String.join("\n", said));
        if (isError(item)) {
            JsonNode error = sample.path("error");
            Neutral.error(
                    outcome,
                    "IMPORTED_ERROR",
                    error.path("message").asText(error.path("code").asText("errored")));
        }
        ArrayNode all = outcome.putArray("checks");
        item.path("results").forEach(result -> all.add(check(result, checks)));
        checks.decide(outcome);
        JsonNode usage = sample.path("usage");
        if (usage.isObject() && !usage.isEmpty()) {
            ObjectNode tokens = outcome.putObject("usage");
            count(tokens, "input", usage.path("prompt_tokens"));
            count(tokens, "output", usage.path("completion_tokens"));
            count(tokens, "total", usage.path("total_tokens"));
        }
        Neutral.text(outcome, "finishReason", sample.path("finish_reason"));
        if (!sample.path("model").asText("").isBlank()) {
            outcome.putObject("served").put("model", sample.path("model").asText());
        }
        return outcome;
    }

    private static void count(ObjectNode tokens, String name, JsonNode value) {
        if (value.isIntegralNumber() && value.asLong() >= 0) {
            tokens.put(name, value.asLong());
        }
    }

    private static ObjectNode check(JsonNode result, ScoreChecks checks) {
        JsonNode score = result.path("score");
        JsonNode passed = result.path("passed");
        boolean isShare = score.isNumber() && score.doubleValue() >= 0 && score.doubleValue() <= 1;
        String status = !passed.isBoolean() ? "UNSCORED" : passed.booleanValue() ? "PASSED" : "FAILED";
        return checks.said(
                result.path("name").asText("grader"),
                status,
                isShare && passed.isBoolean() ? (Double) score.doubleValue() : null,
                score,
                "");
    }

    @Override
    public @Nullable String ended() {
        List<String> open = objects.runs().values().stream()
                .filter(run -> !run.path("status").asText("completed").equals("completed"))
                .map(run ->
                        run.path("id").asText() + " is " + run.path("status").asText())
                .toList();
        return open.isEmpty() ? null : "Runs have not completed: " + String.join(", ", open) + ".";
    }

    @Override
    public List<String> warnings() {
        return warnings.all();
    }
}
