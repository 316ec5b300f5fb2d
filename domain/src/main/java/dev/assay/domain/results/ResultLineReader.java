package dev.assay.domain.results;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.evaluator.Evaluator;
import dev.assay.domain.json.StorableJson;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.CaseReader;
import dev.assay.domain.usage.Measured;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reader of lines of the neutral form. An outcome is read as {@code jsonl} writes it; what a campaign finds out itself is ignored. */
public final class ResultLineReader {

    private static final Fields CASE_LINE = Fields.of("caseLine", "case");

    private static final Fields OUTCOME = Fields.of(
            "outcome",
            "caseId",
            "branchId",
            "trial",
            "status",
            "passed",
            "score",
            "response",
            "messages",
            "usage",
            "costUsd",
            "latencyMs",
            "attempts",
            "error",
            "checks",
            "warnings",
            "finishReason",
            "requested",
            "effective",
            "served",
            "output",
            "exitCode",
            "isolation",
            "reported",
            // Of an export: what the campaign itself says, or finds out again.
            "selected",
            "metrics",
            "commandCount",
            "finishedAt",
            "source",
            "origin",
            "answeredAt",
            "delivery",
            "batchId",
            "costAssumed",
            "passedBefore",
            "labels");

    private static final Fields ERROR = Fields.of("error", "code", "message", "retryable", "kind", "httpStatus");

    private static final NumberRule ATTEMPTS = NumberRule.whole(0, 1_000_000);
    private static final NumberRule TRIAL = NumberRule.whole(1, 1_000);
    private static final NumberRule SHARE =
            NumberRule.between(-1_000_000_000, 1_000_000_000).withDecimals(CheckLines.DECIMALS);

    private static final Map<String, ErrorCode> CODES =
            Arrays.stream(ErrorCode.values()).collect(Collectors.toUnmodifiableMap(Enum::name, code -> code));
    /** Whether a batch of the provider brought it. */
    private static final Map<String, Boolean> DELIVERIES = Map.of("LIVE", false, "BATCH", true);

    private static final Map<String, OutcomeStatus> STATUSES = statuses();

    private final CheckLines checks;
    private final CaseReader cases = new CaseReader();

    /** @param origin names the tool in evaluators */
    public ResultLineReader(ImportOrigin origin) {
        this.checks = new CheckLines(origin);
    }

    private static Map<String, OutcomeStatus> statuses() {
        Map<String, OutcomeStatus> statuses = new LinkedHashMap<>();
        Arrays.stream(OutcomeStatus.values())
                .filter(OutcomeStatus::isFinal)
                .forEach(status -> statuses.put(status.name(), status));
        return statuses;
    }

    /**
     * Reads a line.
     *
     * @param path of the line in messages
     */
    public ResultLine read(JsonNode written, String path, Problems problems) {
        JsonNode line = StorableJson.of(written);
        if (line.has("case")) {
            FieldReader fields = FieldReader.of(line, path, CASE_LINE, problems);
            JsonNode node = fields.required("case");
            Case read = cases.read(node == null ? line : node, fields.path("case"), problems);
            if (!read.checks().all().isEmpty()) {
                fields.problem("case", "A case of an import has no checks: nothing is evaluated again. Remove them.");
            }
            return new ResultLine.OfCase(read);
        }
        return new ResultLine.OfOutcome(outcome(FieldReader.of(line, path, OUTCOME, problems)));
    }

    /** The evaluators that the outcomes which were read name. */
    public Collection<Evaluator> evaluators() {
        return checks.evaluators();
    }

    private ImportedOutcome outcome(FieldReader fields) {
        OutcomeStatus status = fields.word("status", STATUSES);
        OutcomeStatus known = status == null ? OutcomeStatus.COMPLETED : status;
        ImportedOutcome.Place place = new ImportedOutcome.Place(
                fields.id("caseId"), fields.id("branchId"), fields.integer("trial", TRIAL, 1));
        Delivered delivered = delivered(fields);
        ImportedOutcome read = new ImportedOutcome(
                place,
                new Outcome.End(known, failure(fields, known), fields.integer("attempts", ATTEMPTS, 1)),
                AnswerLines.read(fields),
                measured(fields, delivered != null),
                checks.read(fields),
                null,
                number(fields, "score"),
                fields.list("warnings", TextRules::textItem),
                delivered);
        return with(read, passed(fields, read));
    }

    private static ImportedOutcome with(ImportedOutcome read, @Nullable Boolean passed) {
        return new ImportedOutcome(
                read.place(),
                read.end(),
                read.answer(),
                read.measured(),
                read.checks(),
                passed,
                read.score(),
                read.warnings(),
                read.delivered());
    }

    private static @Nullable Boolean passed(FieldReader fields, ImportedOutcome read) {
        if (read.end().status().isFailure()) {
            return false;
        }
        JsonNode passed = fields.node("passed");
        if (passed == null) {
            return CheckLines.verdict(read.checks());
        }
        return passed.isNull() ? null : (Boolean) fields.flag("passed", false);
    }

    private static @Nullable Double number(FieldReader fields, String name) {
        BigDecimal value = fields.nullableDecimal(name, SHARE);
        return value == null ? null : (Double) value.doubleValue();
    }

    private static @Nullable Failure failure(FieldReader fields, OutcomeStatus status) {
        FieldReader error = fields.hasValue("error") ? fields.object("error", ERROR) : null;
        String message = error != null && error.hasValue("message") ? error.anyText("message") : "";
        return switch (status) {
            case MODEL_ERROR, TIMED_OUT ->
                new Failure(code(error), message.isBlank() ? "The tool says no more" : message);
            case LIMIT -> new Failure(ErrorCode.BRANCH_LIMIT, message.isBlank() ? "A limit of the tool" : message);
            case COMPLETED, CANCELLED, BUDGET_SKIPPED, NOT_NEEDED -> null;
        };
    }

    /** The code of an export of Assay stays; other tools have none that means something here. */
    private static ErrorCode code(@Nullable FieldReader error) {
        JsonNode written = error == null ? null : error.node("code");
        return written == null || !written.isTextual()
                ? ErrorCode.IMPORTED_ERROR
                : CODES.getOrDefault(written.textValue(), ErrorCode.IMPORTED_ERROR);
    }

    /** An export of Assay says so; null: it was asked live, or the tool does not say. */
    private static @Nullable Delivered delivered(FieldReader fields) {
        boolean isBatch = fields.hasValue("delivery") && fields.word("delivery", DELIVERIES, false);
        return isBatch ? new Delivered(fields.id("batchId"), fields.flag("costAssumed", false)) : null;
    }

    /** The time of a batch says nothing of the model. */
    private static Measured measured(FieldReader fields, boolean isDelivered) {
        Long latency = UsageLines.count(fields, "latencyMs");
        return new Measured(
                UsageLines.read(fields),
                fields.nullableDecimal("costUsd", UsageLines.COST),
                isDelivered ? Measured.UNTIMED : Duration.ofMillis(latency == null ? 0 : latency));
    }
}
