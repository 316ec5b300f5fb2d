package dev.assay.domain.imports;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.HeedingReader;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** CSV with a header as a list of objects of texts. */
public final class CsvRows {

    private CsvRows() {}

    /**
     * Reads {@code text}, RFC 4180 with or without a byte order mark. Missing cells are empty.
     *
     * @throws AssayException INVALID_INPUT with the line
     */
    public static List<ObjectNode> read(String text) {
        List<ObjectNode> rows = new ArrayList<>();
        long line = 1;
        try (CSVParser parser = CSVParser.parse(
                new HeedingReader(text.startsWith("\uFEFF") ? text.substring(1) : text), CSVFormat.RFC4180)) {
            List<String> header = null;
            for (CSVRecord row : parser) {
                line = parser.getCurrentLineNumber();
                if (header == null) {
                    header = header(row);
                } else if (row.size() > header.size()) {
                    throw wrong(line, "has " + row.size() + " cells, but there are " + header.size() + " columns");
                } else if (row.size() > 1 || !row.get(0).isEmpty()) {
                    rows.add(row(header, row));
                }
            }
        } catch (IOException e) {
            throw wrong(line, "is no CSV: " + e.getMessage());
        } catch (UncheckedIOException e) {
            throw wrong(line + 1, "is no CSV: " + e.getMessage());
        }
        return rows;
    }

    private static List<String> header(CSVRecord row) {
        List<String> names = row.stream().map(String::strip).toList();
        if (names.stream().distinct().count() < names.size()) {
            throw wrong(1, "names a column twice");
        }
        return names;
    }

    private static ObjectNode row(List<String> header, CSVRecord row) {
        ObjectNode cells = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < header.size(); i++) {
            cells.put(header.get(i), i < row.size() ? row.get(i) : "");
        }
        return cells;
    }

    private static AssayException wrong(long line, String what) {
        return new AssayException(ErrorCode.INVALID_INPUT, "Line " + line + " " + what + ".");
    }
}
