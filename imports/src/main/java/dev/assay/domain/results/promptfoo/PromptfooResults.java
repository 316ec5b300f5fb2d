package dev.assay.domain.results.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.imports.FreeIds;
import dev.assay.domain.json.Json;
import dev.assay.domain.results.form.ImportChoices;
import dev.assay.domain.results.form.Neutral;
import dev.assay.domain.results.form.ResultSink;
import dev.assay.domain.results.form.ScoreChecks;
import dev.assay.domain.results.form.ToolResults;
import dev.assay.domain.results.form.Warnings;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.JsonText;
import dev.assay.domain.results.source.ResultTokens;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Results of promptfoo, version 3. Its own verdicts stand. */
public final class PromptfooResults implements ToolResults {

    /** What the tool counts, and what that is here. */
    private static final Map<String, List<String>> COUNTS = counts();

    private final PromptfooFile file;
    private final JsonText text;
    private final ImportChoices options;
    private final Warnings warnings = new Warnings();
    private final List<String> branches = new ArrayList<>();

    /** The numbers of the tests that are equal, in order, by their content: they are trials of one case. */
    private final Map<String, List<Integer>> trials = new LinkedHashMap<>();

    private final List<PromptfooRow> rows;

    /** @throws AssayException INVALID_INPUT when it is no such file, or damaged */
    public PromptfooResults(JsonText text, ImportChoices options) {
        this.text = text;
        this.options = options;
        if (options.passAt() != null) {
            throw AssayException.invalid(
                    "The results cannot be imported",
                    List.of(new FieldError(
                            "pass-at", "promptfoo has verdicts of its own, which stand; leave --pass-at out.")));
        }
        this.file = new PromptfooFile(text);
        if (file.rows().isEmpty() || file.results().path("prompts").isEmpty()) {
            throw BadResults.at(text.place(), "It holds no results.");
        }
        nameBranches();
        this.rows = ordered();
        check();
    }

    private static Map<String, List<String>> counts() {
        Map<String, List<String>> counts = new LinkedHashMap<>();
        counts.put("passed", List.of("testPassCount", "passed"));
        counts.put("errors", List.of("testErrorCount", "errors"));
        counts.put("score", List.of("score", "score"));
        return counts;
    }

    private void nameBranches() {
        JsonNode prompts = file.results().path("prompts");
        Set<String> texts = new HashSet<>();
        prompts.forEach(prompt -> texts.add(prompt.path("raw").asText()));
        FreeIds ids = new FreeIds();
        Set<String> names = new HashSet<>();
        for (JsonNode prompt : prompts) {
            String provider = prompt.path("provider").asText("provider");
            String name =
                    texts.size() > 1 ? provider + " " + prompt.path("label").asText("") : provider;
            String wanted = names.add(name) ? name : name + "\0".repeat(branches.size());
            branches.add(ids.of(wanted, "branch-" + (branches.size() + 1)));
        }
        if (options.branchId() != null && branches.size() == 1) {
            branches.set(0, options.branchId());
        }
    }

    private List<PromptfooRow> ordered() {
        List<PromptfooRow> sorted = new ArrayList<>(file.rows());
        sorted.sort(Comparator.comparingInt(PromptfooRow::test).thenComparingInt(PromptfooRow::prompt));
        for (PromptfooRow row : sorted) {
            List<Integer> tests = trials.computeIfAbsent(row.content(), _ -> new ArrayList<>());
            if (tests.isEmpty() || tests.getLast() != row.test()) {
                tests.add(row.test());
            }
        }
        Map<String, Integer> places = new HashMap<>();
        trials.keySet().forEach(content -> places.put(content, places.size()));
        sorted.sort(Comparator.comparingInt((PromptfooRow row) -> trial(row))
                .thenComparingInt(row -> places.getOrDefault(row.content(), 0))
                .thenComparingInt(PromptfooRow::prompt));
        return sorted;
    }

    private int trial(PromptfooRow row) {
        return java.util.Collections.binarySearch(trials.getOrDefault(row.content(), List.of()), row.test()) + 1;
    }

    private void check() {
        Map<List<Integer>, PromptfooRow> cells = new HashMap<>();
        for (PromptfooRow row : rows) {
            if (row.prompt() < 0 || row.prompt() >= branches.size()) {
                throw BadResults.at(
                        row.text().place(), "There is no prompt " + row.prompt() + " in `results.prompts`.");
            }
            PromptfooRow other = cells.put(List.of(row.test(), row.prompt()), row);
            if (other != null) {
                throw BadResults.at(
                        row.text().place(),
                        "Test " + row.test() + " has a result of prompt " + row.prompt() + " already: "
                                + other.text().place() + ".");
            }
        }
    }

