package dev.assay.domain.rendering;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.report.CaseSummary;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results of a campaign's trials, in FastSkill's words (docs/fastskill.md), with ours beside them. */
public final class TrialResults {

    /** Stands before the error of a trial whose time ran out. */
    private static final String TIMEOUT = "EVAL_CASE_TIMEOUT";

    private TrialResults() {}

    /** {@code json} with line breaks and indentation. */
    public static String pretty(JsonNode json) {
        try {
            return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A JSON tree can always be written", e);
        }
    }

    /** {@code aggregated.json}: the trials of one case on one branch. */
    public static ObjectNode aggregated(CaseSummary one, ArrayNode trials, double threshold) {
        ObjectNode json = Json.mapper().createObjectNode();
        json.put("id", one.caseId());
        json.set("trials", trials);
        json.put("aggregated_status", word(one.statusWithErrorsFailed(threshold)));
        json.put("pass_count", one.passCount());
        json.put("total_trials", one.totalTrials());
        json.put("pass_rate", one.passRate());
        return json;
    }

    /**
     * The trials of one case on one branch, from the first to the last; those without an outcome as skipped ones.
     *
     * @param known results by the number of their trial
     */
    public static ArrayNode all(CaseSummary one, Map<Integer, ObjectNode> known) {
        ArrayNode all = Json.mapper().createArrayNode();
        for (int trial = 1; trial <= one.totalTrials(); trial++) {
            ObjectNode result = known.get(trial);
            all.add(result == null ? result(trial, NullNode.instance) : result);
        }
        return all;
    }

    /** The sum of what is known; null: nothing is. */
    static JsonNode sum(JsonNode trials, String field) {
        Long sum = null;
        for (JsonNode trial : trials) {
            if (trial.path(field).isNumber()) {
                sum = (sum == null ? 0 : sum) + trial.path(field).longValue();
            }
        }
        return Json.mapper().valueToTree(sum);
    }

    /** Trials that were answered and did not report their input and output. */
    static int unknownUsage(JsonNode trials) {
        int unknown = 0;
        for (JsonNode trial : trials) {
            boolean answered = trial.path("outcome").isTextual()
                    && OutcomeStatus.valueOf(trial.path("outcome").textValue()).isAnswer();
            boolean known = trial.path("input_tokens").isNumber()
                    && trial.path("output_tokens").isNumber();
            unknown += answered && !known ? 1 : 0;
        }
        return unknown;
    }

    /** A case's status: FastSkill has no word for one that is inconclusive but {@code skipped}. */
    static String word(CaseStatus status) {
        return switch (status) {
            case PASSED -> "passed";
            case FAILED -> "failed";
            case INCONCLUSIVE -> "skipped";
        };
    }

    /**
     * {@code result.json} of one outcome.
     *
     * @param outcome as the API lists it, with the commands of a program counted in its trace
     */
    public static ObjectNode result(JsonNode outcome) {
        return result(outcome.path("trial").asInt(), outcome);
    }

    private static ObjectNode result(int trial, JsonNode outcome) {
        JsonNode usage = outcome.path("usage");
        boolean isKnown = !usage.path("total").isNumber() || usage.path("total").asLong() > 0;
        ObjectNode result = Json.mapper().createObjectNode().put("trial_id", trial);
        result.put("status", status(outcome));
        result.set("command_count", outcome.path("commandCount"));
        result.set("input_tokens", isKnown ? usage.path("input") : NullNode.instance);
        result.set("output_tokens", isKnown ? usage.path("output") : NullNode.instance);
        result.set("score", outcome.path("score"));
        result.set("metrics", outcome.path("metrics"));
        result.set("check_results", checks(outcome));
        result.put("error_message", error(outcome));
        result.set("exit_code", outcome.path("exitCode"));
        result.set("finish_reason", outcome.path("finishReason"));
        result.set("outcome", outcome.path("status"));
        if (outcome.hasNonNull("output")) {
            result.set("output", outcome.get("output"));
        }
        result.set("selected", outcome.path("selected"));
        result.set("latency_ms", outcome.path("latencyMs"));
        result.set("cost_usd", outcome.path("costUsd"));
        result.properties().forEach(field -> {
            if (field.getValue().isMissingNode()) {
                field.setValue(NullNode.instance);
            }
        });
        return result;
    }

    private static String status(JsonNode outcome) {
        if (!outcome.has("status")) {
            return "skipped";
        }
        JsonNode passed = outcome.path("passed");
        OutcomeStatus status = OutcomeStatus.valueOf(outcome.path("status").asText());
        return switch (TrialVerdict.ofStored(status, passed.isBoolean() ? passed.booleanValue() : null, null)) {
            case PASSED -> "passed";
            case FAILED -> "failed";
            case ERROR, PROVIDER_ERROR -> "error";
            case NO_EVIDENCE -> "skipped";
        };
    }

    private static ArrayNode checks(JsonNode holder) {
        ArrayNode checks = Json.mapper().createArrayNode();
        holder.path("checks").forEach(check -> checks.add(check(check)));
        return checks;
    }

    private static ObjectNode check(JsonNode check) {
        boolean passed = check.path("status").asText().equals("PASSED");
        ObjectNode result = Json.mapper().createObjectNode();
        result.set("check_name", check.path("type"));
        result.put("passed", passed);
        result.put("message", passed ? null : check.path("reason").asText());
        result.put("required", check.path("required").asBoolean(true));
        result.set("score", check.path("score").isNumber() ? check.get("score") : NullNode.instance);
        if (check.has("metric")) {
            result.set("metric", check.get("metric"));
        }
        if (check.has("description")) {
            result.set("description", check.get("description"));
        }
        if (check.path("lost").asBoolean()) {
            result.put("lost", true);
        }
        if (check.has("checks")) {
            result.set("checks", checks(check));
        }
        return result;
    }

    private static @Nullable String error(JsonNode outcome) {
        if (!outcome.path("error").isObject()) {
            return null;
        }
        String message = outcome.path("error").path("message").asText();
        boolean isTimeout = outcome.path("status").asText().equals(OutcomeStatus.TIMED_OUT.name());
        return isTimeout && !message.startsWith(TIMEOUT) ? TIMEOUT + ": " + message : message;
    }
}
