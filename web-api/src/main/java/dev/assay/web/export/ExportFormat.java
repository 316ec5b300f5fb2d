package dev.assay.web.export;

import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.web.outcome.OutcomeView;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A form in which outcomes are written, one to a record. */
enum ExportFormat {
    /** Comma-separated values (RFC 4180). A text that a spreadsheet takes for a formula gets a leading apostrophe. */
    CSV("csv", "text/csv", header()),
    /** JSON Lines: each outcome as the list of outcomes shows it. */
    JSONL("jsonl", "application/x-ndjson", "");

    private static final Pattern FORMULA = Pattern.compile("[=+\\-@\t\r].*", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+([.,][0-9]+)?");

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
            if (format.word.equals(word)) {
                return format;
            }
        }
        throw AssayException.invalid(
                "A parameter of the request is not valid", List.of(new FieldError("format", "Write csv or jsonl")));
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

    /** One outcome, its line break included. */
    String record(OutcomeView outcome) {
        return switch (this) {
            case CSV -> csv(outcome);
            case JSONL -> Json.write(outcome) + "\n";
        };
    }

    private static String header() {
        return "caseId,branchId,trial,status,passed,selected,response,inputTokens,outputTokens,totalTokens,costUsd,latencyMs,attempts,errorCode,errorMessage,failedChecks,finishedAt\r\n";
    }

    private static String csv(OutcomeView outcome) {
        var usage = outcome.usage();
        var error = outcome.error();
        List<@Nullable Object> fields = new ArrayList<>();
        fields.add(outcome.caseId());
        fields.add(outcome.branchId());
        fields.add(outcome.trial());
        fields.add(outcome.status());
        fields.add(outcome.passed());
        fields.add(outcome.selected());
        fields.add(outcome.response());
        fields.add(usage.input());
        fields.add(usage.output());
        fields.add(usage.total());
        fields.add(outcome.costUsd() == null ? null : outcome.costUsd().toPlainString());
        fields.add(outcome.latencyMs());
        fields.add(outcome.attempts());
        fields.add(error == null ? null : error.code());
        fields.add(error == null ? null : error.message());
        fields.add(outcome.checks().stream()
                .filter(check -> check.status() == CheckResult.Status.FAILED)
                .map(check -> check.type() + ": " + check.reason())
                .collect(Collectors.joining("\n")));
        fields.add(outcome.finishedAt());
        return fields.stream().map(ExportFormat::field).collect(Collectors.joining(",", "", "\r\n"));
    }

    private static String field(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        String text = value.toString();
        if (FORMULA.matcher(text).matches() && !NUMBER.matcher(text).matches()) {
            text = "'" + text;
        }
        return text.chars().anyMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r')
                ? '"' + text.replace("\"", "\"\"") + '"'
                : text;
    }
}
