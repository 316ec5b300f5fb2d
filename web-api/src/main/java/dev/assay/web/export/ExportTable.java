package dev.assay.web.export;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A table of results. */
enum ExportTable {
    OUTCOMES,
    CHECKS,
    LABELS,
    CASES;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The tables of some words.
     *
     * @param words joined by commas; null: no tables are meant
     * @return each once; null: none are meant
     * @throws AssayException INVALID_INPUT when one is none, or the format has no tables
     */
    static @Nullable List<ExportTable> of(@Nullable String words, ExportFormat format) {
        if (words == null) {
            return null;
        }
        if (format != ExportFormat.JSONL && format != ExportFormat.PARQUET) {
            throw invalid("Only the formats ndjson and parquet have tables; leave it out");
        }
        List<ExportTable> tables = new ArrayList<>();
        for (String word : words.split(",", -1)) {
            ExportTable table = of(word.strip());
            if (!tables.contains(table)) {
                tables.add(table);
            }
        }
        return tables;
    }

    private static ExportTable of(String word) {
        for (ExportTable table : values()) {
            if (table.word().equals(word)) {
                return table;
            }
        }
        throw invalid("Write outcomes, checks, labels and cases, joined by commas");
    }

    private static AssayException invalid(String message) {
        return AssayException.invalid(
                "A parameter of the request is not valid", List.of(new FieldError("tables", message)));
    }
}
