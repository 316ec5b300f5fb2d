package dev.assay.domain.results.lmeval;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.imports.FreeIds;
import dev.assay.domain.results.form.ImportChoices;
import dev.assay.domain.results.form.Neutral;
import dev.assay.domain.results.form.ResultSink;
import dev.assay.domain.results.form.ScoreChecks;
import dev.assay.domain.results.form.ToolResults;
import dev.assay.domain.results.form.Warnings;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.JsonText;
import dev.assay.domain.results.source.ResultFile;
import dev.assay.domain.results.source.ResultTokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Samples of the lm-evaluation-harness. A document has a line for each filter; all of them are one case. */
public final class LmEvalResults implements ToolResults {

    private static final Pattern SAMPLES = Pattern.compile("samples_(.*)_[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9.:-]+\\.jsonl");
    private static final Pattern NO_METRIC = Pattern.compile(".*_stderr(,.*)?|alias|name|sample_len|sample_count");

    private final ImportChoices options;
    private final Warnings warnings = new Warnings();
    private final JsonNode results;
    private final Map<String, LmDocument> documents = new LinkedHashMap<>();
    private final SortedSet<String> tasks = new TreeSet<>();

    /** Metrics of the lines, as the tool's results name them, by task. */
    private final Map<String, Set<String>> metrics = new LinkedHashMap<>();

    private int trials = 1;

    /**
     * Reads samples.
     *
     * @param samples files of lines, at least one
     * @param results what the tool says of all of them; null: there is no such file
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when they are damaged
     */
    public LmEvalResults(List<ResultFile> samples, @Nullable ResultFile results, ImportChoices options) {
        this.options = options;
        JsonText text = results == null ? null : results.text();
        this.results =
                text == null ? JsonNodeFactory.instance.objectNode() : ResultTokens.tree(text, Set.of("samples"));
        samples.stream().sorted(Comparator.comparing(ResultFile::name)).forEach(file -> {
            Matcher name = SAMPLES.matcher(file.name());
            index(name.matches() ? name.group(1) : file.name(), Objects.requireNonNull(file.text()));
        });
        if (documents.isEmpty()) {
            throw BadResults.at(samples.getFirst().name(), "It holds no sample.");
        }
    }

    private void index(String task, JsonText text) {
        ResultTokens.read(text, parser -> {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token != JsonToken.START_OBJECT) {
                    throw new IOException(
                            "Line " + parser.currentTokenLocation().getLineNr() + " is no object.");
                }
                JsonText line = ResultTokens.part(parser, text);
                add(task, line, LmLine.of(line));
            }
            return task;
        });
    }

    private void add(String task, JsonText text, LmLine line) {
        String key = task + ":" + line.documentId();
        LmDocument document = documents.computeIfAbsent(key, _ -> new LmDocument(task, line.documentId()));
        JsonText other = document.lines().putIfAbsent(line.filter(), text);
        if (other != null) {
            throw BadResults.at(
                    text.place(),
                    "Document " + line.documentId() + " has a line for the filter " + line.filter() + " already: "
                            + other.place() + ".");
        }
        tasks.add(task);
        trials = Math.max(trials, line.responses().size());
        if (trials > 1_000) {
            throw BadResults.at(text.place(), "It has " + trials + " answers; at most 1000 are imported.");
        }
        line.metrics()
                .forEach(metric -> metrics.computeIfAbsent(task, _ -> new LinkedHashSet<>())
                        .add(metric + "," + line.filter()));
    }

    private String model() {
        JsonNode name = results.path("model_name");
        JsonNode kind = results.path("config").path("model");
        return name.isTextual() && !name.asText().isBlank() ? name.asText() : kind.asText("model");
    }

    private String branch() {
        String fit = IdRule.fit(model()).strip();
        return options.branchId() != null ? options.branchId() : IdRule.problem(fit) == null ? fit : "model";
    }

    @Override
    public ObjectNode header() {
        String name = options.name() == null ? String.join("+", tasks) : options.name();
        ObjectNode header = Neutral.header(
                "lm-evaluation-harness", results.path("lm_eval_version").textValue(), name, trials);
        Neutral.branch(header, branch(), model());
        tasks.forEach(task -> addAggregates(header, task));
        return header;
    }

    private void addAggregates(ObjectNode header, String task) {
        JsonNode theirs = results.path("results").path(task);
        Set<String> ofLines = metrics.getOrDefault(task, Set.of());
        Set<String> all = new LinkedHashSet<>(ofLines);
        theirs.fieldNames().forEachRemaining(name -> {
            if (!NO_METRIC.matcher(name).matches()) {
                all.add(name);
            }
        });
        for (String name : all) {
            JsonNode value = theirs.path(name);
            boolean isMean = ofLines.contains(name);
            String check = name.endsWith(",none") ? name.substring(0, name.length() - ",none".length()) : name;
            ObjectNode aggregate = Neutral.aggregate(
                    header,
                    task + ":" + check,
                    branch(),
                    value.isNumber() ? (Double) value.doubleValue() : null,
                    isMean ? "mean" : "other");
            if (isMean) {
                aggregate.put("check", check).put("tag", task);
            }
        }
    }

    @Override
    public void write(ResultSink sink) {
        ScoreChecks checks = new ScoreChecks(options);
        FreeIds ids = new FreeIds();
        List<String> caseIds = new ArrayList<>();
        for (LmDocument document : documents.values()) {
            String caseId = ids.of(document.task() + ":" + document.id(), "doc-" + (caseIds.size() + 1));
            caseIds.add(caseId);
            List<LmLine> lines =
                    document.lines().values().stream().map(LmLine::of).toList();
            sink.line(Neutral.line(suiteCase(caseId, document, lines.getFirst())));
            List<String> responses = lines.getFirst().responses();
            for (int trial = 1; trial <= responses.size(); trial++) {
                ObjectNode outcome = Neutral.outcome(caseId, branch(), trial, "COMPLETED");
                outcome.put("response", responses.get(trial - 1));
                var all = outcome.putArray("checks");
                if (trial == 1) {
                    lines.forEach(line -> line.checks(checks).forEach(all::add));
                }
                checks.decide(outcome);
                sink.line(outcome);
            }
        }
        checks.checkVerdict();
    }

    private static ObjectNode suiteCase(String caseId, LmDocument document, LmLine line) {
        ObjectNode suiteCase = Neutral.newCase(caseId);
        Neutral.ask(suiteCase, List.of(Neutral.message("user", line.asked())));
        suiteCase.putArray("tags").add(Neutral.line(document.task(), 128));
        Neutral.target(suiteCase, List.of(line.target()));
        if (!line.choices().isEmpty()) {
            suiteCase.withObjectProperty("metadata").put("choices", dev.assay.domain.json.Json.write(line.choices()));
        }
        return suiteCase;
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
