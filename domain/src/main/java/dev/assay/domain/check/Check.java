package dev.assay.domain.check;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.code.CodeReader;
import dev.assay.domain.check.code.Script;
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
 *
 * @param transform makes what this check alone sees of what the others see; null: it sees the same
 */
public record Check(
        CheckRule rule, CheckRole role, @Nullable Script transform) {

    private static final long MOST_CHARACTERS = 1 << 20;

    /** About a tenth of a second. */
    private static final long MOST_COMPARISONS = 1 << 28;

    /** A check that sees what others see. */
    public Check(CheckRule rule, CheckRole role) {
        this(rule, role, null);
    }

    /** A check that counts as others do. */
    public Check(CheckRule rule, boolean required) {
        this(rule, required ? CheckRole.REQUIRED : CheckRole.REPORTED);
    }

    /** The word that users write as {@code type}. */
    public String type() {
        return rule.kind().word();
    }

    /**
     * Whether its time is proportional to what it reads, and that is little: at most a mebibyte of text. All others are evaluated
     * where they can be killed.
     */
    public boolean isQuick(CheckInput input) {
        if (rule instanceof GroupRule(var checks, var _)) {
            return checks.stream().allMatch(check -> check.isQuick(input));
        }
        long length = input.length();
        return CheckKinds.LINEAR.contains(type())
                && length <= MOST_CHARACTERS
                && length * Math.max(1, rule.comparisons()) <= MOST_COMPARISONS;
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
        return rule instanceof LostRule(var was, var _)
                ? CheckResult.lost(was, found, role)
                : new CheckResult(type(), role.not() ? rule.negated(found) : found, role, grade);
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
        if (transform != null) {
            json.set(CodeReader.TRANSFORM, transform.json());
        }
        return json;
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Check of(ObjectNode json) {
        String word = json.path("type").asText();
        if (word.equals(LostRule.EARLIER_WORD)) {
            return new Check(LostRule.ofEarlier(json), CheckRole.stored(json));
        }
        CheckKind kind = CheckKinds.BY_WORD.get(word);
        if (kind == null) {
            throw new IllegalArgumentException("There is no check of type " + word);
        }
        JsonNode transform = json.get(CodeReader.TRANSFORM);
        return new Check(
                kind.stored().apply(json),
                CheckRole.stored(json),
                transform == null || transform.isNull() ? null : Script.stored(transform));
    }
}
