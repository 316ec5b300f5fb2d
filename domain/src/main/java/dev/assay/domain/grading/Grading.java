package dev.assay.domain.grading;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckLeaves;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Grade;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The checks of a case that models decide, and the results of all of its checks with their grades. */
public final class Grading {

    private Grading() {}

    /** The graded rules among {@code checks}, those of groups included, in order. */
    public static List<GradedRule> rules(List<Check> checks) {
        return graded(checks).stream().map(check -> (GradedRule) check.rule()).toList();
    }

    /** The graded checks among {@code checks}, those of groups included, in order. */
    static List<Check> graded(List<Check> checks) {
        return CheckLeaves.of(checks).stream()
                .filter(check -> check.rule() instanceof GradedRule)
                .toList();
    }

    /**
     * The result of one graded check, or what makes it.
     *
     * @param evaluator hash of the grader that was asked; null: none was, or nobody noted which
     */
    record Graded(
            @Nullable Finding finding,
            @Nullable Grade grade,
            @Nullable String evaluator,
            @Nullable CheckResult known) {

        /** A grader's finding. */
        Graded(Finding finding, Grade grade, @Nullable String evaluator) {
            this(finding, grade, evaluator, null);
        }

        /** A finding for which no grader is asked. */
        Graded(Finding finding) {
            this(finding, null, null, null);
        }

        /** A result that stands. */
        Graded(CheckResult known) {
            this(null, null, null, known);
        }

        private CheckResult result(Check check) {
            return known == null ? check.result(requireNonNull(finding), grade).by(evaluator) : known;
        }
    }

    /** What the checks of {@link #rules} said before, in order. */
    static List<CheckResult> before(List<Check> checks, List<CheckResult> results) {
        List<Check> leaves = CheckLeaves.of(checks);
        List<CheckResult> found = CheckLeaves.results(checks, results);
        return IntStream.range(0, leaves.size())
                .filter(i -> leaves.get(i).rule() instanceof GradedRule)
                .mapToObj(found::get)
                .toList();
    }

    /**
     * The results of the checks with their grades.
     *
     * @param before what they said without
     * @param graded what was found of each rule of {@link #rules}, in order
     */
    static List<CheckResult> results(List<Check> checks, List<CheckResult> before, List<Graded> graded) {
        Iterator<CheckResult> known = CheckLeaves.results(checks, before).iterator();
        Iterator<Graded> next = graded.iterator();
        List<CheckResult> leaves = new ArrayList<>();
        for (Check check : CheckLeaves.of(checks)) {
            CheckResult result = known.next();
            leaves.add(check.rule() instanceof GradedRule ? next.next().result(check) : result);
        }
        return CheckLeaves.joined(checks, leaves);
    }
}
