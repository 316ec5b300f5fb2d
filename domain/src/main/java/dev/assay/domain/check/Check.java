package dev.assay.domain.check;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A rule on one outcome, and how much it counts. In JSON the rule's fields stand beside {@code type}, {@code required} and
 * {@code weight}; a stored check reads back as it was written.
 *
 * @param rule what is demanded
 * @param required whether a failure fails the trial; a check that is not required is only reported
 * @param weight how much it counts beside other checks, at least 0, for strategies that compare scores; null: 1
 */
public record Check(
        CheckRule rule, boolean required, @Nullable BigDecimal weight) {

    /** A check that counts as others do. */
    public Check(CheckRule rule, boolean required) {
        this(rule, required, null);
    }

    /** Whether it counts for strategies that compare scores. */
    public boolean counts() {
        return weight == null || weight.signum() > 0;
    }

    /** The word that users write as {@code type}. */
    public String type() {
        return rule.kind().word();
    }

    /** Evaluates the check. PASSED scores 1, FAILED 0; what could not be decided has no score. */
    public CheckResult evaluate(CheckInput input) {
        return result(rule.find(input));
    }

    /** The result of a check that could not be decided, for a reason outside its rule. */
    public CheckResult unscored(String reason) {
        return result(Finding.unscored(reason));
    }

    private CheckResult result(Finding finding) {
        Double score = switch (finding.status()) {
            case PASSED -> 1.0;
            case FAILED -> 0.0;
            case UNSCORED -> null;
        };
        return new CheckResult(type(), finding.status(), score, finding.reason(), required, weight);
    }

    @JsonValue
    ObjectNode json() {
        ObjectNode json = Json.mapper().createObjectNode().put("type", type());
        json.setAll((ObjectNode) Json.mapper().valueToTree(rule));
        json.put("required", required);
        return weight == null ? json : json.put("weight", weight);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Check of(ObjectNode json) {
        String word = json.path("type").asText();
        CheckKind kind = CheckKind.byWord().get(word);
        if (kind == null) {
            throw new IllegalArgumentException("There is no check of type " + word);
        }
        CheckRule rule = Json.mapper().convertValue(json, kind.rule());
        BigDecimal weight = json.hasNonNull("weight") ? json.get("weight").decimalValue() : null;
        return new Check(rule, json.path("required").asBoolean(), weight);
    }
}
