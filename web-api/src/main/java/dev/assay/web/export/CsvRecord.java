package dev.assay.web.export;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.json.Json;
import dev.assay.domain.label.Label;
import dev.assay.domain.label.LabelValue;
import dev.assay.domain.label.PeoplesVerdict;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.suite.Case;
import dev.assay.store.result.OutcomeRow;
import dev.assay.web.outcome.OutcomeView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Outcomes as lines of comma-separated values (RFC 4180). A text that a spreadsheet takes for a formula gets a leading apostrophe. */
final class CsvRecord {

    /** The columns. People and programs rely on their order: new ones stand behind. */
    static final String HEADER =
            "caseId,branchId,trial,status,passed,selected,response,inputTokens,outputTokens,totalTokens,costUsd,"
                    + "latencyMs,attempts,errorCode,errorMessage,failedChecks,finishedAt,"
                    + "prompt,vars,expected,tags,score,metrics,systemPromptSha256,"
                    + "source,originCampaign,originCase,originBranch,originTrial,originDraw,answeredAt,label\r\n";

    private CsvRecord() {}

    /**
     * One outcome, its line break included.
     *
     * @param systemPrompt of its branch; null: none
     */
    static String of(OutcomeRow row, Case asked, @Nullable String systemPrompt) {
        OutcomeView outcome = OutcomeView.of(row);
        List<@Nullable Object> fields = new ArrayList<>(outcome(outcome));
        fields.addAll(Arrays.asList(
                SuiteCaseTable.prompt(asked),
                asked.vars().isEmpty() ? null : Json.write(new TreeMap<>(asked.vars())),
                expected(asked),
                String.join("\n", asked.tags()),
                outcome.score(),
                outcome.metrics().isEmpty() ? null : Json.write(new TreeMap<>(outcome.metrics())),
                systemPrompt == null ? null : RequestKey.sha256(systemPrompt)));
        fields.addAll(origin(outcome));
        fields.add(label(row.labels()));
        return CsvLine.of(fields);
    }

    private static List<@Nullable Object> outcome(OutcomeView outcome) {
        var usage = outcome.usage();
        var error = outcome.error();
        return Arrays.asList(
                outcome.caseId(),
                outcome.branchId(),
                outcome.trial(),
                outcome.status(),
                outcome.passed(),
                outcome.selected(),
                outcome.response(),
                usage.input(),
                usage.output(),
                usage.total(),
                outcome.costUsd() == null ? null : outcome.costUsd().toPlainString(),
                outcome.latencyMs(),
                outcome.attempts(),
                error == null ? null : error.code(),
                error == null ? null : error.message(),
                outcome.checks().stream()
                        .filter(check -> check.status() == CheckResult.Status.FAILED)
                        .map(check -> check.type() + ": " + check.reason())
                        .collect(Collectors.joining("\n")),
                outcome.finishedAt());
    }

    private static List<@Nullable Object> origin(OutcomeView outcome) {
        Draw draw = outcome.origin();
        return Arrays.asList(
                outcome.source(),
                draw == null ? null : draw.campaign(),
                draw == null ? null : draw.caseId(),
                draw == null ? null : draw.branchId(),
                draw == null ? null : draw.trial(),
                draw == null ? null : draw.draw(),
                outcome.answeredAt());
    }

    /** What people say of the trial together, as lists are narrowed by it; null: nobody says anything. */
    private static @Nullable String label(List<Label> labels) {
        List<LabelValue> ofTrial = labels.stream()
                .filter(label -> label.check() == null)
                .map(Label::value)
                .toList();
        if (ofTrial.isEmpty()) {
            return null;
        }
        Boolean passes = PeoplesVerdict.of(ofTrial).passes();
        LabelValue said = passes == null ? LabelValue.UNSURE : passes ? LabelValue.PASS : LabelValue.FAIL;
        return said.text();
    }

    /** What its checks compare with, a line each. */
    private static String expected(Case asked) {
        JsonNode written = Json.mapper().valueToTree(asked);
        List<String> values = new ArrayList<>();
        addValues(written.path("checks"), values);
        return String.join("\n", values);
    }

    private static void addValues(JsonNode checks, List<String> values) {
        for (JsonNode check : checks) {
            JsonNode value = check.path("value");
            if (value.isTextual()) {
                values.add(value.textValue());
            } else if (!value.isMissingNode() && !value.isNull()) {
                values.add(value.toString());
            }
            addValues(check.path("checks"), values);
        }
    }
}
