package dev.assay.domain.grading;

import dev.assay.domain.check.Check;
import dev.assay.domain.check.GroupRule;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Grade;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The checks of a case that models decide, and the results of all of its checks with their grades. */
public final class Grading {

    private Grading() {}

    /** The graded rules among {@code checks}, those of groups included, in order. */
    public static List<GradedRule> rules(List<Check> checks) {
        return checks.stream().flatMap(Grading::rules).toList();
    }

    private static Stream<GradedRule> rules(Check check) {
        return switch (check.rule()) {
            case GradedRule rule -> Stream.of(rule);
            case GroupRule group -> group.checks().stream().flatMap(Grading::rules);
            default -> Stream.empty();
        };
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
        return results(checks, before, graded.iterator());
    }

    private static List<CheckResult> results(List<Check> checks, List<CheckResult> before, Iterator<Graded> graded) {
        List<CheckResult> results = new ArrayList<>(checks.size());
        for (int i = 0; i < checks.size(); i++) {
            results.add(result(checks.get(i), before.get(i), graded));
        }
        return results;
    }

    private static CheckResult result(Check check, CheckResult before, Iterator<Graded> graded) {
        return switch (check.rule()) {
            case GradedRule _ -> {
                Graded own = graded.next();
                yield check.result(own.finding(), own.grade());
            }
            case GroupRule group
            when before.members().size() == group.checks().size() ->
                check.result(group.finding(results(group.checks(), before.members(), graded)), null);
            // A group that took too long has no results of its members: their grades are skipped.
            case GroupRule _ -> {
                rules(check).forEach(_ -> graded.next());
                yield before;
            }
            default -> before;
        };
    }
}
