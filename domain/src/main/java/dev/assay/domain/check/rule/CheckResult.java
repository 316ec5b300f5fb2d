package dev.assay.domain.check.rule;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of one check on one outcome.
 *
 * @param type the check's type as users write it, such as {@code icontains}
 * @param status passed, failed, or unscored with the reason in {@code reason}
 * @param score how well, 0–1: for most types 1 for passed and 0 for failed; null: not known, as always when unscored
 * @param required whether a failure fails the trial
 * @param weight how much it counts in means of scores, at least 0; null: 1
 * @param metric the name under which its score is also reported; null: none
 * @param description what the check is about, as its file says; null: nothing is said
 * @param checks what the checks of a group said, or the parts of which own code says that its result is made; null: none
 * @param grade what it took to have a model decide it; null: no model does, or it was not asked yet
 * @param value what was measured, where that lies outside of 0–1; of type {@value #IMPORTED} what the other tool said, any JSON. Null: the
 *     score
 * @param namedScores further scores by name; null: none
 * @param lost true where an import left the check out; its type is then what the other tool calls it. Null: it did not
 * @param evaluator hash of what decided; null: a group, whose checks have theirs, or an earlier build noted none
 */
public record CheckResult(
        String type,
        Status status,
        @Nullable Double score,
        String reason,
        boolean required,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BigDecimal weight,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String metric,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String description,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<CheckResult> checks,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Grade grade,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode value,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, NamedScore> namedScores,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean lost,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String evaluator) {

    /** The type of the only result of a trial whose answer could not be transformed. */
    public static final String TRANSFORM = "transform";

    /** The type of what another tool said of an answer. */
    public static final String IMPORTED = "imported";

    public CheckResult {
        value = value == null || value.isNull()
                ? null
                : value.isFloatingPointNumber() ? DoubleNode.valueOf(value.doubleValue()) : value;
        checks = checks == null || checks.isEmpty() ? null : List.copyOf(checks);
        namedScores = namedScores == null || namedScores.isEmpty()
                ? null
                : Collections.unmodifiableMap(new LinkedHashMap<>(namedScores));
    }

    /** The result of a check of {@code role} whose rule has {@code finding}. */
    public CheckResult(String type, Finding finding, CheckRole role) {
        this(type, finding, role, null);
    }

    /** The same of a check that a model decided. */
    public CheckResult(String type, Finding finding, CheckRole role, @Nullable Grade grade) {
        this(
                type,
                finding.status(),
                finding.score(),
                finding.reason(),
                role.required(),
                role.weight(),
                role.metric(),
                role.description(),
                finding.members(),
                grade,
                finding.value() == null ? null : DoubleNode.valueOf(finding.value()),
                finding.named(),
                null,
                null);
    }

    public CheckResult(String type, Status status, @Nullable Double score, String reason, boolean required) {
        this(type, status, score, reason, required, null, null, null, null, null, null, null, null, null);
    }

    /**
     * The result of a check that an import left out.
     *
     * @param was as the other tool calls it
     */
    public static CheckResult lost(String was, Finding finding, CheckRole role) {
        return new CheckResult(
                was,
                finding.status(),
                finding.score(),
                finding.reason(),
                role.required(),
                role.weight(),
                role.metric(),
                role.description(),
                null,
                null,
                null,
                null,
                true,
                null);
    }

    /** The same, decided by the evaluator with this hash; null: nothing is known of that. */
    public CheckResult by(@Nullable String hash) {
        return with(checks, hash);
    }

    /** The same of a group whose checks have these results. */
    public CheckResult of(List<CheckResult> members) {
        return with(members, evaluator);
    }

    private CheckResult with(@Nullable List<CheckResult> members, @Nullable String hash) {
        return new CheckResult(
                type,
                status,
                score,
                reason,
                required,
                weight,
                metric,
                description,
                members,
                grade,
                value,
                namedScores,
                lost,
                hash);
    }

    /** The results of which it is made. */
    public List<CheckResult> members() {
        return checks == null ? List.of() : checks;
    }

    /** What was measured: the score, unless that is cut; null: not known. */
    public @Nullable Double measured() {
        return value == null || type.equals(IMPORTED) ? score : (Double) value.doubleValue();
    }

    /** The further scores by name. */
    public Map<String, NamedScore> named() {
        return namedScores == null ? Map.of() : namedScores;
    }

    /** The weight in means of scores, at least 0. */
    public double share() {
        return weight == null ? 1 : weight.doubleValue();
    }

    /** The three results of a check. */
    public enum Status {
        PASSED,
        FAILED,
        /** The check could not be decided; never counted as passed or failed without saying so. */
        UNSCORED
    }
}
