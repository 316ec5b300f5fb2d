package dev.assay.domain.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.text.Excerpt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reason for people why a case did not pass. */
final class FailedCase {

    private static final int MOST_REASONS = 10;
    private static final int LONGEST_REASON = 500;

    private FailedCase() {}

    /**
     * Such as {@code 2 of 5 trials passed (40.0 %), 1 unknown, below 80.0 %}.
     *
     * @param threshold share of the trials that the gate asks for, 0–1; null: it asks for none of a case
     */
    static String rate(CaseSummary one, @Nullable Double threshold) {
        int known = one.totalTrials() - one.noEvidence();
        return one.passCount() + " of " + Numbers.count(known, "trial") + " passed"
                + (known == 0 ? "" : " (" + Numbers.percent((double) one.passCount() / known) + ")")
                + (one.noEvidence() == 0 ? "" : ", " + Numbers.count(one.noEvidence()) + " unknown")
                + (threshold != null && one.passRate() < threshold ? ", below " + Numbers.percent(threshold) : "");
    }

    /** The reasons of trials that did not pass, each once, the first ten. */
    static List<String> reasons(JsonNode trials) {
        Set<String> reasons = new LinkedHashSet<>();
        for (JsonNode trial : trials) {
            String name = "trial " + trial.path("trial_id") + ": ";
            if (trial.path("error_message").isTextual()) {
                reasons.add(name + Excerpt.of(trial.path("error_message").textValue(), LONGEST_REASON));
            }
            for (JsonNode check : trial.path("check_results")) {
                if (!check.path("passed").asBoolean() && check.path("required").asBoolean(true)) {
                    reasons.add(name + check.path("check_name").asText() + ": "
                            + Excerpt.of(check.path("message").asText(), LONGEST_REASON));
                }
            }
            if (reasons.size() >= MOST_REASONS) {
                break;
            }
        }
        return reasons.stream().limit(MOST_REASONS).toList();
    }

    /** What an import left out of the checks, as the end of a sentence; empty: nothing. */
    static String lost(JsonNode trials) {
        Set<String> lost = new LinkedHashSet<>();
        for (JsonNode trial : trials) {
            for (JsonNode check : trial.path("check_results")) {
                if (check.path("lost").asBoolean() && check.path("required").asBoolean(true)) {
                    lost.add(check.path("check_name").asText());
                }
            }
        }
        return lost.isEmpty()
                ? ""
                : "; left out: " + lost.stream().limit(MOST_REASONS).collect(Collectors.joining(", "));
    }

    /** Whether every trial ended in an error: nothing was judged at all. */
    static boolean isOnlyErrors(JsonNode trials) {
        for (JsonNode trial : trials) {
            if (!trial.path("status").asText().equals("error")) {
                return false;
            }
        }
        return !trials.isEmpty();
    }
}
