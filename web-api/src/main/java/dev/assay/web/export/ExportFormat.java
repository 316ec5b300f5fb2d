package dev.assay.web.export;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.Outcome;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.OutcomeRow;
import dev.assay.store.suite.CaseWindow;
import dev.assay.web.outcome.OutcomeView;
import java.util.List;

/** A form in which outcomes are written, one to a record. */
enum ExportFormat {
    /** Comma-separated values. */
    CSV("csv", "text/csv", CsvRecord.HEADER),
    /** JSON Lines: each outcome as the list of outcomes shows it. */
    JSONL("jsonl", "application/x-ndjson", "");

    private final String word;
    private final String mediaType;
    private final String begin;

    ExportFormat(String word, String mediaType, String begin) {
        this.word = word;
        this.mediaType = mediaType;
        this.begin = begin;
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
                List.of(new FieldError("format", "Write csv, jsonl, ndjson or eee")));
    }

    String word() {
        return word;
    }

    String mediaType() {
        return mediaType;
    }

    /** The text before the first record. */
    String begin() {
        return begin;
    }

    /**
     * One outcome, its line break included.
     *
     * @param cases of the campaign's suite, which are read only where the format shows them
     */
    String record(OutcomeRow row, StoredCampaign campaign, CaseWindow cases) {
        return switch (this) {
            case CSV -> {
                Outcome outcome = row.outcome();
                yield CsvRecord.of(
                        OutcomeView.of(row),
                        cases.at(campaign.grid().caseIndex(outcome.ordinal())),
                        campaign.definition()
                                .branches()
                                .get(outcome.branchIndex())
                                .systemPrompt());
            }
            case JSONL -> Json.write(OutcomeView.of(row)) + "\n";
        };
    }
}
