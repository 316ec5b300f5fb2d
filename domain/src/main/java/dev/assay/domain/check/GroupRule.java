package dev.assay.domain.check;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that count as one. Its score is their weighted mean.
 *
 * @param checks at least one
 * @param threshold the mean that passes, 0–1, whatever the single checks say; null: it passes when every required one does
 */
public record GroupRule(List<Check> checks, @Nullable BigDecimal threshold) implements CheckRule {

    static final CheckKind KIND = new CheckKind(
            "group",
            1,
            Set.of("checks", "threshold"),
            GroupRule.class,
            fields -> new GroupRule(
                    fields.nonEmptyList("checks", CheckReader::read), fields.decimal("threshold", Checks.THRESHOLD)));

    public GroupRule {
        checks = List.copyOf(checks);
    }

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        return finding(checks.stream().map(check -> check.evaluate(input)).toList());
    }

    /** The finding of the group where its checks have {@code results}. */
    public Finding finding(List<CheckResult> results) {
        CheckScore score = CheckScore.of(results, threshold);
        return new Finding(score.status(), score.score(), score.reason(threshold), results, score.value(), Map.of());
    }

    @Override
    public Set<String> filesAskedFor() {
        Set<String> files = new LinkedHashSet<>();
        checks.forEach(check -> files.addAll(check.rule().filesAskedFor()));
        return files;
    }
}
