package dev.assay.domain.results.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.results.form.ScoreChecks;

/** What the assertions of a row said. */
final class PromptfooChecks {

    private final ScoreChecks checks;

    PromptfooChecks(ScoreChecks checks) {
        this.checks = checks;
    }

    /** Adds the components of a grading. Behind a set of assertions its members stand once more, and are left out there. */
    void addAll(ArrayNode into, JsonNode components) {
        int skipped = 0;
        for (JsonNode component : components) {
            if (skipped > 0) {
                skipped--;
            } else {
                into.add(one(component));
                skipped = Math.max(0, set(component).path("assertionCount").asInt(0));
            }
        }
    }

    private static JsonNode set(JsonNode component) {
        return component.path("metadata").path("assertionSet");
    }

    private ObjectNode one(JsonNode component) {
        JsonNode set = set(component);
        JsonNode assertion = component.path("assertion");
        String type = first(assertion.path("type"), set.path("type"), "assertion");
        String metric = first(assertion.path("metric"), set.path("metric"), type);
        JsonNode score = component.path("score");
        boolean isShare = score.isNumber() && score.doubleValue() >= 0 && score.doubleValue() <= 1;
        ObjectNode check = checks.said(
                metric,
                component.path("pass").asBoolean() ? "PASSED" : "FAILED",
                isShare ? (Double) score.doubleValue() : null,
                score,
                component.path("reason").asText(""));
        if (set.isObject() && !set.isEmpty()) {
            ArrayNode members = check.putArray("checks");
            component.path("componentResults").forEach(member -> members.add(one(member)));
        }
        return check;
    }

    private static String first(JsonNode one, JsonNode other, String otherwise) {
        String text = one.asText("");
        return !text.isEmpty() ? text : other.asText("").isEmpty() ? otherwise : other.asText();
    }
}
