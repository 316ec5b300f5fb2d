package dev.assay.web.export;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.List;

/** A form in which results are written. */
enum ExportFormat {
    /** Comma-separated values. */
    CSV("csv", "text/csv"),
    /** JSON Lines: each outcome as the list of outcomes shows it. */
    JSONL("jsonl", "application/x-ndjson"),
    /** Apache Parquet. */
    PARQUET("parquet", "application/vnd.apache.parquet"),
    /** Every Eval Ever. */
    EEE("eee", "application/zip");

    private final String word;
    private final String mediaType;

    ExportFormat(String word, String mediaType) {
        this.word = word;
        this.mediaType = mediaType;
    }

    /**
     * The format of a word.
     *
     * @throws AssayException INVALID_INPUT when there is none
     */
    static ExportFormat of(String word) {
        for (ExportFormat format : values()) {
            if (format.word.equals(word) || (format == JSONL && word.equals("ndjson"))) {
                return format;
            }
        }
        throw AssayException.invalid(
                "A parameter of the request is not valid",
                List.of(new FieldError("format", "Write csv, jsonl, ndjson, parquet or eee")));
    }

    String word() {
        return word;
    }

    String mediaType() {
        return mediaType;
    }
}
