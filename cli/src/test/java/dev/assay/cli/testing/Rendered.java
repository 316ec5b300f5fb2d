package dev.assay.cli.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.rendering.CaseTrials;
import dev.assay.domain.rendering.MarkdownReport;
import dev.assay.domain.rendering.SummaryJson;
import dev.assay.domain.rendering.TrialResults;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.report.ExitRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Files of a run in memory. */
public final class Rendered {

    /** No trial has a result. */
    public static final CaseTrials OPEN = (branch, reader) -> {
        for (CaseSummary one : branch.cases()) {
            reader.read(one, TrialResults.all(one, Map.of()));
        }
    };

    private Rendered() {}

    /** The first trial of the first case of each branch has {@code result}. */
    public static CaseTrials first(ObjectNode result) {
        return (branch, reader) -> {
            for (CaseSummary one : branch.cases()) {
                boolean isFirst = one.equals(branch.cases().getFirst());
                reader.read(one, TrialResults.all(one, isFirst ? Map.of(1, result) : Map.of()));
            }
        };
    }

    /** The Markdown of trials without results. */
    public static String markdown(CampaignSummary summary) {
        try {
            ExitRule rule = ExitRule.decide(summary, false);
            return MarkdownReport.of("c", "id", summary, OPEN, rule, MarkdownReport.MAX_BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code summary.json}. */
    public static JsonNode summary(CampaignSummary summary, ExitRule rule, CaseTrials trials) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            SummaryJson.write(FakeApi.RUN, summary, rule, trials, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Json.tree(bytes.toString(StandardCharsets.UTF_8));
    }
}
