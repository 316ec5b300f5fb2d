package dev.assay.domain.check.code;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.NamedScore;
import dev.assay.domain.json.Json;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.StorableText;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a reply of own code comes to. Code that raises, or returns what is no verdict, has failed, and {@code not} does not turn that.
 * What kept it from running leaves the check unscored. The rules are promptfoo's.
 */
final class CodeVerdict {

    /** Code points of a reason that are kept. */
    static final int MOST_REASON = 2_000;

    /** The number with which a text begins. */
    private static final Pattern NUMBER =
            Pattern.compile("\\s*([+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)");

    private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");

    private final CodeRule rule;
    private final CheckRole role;

    private CodeVerdict(CodeRule rule, CheckRole role) {
        this.rule = rule;
        this.role = role;
    }

    static Finding of(CodeReply reply, CodeRule rule, CheckRole role) {
        return switch (reply) {
            case CodeReply.NotRun(String message) -> Finding.unscored(reason(message));
            case CodeReply.Raised(String message) -> failed("The code raised: " + message);
            case CodeReply.Returned(JsonNode value, String type) ->
                type == null ? new CodeVerdict(rule, role).judge(value) : ofType(type);
        };
    }

    private static Finding ofType(String type) {
        return failed(
                "The code returned " + (NOT_FINITE.contains(type) ? "no finite number: " : "no verdict: ") + type);
    }

    private static Finding failed(String reason) {
        return Finding.failed(reason(reason));
    }

    /** The reason that is kept of {@code text}. */
    static String reason(String text) {
        return Excerpt.shortened(StorableText.of(text), MOST_REASON);
    }

    private Finding judge(JsonNode returned) {
        boolean isText = rule.language().isLenient() && returned.isTextual();
        JsonNode value = isText ? verdictIn(returned.textValue()) : returned;
        if (value == null) {
            return failed("The code returned a text that is no verdict: " + Excerpt.of(returned.textValue()));
        }
        if (value.isBoolean()) {
            boolean passed = value.booleanValue() != role.not();
            return number(passed, passed ? 1 : 0, "The code returned " + value.booleanValue() + ".");
        }
        if (value.isNumber()) {
            double number = value.doubleValue();
            return number(isEnough(number) != role.not(), number, sentence(value.asText()));
        }
        GradedReply graded = GradedReply.read(value, rule.language().isLenient());
        return graded == null
                ? failed("The code returned neither a truth value, a number nor {pass, score, reason}: "
                        + Excerpt.of(Json.write(value)))
                : graded(graded);
    }

    private boolean isEnough(double number) {
        BigDecimal least = rule.threshold();
        return least == null ? number > 0 : number >= least.doubleValue();
    }

    private String sentence(String number) {
        BigDecimal least = rule.threshold();
        return "The code returned " + number + "; "
                + (least == null ? "more than 0" : "at least " + least.toPlainString()) + " passes.";
    }

    private static Finding number(boolean passed, double number, String reason) {
        return finding(passed, number, reason, List.of(), Map.of());
    }

    private Finding graded(GradedReply graded) {
        boolean isBelow = rule.language().isLenient() && rule.threshold() != null && !isEnough(graded.score());
        boolean passed = graded.pass() && !isBelow;
        return finding(
                passed != role.not(),
                graded.score(),
                graded.reason(),
                graded.parts().stream()
                        .map(part -> part(part, rule.kind().word()))
                        .toList(),
                graded.named());
    }

    /** A part of which own code says that its result is made. It is reported and never counted. */
    private static CheckResult part(GradedReply part, String type) {
        Finding finding = finding(
                part.pass(),
                part.score(),
                part.reason(),
                part.parts().stream().map(inner -> part(inner, type)).toList(),
                part.named());
        return new CheckResult(type, finding, CheckRole.REPORTED);
    }

    private static Finding finding(
            boolean passed, double value, String reason, List<CheckResult> parts, Map<String, NamedScore> named) {
        if (!Double.isFinite(value)) {
            return failed("The code returned no finite number");
        }
        double score = Math.clamp(value, 0.0, 1.0);
        return new Finding(
                passed ? Status.PASSED : Status.FAILED,
                score,
                reason(reason),
                parts,
                value == score ? null : value,
                named);
    }

    /** The verdict that a text is; null: none. */
    private static @Nullable JsonNode verdictIn(String text) {
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return BooleanNode.valueOf(text.equalsIgnoreCase("true"));
        }
        if (text.startsWith("{")) {
            return CodeReply.json(text);
        }
        Matcher number = NUMBER.matcher(text);
        return number.lookingAt() ? DoubleNode.valueOf(Double.parseDouble(number.group(1))) : null;
    }
}
