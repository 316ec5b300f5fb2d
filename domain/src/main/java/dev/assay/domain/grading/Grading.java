package dev.assay.domain.grading;

import dev.assay.domain.check.Check;
import dev.assay.domain.check.LaterChecks;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Grade;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checks of a case that models decide, and the results of all of its checks with their grades. */
public final class Grading {

    private Grading() {}

    private static final LaterChecks<Graded> GRADED =
            new LaterChecks<>(GradedRule.class, (check, graded) -> check.result(graded.finding(), graded.grade()));

    /** The graded rules among {@code checks}, those of groups included, in order. */
    public static List<GradedRule> rules(List<Check> checks) {
        return GRADED.among(checks).stream()
                .map(check -> (GradedRule) check.rule())
                .toList();
    }

    /**
     * The finding of one graded check.
     *
     * @param grade what it took; null: no grader was asked
     */
    record Graded(Finding finding, @Nullable Grade grade) {}

    /**
     * The results of the checks with their grades.
     *
     * @param before what they said without
     * @param graded what was found of each rule of {@link #rules}, in order
     */
    static List<CheckResult> results(List<Check> checks, List<CheckResult> before, List<Graded> graded) {
        return GRADED.results(checks, before, graded);
    }
}