    @Override
    public ObjectNode header() {
        JsonNode description = file.document().path("config").path("description");
        String name = options.name() != null
                ? options.name()
                : description.asText("").isBlank()
                        ? file.document().path("evalId").asText("promptfoo")
                        : description.asText();
        int most = trials.values().stream().mapToInt(List::size).max().orElse(1);
        if (most > 1_000) {
            throw BadResults.at(text.place(), "A test is repeated " + most + " times; at most 1000 are imported.");
        }
        ObjectNode header = Neutral.header(
                "promptfoo",
                file.document().path("metadata").path("promptfooVersion").textValue(),
                name,
                most);
        for (int i = 0; i < branches.size(); i++) {
            JsonNode prompt = file.results().path("prompts").get(i);
            String id = branches.get(i);
            Neutral.branch(header, id, prompt.path("provider").asText("provider"));
            COUNTS.forEach((metric, names) -> {
                JsonNode theirs = prompt.path("metrics").path(names.getFirst());
                Neutral.aggregate(
                        header, metric, id, theirs.isNumber() ? (Double) theirs.doubleValue() : null, names.getLast());
            });
        }
        return header;
    }

    @Override
    public void write(ResultSink sink) {
        ScoreChecks checks = new ScoreChecks(options);
        PromptfooChecks components = new PromptfooChecks(checks);
        FreeIds ids = new FreeIds();
        Set<String> names = new HashSet<>();
        Map<String, String> cases = new HashMap<>();
        for (PromptfooRow row : rows) {
            JsonNode tree = ResultTokens.tree(row.text(), Set.of());
            String caseId = cases.get(row.content());
            if (caseId == null) {
                caseId = caseId(tree.path("testCase").path("description"), cases.size() + 1, ids, names);
                cases.put(row.content(), caseId);
                sink.line(Neutral.line(suiteCase(caseId, tree.path("testCase"))));
            }
            sink.line(outcome(
                    tree, Neutral.outcome(caseId, branches.get(row.prompt()), trial(row), status(tree)), components));
        }
        checks.checkVerdict();
    }

    private static String caseId(JsonNode description, int number, FreeIds ids, Set<String> names) {
        String key = "test-" + number;
        String text = description.asText("");
        if (text.isEmpty()) {
            return ids.of(key, key);
        }
        return ids.of(names.add(text) ? text : text + "\0" + key, key);
    }

    private static ObjectNode suiteCase(String caseId, JsonNode test) {
        ObjectNode suiteCase = Neutral.newCase(caseId);
        JsonNode vars = Neutral.plain(test.path("vars"));
        suiteCase.set("vars", vars.isObject() ? vars : Json.mapper().createObjectNode());
        Neutral.keep(suiteCase, test.path("metadata"));
        return suiteCase;
    }

    private static String status(JsonNode row) {
        return row.path("failureReason").asInt(0) == 2 ? "MODEL_ERROR" : "COMPLETED";
    }

    private static ObjectNode outcome(JsonNode row, ObjectNode outcome, PromptfooChecks components) {
        JsonNode response = row.path("response");
        JsonNode output = response.path("output");
        boolean isNone = output.isMissingNode() || output.isNull();
        outcome.put("response", isNone ? "" : output.isTextual() ? output.asText() : Json.write(Neutral.plain(output)));
        components.addAll(outcome.putArray("checks"), row.path("gradingResult").path("componentResults"));
        if (status(row).equals("MODEL_ERROR")) {
            Neutral.error(outcome, "IMPORTED_ERROR", row.path("error").asText(""));
            outcome.put("passed", false).putNull("score");
        } else {
            outcome.put("passed", row.path("success").asBoolean());
            outcome.set("score", Neutral.plain(row.get("score")));
        }
        JsonNode usage = response.path("tokenUsage");
        if (usage.isObject() && !usage.isEmpty()) {
            ObjectNode tokens = outcome.putObject("usage");
            tokens.put("input", usage.path("prompt").asLong(0));
            tokens.put("output", usage.path("completion").asLong(0));
            tokens.put("total", usage.path("total").asLong(0));
        }
        number(outcome, "costUsd", response.path("cost"));
        if (row.path("latencyMs").isNumber()) {
            outcome.put(
                    "latencyMs", Math.max(0, Math.round(row.path("latencyMs").doubleValue())));
        }
        Neutral.text(outcome, "finishReason", response.path("finishReason"));
        return outcome;
    }

    private static void number(ObjectNode outcome, String field, JsonNode value) {
        if (value.isNumber() && Double.isFinite(value.doubleValue()) && value.doubleValue() >= 0) {
            outcome.set(field, value);
        }
    }

    @Override
    public @Nullable String ended() {
        return null;
    }

    @Override
    public List<String> warnings() {
        return warnings.all();
    }
}
