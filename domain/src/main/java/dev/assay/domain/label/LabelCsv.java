package dev.assay.domain.label;

import dev.assay.domain.document.HeedingReader;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.WhiteSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * The reader of labels: RFC 4180 with a header, columns in any order. Every error is found at once and names line and column. The
 * apostrophes that exports put before formulas are taken off.
 */
public final class LabelCsv {

    /** The number of lines that a file may have. */
    public static final int MOST_LINES = 1_000_000;

    /** The largest number of a trial. */
    private static final int MAX_TRIAL = 1_000_000;

    private static final int COUNTED_LINES = 1_000;

    /** Columns of the files of samples that are there for people. */
    private static final Set<String> SHOWN = Set.of("prompt", "context", "response");

    private static final Pattern FORMULA = Pattern.compile("'[=+\\-@\t\r].*", Pattern.DOTALL);
    private static final Pattern ITEM = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern TRIAL = Pattern.compile("[0-9]{1,9}");

    /** Blank lines stay, so that lines can be counted. */
    private static final CSVFormat FORMAT =
            CSVFormat.RFC4180.builder().setIgnoreEmptyLines(false).get();

    private enum Column {
        CAMPAIGN,
        CASE,
        BRANCH,
        TRIAL,
        CHECK,
        LABEL,
        LABELLER,
        NOTE,
        AT,
        ITEM;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static @Nullable Column of(String word) {
            for (Column column : values()) {
                if (column.word().equals(word)) {
                    return column;
                }
            }
            return null;
        }
    }

    private final Problems problems = new Problems();
    private final LongConsumer taken;
    private final List<LabelLine> lines = new ArrayList<>();
    private final List<String> ignored = new ArrayList<>();
    private final Map<Column, Integer> places = new EnumMap<>(Column.class);
    private int width;
    private int open;

    private LabelCsv(LongConsumer taken) {
        this.taken = taken;
    }

    /**
     * Reads {@code text}.
     *
     * @param taken receives numbers of further lines before they are kept, so that their memory can be taken
     * @throws AssayException MALFORMED_INPUT when it is no CSV; INVALID_INPUT with all that is wrong
     */
    public static LabelFile read(String text, LongConsumer taken) {
        LabelCsv csv = new LabelCsv(taken);
        csv.readRecords(text.startsWith("\uFEFF") ? text.substring(1) : text);
        csv.problems.throwIfAny("file of labels");
        return new LabelFile(csv.lines, csv.open, csv.ignored);
    }

    private void readRecords(String text) {
        long line = 1;
        try (CSVParser parser = CSVParser.parse(new HeedingReader(text), FORMAT)) {
            for (CSVRecord row : parser) {
                if (!isBlank(row)) {
                    if (width == 0) {
                        readHeader(line, row);
                        problems.throwIfAny("file of labels");
                    } else {
                        readRow(line, row);
                    }
                }
                line = parser.getCurrentLineNumber() + 1;
            }
        } catch (IOException | UncheckedIOException broken) {
            throw new AssayException(
                    ErrorCode.MALFORMED_INPUT,
                    "The file is no CSV by RFC 4180 from line " + line
                            + " on: a quoted cell must end in a quote before the next comma or line break",
                    broken);
        }
        if (width == 0) {
            problems.add(LabelFile.place(1, "label"), "The file is empty; write a header with the column label.");
        }
    }

    private static boolean isBlank(CSVRecord row) {
        return row.size() == 1 && row.get(0).isEmpty();
    }

