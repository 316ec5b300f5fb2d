package dev.assay.domain.results.form;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.results.ScoreValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/** Scores of a tool as results of checks, and the verdict that they come to. */
public final class ScoreChecks {

    private static final int MOST_NAMES = 1_000;
    private static final int LONGEST = 512;

    private final double passAt;
    private final @Nullable String counted;
    private final SequencedSet<String> names = new LinkedHashSet<>();

    public ScoreChecks(ImportChoices options) {
        this.passAt = options.passAt() == null ? 1 : options.passAt();
        this.counted = options.verdict();
    }

    /**
     * The check of a score.
     *
     * @param undecided why it decides nothing; null: its value decides
     */
    public ObjectNode of(String metric, @Nullable JsonNode value, String reason, @Nullable String undecided) {
        Double number = ScoreValue.of(value);
        if (undecided != null) {
            return said(metric, "UNSCORED", null, value, undecided);
        }
        if (number == null) {
            return said(metric, "UNSCORED", null, value, unread(value) + (reason.isEmpty() ? "" : " " + reason));
        }
        Double score = number < 0 || number > 1 ? null : number;
        return said(metric, number >= passAt ? "PASSED" : "FAILED", score, value, reason);
    }

    private static String unread(@Nullable JsonNode value) {
        String written = value == null ? "null" : value.toString();
        return "The score is no number: " + written.substring(0, Math.min(written.length(), 100)) + ".";
    }

    /** The check of a verdict that is the tool's own. */
    public ObjectNode said(
            String metric, String status, @Nullable Double score, @Nullable JsonNode value, String reason) {
        String name = Neutral.line(metric, LONGEST);
        if (names.size() < MOST_NAMES) {
            names.add(name);
        }
        ObjectNode check = JsonNodeFactory.instance
                .objectNode()
                .put("type", "imported")
                .put("metric", name)
                .put("status", status)
                .put("score", score)
                .put("reason", reason)
                .put("required", counted == null || counted.equals(name));
        check.set("value", Neutral.plain(value));
        return check;
    }

    /** Adds the verdict of its checks to an outcome. */
    public void decide(ObjectNode outcome) {
        String status = outcome.path("status").asText();
        if (status.equals("MODEL_ERROR") || status.equals("TIMED_OUT")) {
            outcome.put("passed", false);
            return;
        }
        boolean isUnscored = false;
        int required = 0;
        for (JsonNode check : outcome.path("checks")) {
            if (!check.path("required").asBoolean()) {
                continue;
            }
            required++;
            if (check.path("status").asText().equals("FAILED")) {
                outcome.put("passed", false);
                return;
            }
            isUnscored |= check.path("status").asText().equals("UNSCORED");
        }
        boolean isOpen = isUnscored || required == 0;
        outcome.put("passed", isOpen ? null : (Boolean) true);
    }

    /**
     * Refuses a metric that no sample has.
     *
     * @throws AssayException INVALID_INPUT with the names that there are
     */
    public void checkVerdict() {
        if (counted != null && !names.contains(counted)) {
            throw AssayException.invalid(
                    "The results cannot be imported",
                    List.of(new FieldError(
                            "verdict",
                            "No sample has the metric `" + counted + "`; there are: "
                                    + (names.isEmpty() ? "none" : String.join(", ", names)) + ".")));
        }
    }
}
