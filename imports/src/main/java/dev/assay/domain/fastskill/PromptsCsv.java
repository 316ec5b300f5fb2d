package dev.assay.domain.fastskill;

import dev.assay.domain.document.HeedingReader;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.document.InnerPath;
import dev.assay.domain.document.Problems;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.WhiteSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * The reader of {@code prompts.csv}: RFC 4180 with a header. Every error is found at once and names the line, from 1, on which its
 * record begins.
 */
public final class PromptsCsv {

    /** Stands before each error message. */
    public static final String CODE = "EVAL_INVALID_CSV";

    static final String SHOULD_TRIGGER = "should_trigger";

    private static final List<String> REQUIRED = List.of("id", "prompt", SHOULD_TRIGGER);
    private static final Set<String> KNOWN = Set.of("id", "prompt", SHOULD_TRIGGER, "tags", "workspace_subdir");
    private static final Set<String> TRUE = Set.of("true", "1");
    private static final int MAX_TAG = 128;

    /** Blank lines stay, so that lines can be counted. */
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setIgnoreEmptyLines(false)
            .setIgnoreSurroundingSpaces(true)
            .get();

    private final Problems problems;
    private final String path;
    private final List<PromptRow> rows = new ArrayList<>();
    private final Map<String, Long> lineOfId = new HashMap<>();
    private List<String> columns = List.of();

    private PromptsCsv(Problems problems, String path) {
        this.problems = problems;
        this.path = path;
    }

    /**
     * Reads {@code text}.
     *
     * @return the cases in order; what has an error is left out
     */
    public static List<PromptRow> read(String text, String path, Problems problems) {
        int before = problems.count();
        PromptsCsv csv = new PromptsCsv(problems, path);
        csv.readRecords(text.startsWith("\uFEFF") ? text.substring(1) : text);
        if (csv.columns.isEmpty() && problems.count() == before) {
            csv.problem("The file is empty; write the columns id, prompt and should_trigger, and a case below.");
        } else if (csv.rows.isEmpty() && problems.count() == before) {
            csv.problem("The file has no case; write one below its columns.");
        }
        return List.copyOf(csv.rows);
    }

    private void readRecords(String text) {
        long line = 1;
        try (CSVParser parser = CSVParser.parse(new HeedingReader(text), FORMAT)) {
            for (CSVRecord record : parser) {
                if (!readRecord(line, record.stream().map(WhiteSpace::trim).toList())) {
                    return;
                }
                line = parser.getCurrentLineNumber() + 1;
            }
        } catch (IOException | UncheckedIOException broken) {
            problem(
                    line,
                    "the record is no CSV by RFC 4180: a quoted cell must end in a quote before the next comma or line"
                            + " break, and a quote inside it is written twice.");
        }
    }

    /** Reads a record; false: nothing after it can be understood. */
    private boolean readRecord(long line, List<String> cells) {
        if (cells.size() == 1 && cells.getFirst().isEmpty()) {
            return true;
        }
        if (columns.isEmpty()) {
            columns = cells;
            return checkColumns(line);
        }
        if (cells.size() > columns.size()) {
            problem(line, "the record has " + cells.size() + " cells, but there are " + columns.size() + " columns.");
            return true;
        }
        Map<String, String> record = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            record.put(columns.get(i), i < cells.size() ? cells.get(i) : "");
        }
        readCase(line, record);
        return true;
    }

    private boolean checkColumns(long line) {
        int before = problems.count();
        List<String> missing =
                REQUIRED.stream().filter(name -> !columns.contains(name)).toList();
        if (!missing.isEmpty()) {
            problem(line, "column " + String.join(", ", missing) + " is missing; names are written in lower case.");
        }
        Set<String> seen = new HashSet<>();
        for (String column : columns) {
            if (column.isEmpty()) {
                problem(line, "a column has no name; name it or remove it.");
            } else if (!seen.add(column)) {
                problem(line, "column " + Excerpt.of(column, 60) + " is there twice; remove one.");
            }
        }
        return problems.count() == before;
    }

    private void readCase(long line, Map<String, String> record) {
        int before = problems.count();
        String id = cell(record, "id");
        checkId(line, id);
        if (cell(record, "prompt").isEmpty()) {
            problem(line, "prompt must not be blank.");
        }
        List<String> tags = Stream.of(cell(record, "tags").split(",", -1))
                .map(WhiteSpace::trim)
                .filter(tag -> !tag.isEmpty())
                .toList();
        if (tags.stream().anyMatch(PromptsCsv::isNoTag)) {
            problem(line, "tags must have at most " + MAX_TAG + " characters each, and no control characters.");
        }
        String directory = cell(record, "workspace_subdir");
        String wrong = directory.isEmpty() ? null : InnerPath.problem(directory);
        if (wrong != null) {
            problem(line, "workspace_subdir " + wrong + ".");
        }
        record.forEach((column, text) -> {
            if (text.indexOf('\0') >= 0 && !column.equals("id")) {
                problem(line, column + " holds the character U+0000, which cannot be stored; remove it.");
            }
        });
        if (problems.count() == before) {
            rows.add(row(id, record, tags, directory.isEmpty() ? null : directory));
        }
    }

    private static PromptRow row(String id, Map<String, String> record, List<String> tags, @Nullable String directory) {
        Map<String, String> others = new LinkedHashMap<>(record);
        others.keySet().removeAll(KNOWN);
        boolean shouldTrigger = TRUE.contains(cell(record, SHOULD_TRIGGER).toLowerCase(Locale.ROOT));
        return new PromptRow(id, cell(record, "prompt"), shouldTrigger, tags, directory, others);
    }

    private void checkId(long line, String id) {
        String wrong = IdRule.problem(id);
        if (wrong != null) {
            problem(line, "id " + wrong + ".");
            return;
        }
        Long earlier = lineOfId.putIfAbsent(id, line);
        if (earlier != null) {
            problem(
                    line,
                    "id " + Excerpt.of(id, IdRule.MAX_LENGTH) + " is already the id of the case that begins on line "
                            + earlier + "; give every case an id of its own.");
        }
    }

    private static boolean isNoTag(String tag) {
        return tag.codePointCount(0, tag.length()) > MAX_TAG || tag.chars().anyMatch(Character::isISOControl);
    }

    private static String cell(Map<String, String> record, String column) {
        return record.getOrDefault(column, "");
    }

    private void problem(long line, String message) {
        problems.add(path, CODE + ": line " + line + ": " + message);
    }

    private void problem(String message) {
        problems.add(path, CODE + ": " + message);
    }
}
