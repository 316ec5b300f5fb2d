package dev.assay.domain.check;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Grade;
import dev.assay.domain.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A rule on one outcome, and its role beside other checks. In JSON the fields of both stand beside {@code type}; a stored check
 * reads back as it was written.
 */
public record Check(CheckRule rule, CheckRole role) {

    /** A check that counts as others do. */
    public Check(CheckRule rule, boolean required) {
        this(rule, required ? CheckRole.REQUIRED : CheckRole.REPORTED);
    }

    /** The word that users write as {@code type}. */
    public String type() {
        return rule.kind().word();
    }

    /** Evaluates the check. */
    public CheckResult evaluate(CheckInput input) {
        return result(rule.find(input), null);
    }

    /**
     * The result where the rule found {@code found}.
     *
     * @param grade the usage and cost of asking a model; null: none was asked
     */
    public CheckResult result(Finding found, @Nullable Grade grade) {
        return new CheckResult(type(), role.not() ? rule.negated(found) : found, role, grade);
    }

    /** The result of a check that could not be decided, for a reason outside its rule. */
    public CheckResult unscored(String reason) {
        return new CheckResult(type(), Finding.unscored(reason), role);
    }

    @JsonValue
    ObjectNode json() {
        ObjectNode json = Json.mapper().createObjectNode().put("type", type());
        json.setAll((ObjectNode) Json.mapper().valueToTree(rule));
        role.writeTo(json);
        return json;
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Check of(ObjectNode json) {
        String word = json.path("type").asText();
        CheckKind kind = CheckKinds.BY_WORD.get(word);
        if (kind == null) {
            throw new IllegalArgumentException("There is no check of type " + word);
        }
        return new Check(kind.stored().apply(json), CheckRole.stored(json));
    }
}
