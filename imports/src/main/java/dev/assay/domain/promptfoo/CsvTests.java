package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rows of a CSV file as tests: columns that begin with two underscores say what is expected, all others are vars. */
final class CsvTests {

    private static final Pattern NUMBER = Pattern.compile("[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?");
    private static final Pattern CONFIG = Pattern.compile("__config:__expected(\\d*):threshold");
    private static final Pattern ASSERTION =
            Pattern.compile("((?:not-)?[a-z][a-z0-9-]*)(?:\\((\\d+(?:\\.\\d+)?)\\))?(?::(.*))?", Pattern.DOTALL);

    /** Types as CSV cells name them; any other cell is a text that the answer equals. */
    private static final Set<String> TYPES = Set.of(
            "answer-relevance",
            "bleu",
            "classifier",
            "contains",
            "contains-all",
            "contains-any",
            "contains-html",
            "contains-json",
            "contains-sql",
            "contains-xml",
            "context-faithfulness",
            "context-recall",
            "context-relevance",
            "cost",
            "equals",
            "factuality",
            "finish-reason",
            "g-eval",
            "gleu",
            "guardrails",
            "icontains",
            "icontains-all",
            "icontains-any",
            "is-html",
            "is-json",
            "is-refusal",
            "is-sql",
            "is-valid-function-call",
            "is-valid-openai-function-call",
            "is-valid-openai-tools-call",
            "is-xml",
            "javascript",
            "latency",
            "levenshtein",
            "llm-rubric",
            "meteor",
            "model-graded-closedqa",
            "model-graded-factuality",
            "moderation",
            "perplexity",
            "perplexity-score",
            "pi",
            "python",
            "regex",
            "rouge-n",
            "ruby",
            "similar",
            "starts-with",
            "tool-call-f1",
            "webhook",
            "word-count");

    /** Words before code, and its language. */
    private static final List<Map.Entry<String, String>> CODE = List.of(
            Map.entry("javascript:", "javascript"),
            Map.entry("fn:", "javascript"),
            Map.entry("eval:", "javascript"),
            Map.entry("python:", "python"));

    private static final Set<String> LISTS = Set.of("contains-all", "contains-any", "icontains-all", "icontains-any");

    /** In a cell these have a threshold of 0.75 where none is written, whatever it is elsewhere. */
    private static final Set<String> WITH_THRESHOLD =
            Set.of("cost", "latency", "levenshtein", "rouge-n", "starts-with");

    private final ImportReport report;
    private final String file;

    CsvTests(ImportReport report, String file) {
        this.report = report;
        this.file = file;
    }

    List<ObjectNode> read(List<ObjectNode> rows) {
        for (int i = 0; i < rows.size(); i++) {
            rows.set(i, test(rows.get(i), DocumentPath.item(file, i)));
        }
        return rows;
    }

    private ObjectNode test(ObjectNode row, String path) {
        ObjectNode test = JsonNodeFactory.instance.objectNode();
        ObjectNode vars = test.putObject("vars");
        ArrayNode asserts = test.putArray("assert");
        Map<Integer, BigDecimal> thresholds = new LinkedHashMap<>();
        row.properties().forEach(cell -> {
            String column = cell.getKey();
            String value = cell.getValue().textValue();
            Matcher config = CONFIG.matcher(column);
            if (column.startsWith("__expected")) {
                if (!value.isBlank()) {
                    asserts.add(assertion(value.strip()));
                }
            } else if (config.matches()) {
                threshold(value, DocumentPath.field(path, column), thresholds, config.group(1));
            } else if (column.startsWith("__")) {
                special(column, value, test, DocumentPath.field(path, column));
            } else {
                vars.put(column, value);
            }
        });
        thresholds.forEach((index, number) -> {
            if (asserts.get(index) instanceof ObjectNode assertion) {
                assertion.set("threshold", JsonNumbers.node(number));
            }
        });
        String metric = row.path("__metric").asText("");
        if (!metric.isEmpty()) {
            asserts.forEach(assertion -> ((ObjectNode) assertion).put("metric", metric));
        }
        return test;
    }

    private void threshold(String value, String path, Map<Integer, BigDecimal> thresholds, String number) {
        BigDecimal threshold = number(value);
        if (threshold == null) {
            report.error(path, "The cell must hold a number; write one.");
        } else {
            int index = number.isEmpty() ? 1 : Integer.parseInt(number.length() > 4 ? "9999" : number);
            thresholds.put(index - 1, threshold);
        }
    }

    private void special(String column, String value, ObjectNode test, String path) {
        switch (column) {
            case "__prefix", "__suffix" -> test.withObjectProperty("options").put(column.substring(2), value);
            case "__description" -> test.put("description", value);
            case "__metric" -> {}
            case "__threshold" -> {
                BigDecimal threshold = number(value);
                if (threshold != null) {
                    test.set("threshold", JsonNumbers.node(threshold));
                }
            }
            case "__providerOutput" -> {
                if (!value.isEmpty()) {
                    test.put("providerOutput", value);
                }
            }
            default -> {
                if (column.startsWith("__metadata:") && !value.isBlank()) {
                    test.withObjectProperty("metadata").put(column.substring("__metadata:".length()), value);
                } else if (column.startsWith("__config:")) {
                    report.error(path, "Only __config:__expectedN:threshold is known.");
                } else if (!column.startsWith("__metadata")) {
                    test.withObjectProperty("vars").put(column, value);
                }
            }
        }
    }

    private static @Nullable BigDecimal number(String value) {
        String text = value.strip();
        return NUMBER.matcher(text).matches() && text.length() < 100 ? new BigDecimal(text) : null;
    }

    static ObjectNode assertion(String cell) {
        ObjectNode assertion = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, String> code : CODE) {
            if (cell.startsWith(code.getKey())) {
                String value = cell.substring(code.getKey().length()).strip();
                return assertion.put("type", code.getValue()).put("value", value);
            }
        }
        for (String language : List.of("javascript", "python")) {
            if (AssertCode.isFile(language, cell)) {
                return assertion.put("type", language).put("value", cell);
            }
        }
        if (cell.startsWith("grade:")) {
            return assertion.put("type", "llm-rubric").put("value", cell.substring("grade:".length()));
        }
        Matcher named = ASSERTION.matcher(cell);
        String base = named.matches() ? named.group(1).replaceFirst("^not-", "") : "";
        if (!TYPES.contains(base)) {
            return assertion.put("type", "equals").put("value", cell);
        }
        assertion.put("type", named.group(1));
        String value = named.group(3);
        if (value != null && LISTS.contains(base)) {
            CommaList.read(value).forEach(assertion.putArray("value")::add);
        } else if (value != null) {
            assertion.put("value", base.endsWith("json") ? value : value.strip());
        }
        if (WITH_THRESHOLD.contains(base)) {
            String written = named.group(2);
            assertion.set("threshold", JsonNumbers.node(new BigDecimal(written == null ? "0.75" : written)));
        }
        return assertion;
    }
}