    private void readHeader(long line, CSVRecord row) {
        width = row.size();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < width; i++) {
            String name = WhiteSpace.trim(row.get(i));
            Column column = Column.of(name);
            if (!seen.add(name)) {
                problems.add(
                        LabelFile.place(line, Excerpt.of(name, 60)), "The file names this column twice; remove one.");
            } else if (column != null) {
                places.put(column, i);
            } else if (!SHOWN.contains(name)) {
                ignored.add(Excerpt.of(name, 60));
            }
        }
        if (!places.containsKey(Column.LABEL)) {
            problems.add(LabelFile.place(line, "label"), "The file lacks the column label.");
        }
        if (!places.containsKey(Column.CASE) && !places.containsKey(Column.ITEM)) {
            problems.add(LabelFile.place(line, "case"), "The file lacks the column case, or item in its place.");
        }
    }

    private void readRow(long line, CSVRecord row) {
        if (row.size() > width) {
            problems.add(
                    LabelFile.place(line, "column " + (width + 1)),
                    "The line has " + row.size() + " cells, but there are " + width + " columns.");
            return;
        }
        if (cell(row, Column.LABEL).isBlank()) {
            open++;
            return;
        }
        if (lines.size() == MOST_LINES) {
            throw AssayException.invalid(
                    "The file has more than " + MOST_LINES + " labels: send it in parts", List.of());
        }
        if (lines.size() % COUNTED_LINES == 0) {
            taken.accept(COUNTED_LINES);
        }
        int before = problems.count();
        LabelLine read = new LabelLine(
                line,
                target(line, row),
                named(line, row, Column.CHECK),
                value(line, row),
                named(line, row, Column.LABELLER),
                text(line, row, Column.NOTE, LabelRules::noteProblem),
                at(line, row));
        if (problems.count() == before) {
            lines.add(read);
        }
    }

    private LabelLine.Target target(long line, CSVRecord row) {
        String campaign = named(line, row, Column.CAMPAIGN);
        String item = WhiteSpace.trim(cell(row, Column.ITEM));
        if (!item.isEmpty()) {
            if (!ITEM.matcher(item).matches()) {
                problem(line, Column.ITEM, "must be 16 hexadecimal digits, as the file of a sample has them");
            }
            return new LabelLine.Item(campaign, item);
        }
        String caseId = named(line, row, Column.CASE);
        if (caseId == null) {
            problem(line, Column.CASE, "must not be blank");
        }
        return new LabelLine.Cell(
                campaign, caseId == null ? "" : caseId, named(line, row, Column.BRANCH), trial(line, row));
    }

    private int trial(long line, CSVRecord row) {
        String text = WhiteSpace.trim(cell(row, Column.TRIAL));
        if (text.isEmpty()) {
            return 1;
        }
        int trial = TRIAL.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (trial < 1 || trial > MAX_TRIAL) {
            problem(line, Column.TRIAL, "must be a whole number from 1 to " + MAX_TRIAL);
        }
        return trial;
    }

    private LabelValue value(long line, CSVRecord row) {
        LabelValue value = LabelValue.parse(cell(row, Column.LABEL));
        if (value == null) {
            problem(line, Column.LABEL, LabelValue.RULE);
        }
        return value == null ? LabelValue.UNSURE : value;
    }

    private @Nullable Instant at(long line, CSVRecord row) {
        String text = WhiteSpace.trim(cell(row, Column.AT));
        if (text.isEmpty()) {
            return null;
        }
        try {
            Instant at = OffsetDateTime.parse(text).toInstant();
            if (at.isAfter(Instant.EPOCH) && at.isBefore(LATEST)) {
                return at;
            }
        } catch (DateTimeParseException _) {
            // Said below.
        }
        problem(line, Column.AT, "must be a time such as 2026-05-04T09:30:00Z, after 1970 and before 3000");
        return null;
    }

    private static final Instant LATEST = Instant.parse("3000-01-01T00:00:00Z");

    private @Nullable String named(long line, CSVRecord row, Column column) {
        return text(line, row, column, LabelRules::nameProblem);
    }

    private @Nullable String text(
            long line, CSVRecord row, Column column, Function<String, @Nullable String> problemOf) {
        String text = cell(row, column);
        if (text.isEmpty()) {
            return null;
        }
        String plain = FORMULA.matcher(text).matches() ? text.substring(1) : text;
        String wrong = problemOf.apply(plain);
        if (wrong != null) {
            problem(line, column, wrong);
        }
        return plain;
    }

    private String cell(CSVRecord row, Column column) {
        Integer place = places.get(column);
        return place == null || place >= row.size() ? "" : row.get(place);
    }

    private void problem(long line, Column column, String message) {
        problems.add(LabelFile.place(line, column.word()), "`" + column.word() + "` " + message + ".");
    }
}
