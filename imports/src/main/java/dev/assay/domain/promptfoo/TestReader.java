package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.CsvRows;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.imports.SourcePrograms;
import dev.assay.domain.imports.SourcePrograms.Ran;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The reader of tests: written in the configuration, or in files of YAML, JSON, JSON Lines and CSV. */
final class TestReader {

    private static final String FILE = "file://";

    /** A test as it is written, and where. */
    record Written(ObjectNode test, String path) {}

    private final SourceFiles files;
    private final SourcePrograms programs;
    private final ImportReport report;
    private final List<Written> tests = new ArrayList<>();

    TestReader(SourceFiles files, SourcePrograms programs, ImportReport report) {
        this.files = files;
        this.programs = programs;
        this.report = report;
    }

    /** @param node a list of tests and files, or one file */
    List<Written> read(JsonNode node, String path) {
        if (node.isTextual() || node.path("path").isTextual()) {
            readFile(node, path, true);
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                JsonNode item = node.get(i);
                String at = DocumentPath.item(path, i);
                if (item.isTextual() || item.path("path").isTextual()) {
                    readFile(item, at, false);
                } else {
                    add(item, at);
                }
            }
        } else if (!node.isMissingNode() && !node.isNull()) {
            report.error(
                    path,
                    "`" + path + "` must be a list of tests or a file, but is " + ActualValue.describe(node) + ".");
        }
        return tests;
    }

    private void add(JsonNode item, String path) {
        if (item instanceof ObjectNode test) {
            tests.add(new Written(test, path));
        } else {
            report.error(path, "`" + path + "` must be a test, but is " + ActualValue.describe(item) + ".");
        }
    }

    private void readFile(JsonNode item, String path, boolean isOnly) {
        String name = item.isTextual() ? item.textValue() : item.path("path").textValue();
        if (name.contains("://") && !name.startsWith(FILE)) {
            report.unmapped(
                    LostPart.TEST,
                    path,
                    "Tests of other services cannot be imported; save them beside the configuration.");
            return;
        }
        String pattern = name.startsWith(FILE) ? name.substring(FILE.length()) : name;
        CodeName code = CodeName.read(name);
        try {
            if (code != null) {
                run(code, item.path("config"), path);
                return;
            }
            for (String file : files.matching(pattern)) {
                readFile(file, path, isOnly);
            }
        } catch (AssayException e) {
            report.error(path, e.failure().message());
        }
    }

    /** Has a program give the tests. */
    private void run(CodeName code, JsonNode config, String path) {
        var _ = files.code(code.file());
        List<JsonNode> arguments = config.isMissingNode() ? List.of() : List.of(config);
        switch (programs.run(code.call(SourcePrograms.Use.TESTS, arguments))) {
            case Ran.Returned(JsonNode value) when value.isArray() -> addAll(value, code.file(), false);
            case Ran.Returned(JsonNode value) ->
                report.error(
                        path,
                        code.file() + " must give a list of tests, but gives " + ActualValue.describe(value) + ".");
            case Ran.Failed(String message) -> report.error(path, message);
            case Ran.NotRun(String message) ->
                report.unmapped(LostPart.TEST, path, "Tests are given by a program, and " + message);
        }
    }

    private void readFile(String file, String path, boolean isOnly) {
        String kind = file.substring(file.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        switch (kind) {
            case "csv" -> {
                List<ObjectNode> rows = new CsvTests(report, file).read(CsvRows.read(files.text(file)));
                addAll(rows, file, true);
            }
            case "yaml", "yml" -> addAll(items(DocumentText.parse(files.text(file))), file, false);
            case "json" -> addAll(items(DocumentText.parse(files.text(file))), file, isOnly);
            case "jsonl" -> addAll(lines(files.text(file), file), file, isOnly);
            default ->
                report.unmapped(
                        LostPart.TEST,
                        path,
                        "Tests in " + file + " cannot be imported; write them as YAML, JSON, JSON Lines or CSV.");
        }
    }

    private static Iterable<JsonNode> items(JsonNode tree) {
        return tree.isArray() ? tree : List.of(tree);
    }

    private static List<JsonNode> lines(String text, String file) {
        List<JsonNode> lines = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank()) {
                try {
                    lines.add(DocumentText.parseJsonOnly(line));
                } catch (AssayException e) {
                    throw new AssayException(e.code(), file + ", line " + number + ": " + e.getMessage(), e);
                }
            }
        }
        return lines;
    }

    /** @param isNumbered whether a test without a description is called after its row */
    private void addAll(Iterable<? extends JsonNode> items, String file, boolean isNumbered) {
        int number = 0;
        for (JsonNode item : items) {
            String at = DocumentPath.item(file, number++);
            if (isNumbered
                    && item instanceof ObjectNode test
                    && test.path("description").asText("").isEmpty()) {
                test.put("description", "Row #" + number);
            }
            add(item, at);
        }
    }

    /** The vars of a test, which may stand in files of YAML. */
    ObjectNode vars(JsonNode written, String path) {
        ObjectNode vars = JsonNodeFactory.instance.objectNode();
        if (written instanceof ObjectNode object) {
            vars.setAll(object);
        } else if (written.isTextual() || written.isArray()) {
            ArrayNode names = written.isArray()
                    ? (ArrayNode) written
                    : JsonNodeFactory.instance.arrayNode().add(written);
            names.forEach(name -> readVars(name.asText(), path, vars));
        } else if (!written.isMissingNode() && !written.isNull()) {
            report.error(
                    path, "`" + path + "` must be an object or files, but is " + ActualValue.describe(written) + ".");
        }
        return vars;
    }

    private void readVars(String name, String path, ObjectNode vars) {
        try {
            for (String file : files.matching(name.startsWith(FILE) ? name.substring(FILE.length()) : name)) {
                if (DocumentText.parse(files.text(file)) instanceof ObjectNode object) {
                    vars.setAll(object);
                } else {
                    report.error(path, file + " must hold an object of vars.");
                }
            }
        } catch (AssayException e) {
            report.error(path, e.failure().message());
        }
    }
}
