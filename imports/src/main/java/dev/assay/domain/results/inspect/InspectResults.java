package dev.assay.domain.results.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.imports.FreeIds;
import dev.assay.domain.json.Json;
import dev.assay.domain.results.form.ImportChoices;
import dev.assay.domain.results.form.Neutral;
import dev.assay.domain.results.form.ResultSink;
import dev.assay.domain.results.form.ScoreChecks;
import dev.assay.domain.results.form.ToolResults;
import dev.assay.domain.results.form.Warnings;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.ResultFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A log of Inspect AI as results. Its samples are read one by one; only what names them stays in memory. */
public final class InspectResults implements ToolResults {

    private static final int MOST_EPOCHS = 1_000;

    /** Parameters of Inspect that have a counterpart. */
    private static final Map<String, String> PARAMETERS =
            Map.of("temperature", "temperature", "top_p", "topP", "max_tokens", "maxOutputTokens", "seed", "seed");

    private final ResultFile file;
    private final ImportChoices options;
    private final Warnings warnings = new Warnings();
    private final InspectLog log;
    private final JsonNode header;
    private final JsonNode spec;
    private final List<LogSample> samples;
    private final Map<JsonNode, String> caseIds = new HashMap<>();
    private final int epochs;
    private int written;

    /** @throws dev.assay.domain.error.AssayException INVALID_INPUT when it is no such log, or damaged */
    public InspectResults(ResultFile file, ImportChoices options) {
        this.file = file;
        this.options = options;
        this.log = new InspectLog(file, options.salvage(), warnings);
        this.header = log.header();
        this.spec = header.path("eval");
        if (!spec.path("model").isTextual() || !spec.path("task").isTextual()) {
            throw BadResults.at(file.name(), "The log names no `eval.task` and `eval.model`.");
        }
        this.samples = new ArrayList<>(log.samples());
        if (samples.isEmpty()) {
            throw BadResults.at(file.name(), "The log holds no sample.");
        }
        this.epochs = Math.max(spec.path("config").path("epochs").asInt(1), 1);
        order();
        check();
    }

    /** By epoch; in it as the data set lists them, then others: numbers, then texts. */
    private void order() {
        Map<JsonNode, Integer> ranks = new HashMap<>();
        FreeIds ids = new FreeIds();
        Set<String> names = new HashSet<>();
        for (JsonNode id : spec.path("dataset").path("sample_ids")) {
            ranks.putIfAbsent(id, ranks.size());
            name(id, ids, names);
        }
        samples.sort(Comparator.comparingInt(LogSample::epoch)
                .thenComparing(sample -> ranks.getOrDefault(sample.id(), Integer.MAX_VALUE))
                .thenComparing(sample -> sample.id().isTextual())
                .thenComparing(sample -> sample.id().isTextual()
                        ? java.math.BigInteger.ZERO
                        : sample.id().bigIntegerValue())
                .thenComparing(sample -> sample.id().asText()));
        samples.forEach(sample -> name(sample.id(), ids, names));
    }

    /** A number and a text of the same digits are two samples. */
    private void name(JsonNode id, FreeIds ids, Set<String> names) {
        if (!caseIds.containsKey(id)) {
            String text = id.asText();
            String wanted = names.add(text) ? text : text + "\0";
            caseIds.put(id, ids.of(wanted, "sample-" + (caseIds.size() + 1)));
        }
    }

    private void check() {
        if (trials() > MOST_EPOCHS) {
            throw BadResults.at(
                    file.name(), "It has " + trials() + " epochs; at most " + MOST_EPOCHS + " are imported.");
        }
        LogSample last = null;
        for (LogSample sample : samples) {
            if (last != null && last.epoch() == sample.epoch() && last.id().equals(sample.id())) {
                throw BadResults.at(
                        sample.text().place(),
                        "Sample " + sample.id() + " of epoch " + sample.epoch() + " is there twice; the other one: "
                                + last.text().place() + ".");
            }
            last = sample;
        }
    }

    private int trials() {
        return Math.max(epochs, samples.getLast().epoch());
    }

    private String branch() {
        String fit = IdRule.fit(spec.path("model").asText()).strip();
        return options.branchId() == null ? (IdRule.problem(fit) == null ? fit : "model") : options.branchId();
    }

    @Override
    public ObjectNode header() {
        JsonNode display = spec.path("task_display_name");
        String name = options.name() != null
                ? options.name()
                : display.isTextual() ? display.asText() : spec.path("task").asText();
        JsonNode version = spec.path("packages").path("inspect_ai");
        ObjectNode said = Neutral.header("inspect_ai", version.isTextual() ? version.asText() : null, name, trials());
        if (spec.path("created").isTextual() && spec.path("created").asText().contains("T")) {
            said.put("createdAt", spec.path("created").asText());
        }
        ObjectNode branch = Neutral.branch(said, branch(), spec.path("model").asText());
        PARAMETERS.forEach((theirs, ours) -> {
            JsonNode value = spec.path("model_generate_config").path(theirs);
            if (value.isNumber()) {
                branch.withObjectProperty("parameters").set(ours, value);
            }
        });
        for (JsonNode score : header.path("results").path("scores")) {
            addAggregates(said, score);
        }
        return said;
    }

    private void addAggregates(ObjectNode said, JsonNode score) {
        String reducer = score.path("reducer").asText("mean");
        boolean isMean = reducer.equals("mean");
        String name = score.path("name").asText("");
        for (JsonNode metric : score.path("metrics")) {
            String kind = metric.path("name").asText("");
            Double theirs = metric.path("value").isNumber()
                    ? (Double) metric.path("value").doubleValue()
                    : null;
            if (isMean && (kind.equals("accuracy") || kind.equals("mean"))) {
                Neutral.aggregate(said, name, branch(), theirs, "mean").put("check", name);
            } else {
                Neutral.aggregate(said, name + " " + kind, branch(), theirs, "other");
            }
        }
    }

    @Override
    public void write(ResultSink sink) {
        ScoreChecks checks = new ScoreChecks(options);
        InspectOutcome outcomes = new InspectOutcome(spec.path("model").asText(), branch(), checks, warnings);
        Map<String, Integer> inputs = new HashMap<>();
        for (LogSample sample : samples) {
            JsonNode tree = log.read(sample);
            if (tree == null) {
                continue;
            }
            JsonNode resolved = outcomes.resolved(tree);
            String caseId = caseIds.getOrDefault(sample.id(), sample.id().asText());
            int input = outcomes.asked(resolved);
            Integer before = inputs.putIfAbsent(caseId, input);
            if (before == null) {
                sink.line(Neutral.line(outcomes.suiteCase(caseId, sample.id().asText(), resolved)));
            } else if (before != input) {
                throw BadResults.at(
                        sample.text().place(),
                        "The input of sample " + sample.id() + " is not that of its first epoch: it is no repetition.");
            }
            sink.line(outcomes.outcome(caseId, sample.epoch(), resolved));
            written++;
        }
        if (written == 0) {
            throw BadResults.at(file.name(), "No sample of the log is whole.");
        }
        checks.checkVerdict();
    }

    @Override
    public @Nullable String ended() {
        String status = header.path("status").asText("");
        JsonNode expected = spec.path("dataset").path("samples");
        long missing = expected.isIntegralNumber() ? expected.asLong() * epochs - written : samples.size() - written;
        if (status.equals("success") && missing == 0) {
            return null;
        }
        return "The log has the status " + Json.write(Neutral.line(status, 100)) + ". Samples that are missing: "
                + Math.max(missing, 0) + ".";
    }

    @Override
    public List<String> warnings() {
        return warnings.all();
    }
}
