package dev.assay.domain.check;

import dev.assay.domain.check.rule.CheckResult;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The checks of a case that are no groups, those in groups included, and the results of all from theirs. */
public final class CheckLeaves {

    private CheckLeaves() {}

    /** Those among {@code checks}, in order. */
    public static List<Check> of(List<Check> checks) {
        return checks.stream().flatMap(CheckLeaves::within).toList();
    }

    private static Stream<Check> within(Check check) {
        return check.rule() instanceof GroupRule group
                ? group.checks().stream().flatMap(CheckLeaves::within)
                : Stream.of(check);
    }

    /**
     * The results of {@link #of}, in order, where those of {@code checks} are {@code results}. A group that took too long has no
     * results of its members: each of them is unscored for its reason.
     */
    public static List<CheckResult> results(List<Check> checks, List<CheckResult> results) {
        List<CheckResult> found = new ArrayList<>();
        for (int i = 0; i < checks.size(); i++) {
            CheckResult result = results.get(i);
            if (!(checks.get(i).rule() instanceof GroupRule group)) {
                found.add(result);
            } else if (result.members().size() == group.checks().size()) {
                found.addAll(results(group.checks(), result.members()));
            } else {
                of(group.checks()).forEach(check -> found.add(check.unscored(result.reason())));
            }
        }
        return found;
    }

    /**
     * The same results, in which checks that are no groups have their evaluators.
     *
     * @param evaluators gives the hash of a check's evaluator; null: its result stays as it is
     */
    public static List<CheckResult> named(
            List<Check> checks,
            List<CheckResult> results,
            BiFunction<Check, CheckResult, @Nullable String> evaluators) {
        List<CheckResult> named = new ArrayList<>(checks.size());
        for (int i = 0; i < checks.size(); i++) {
            CheckResult result = results.get(i);
            if (!(checks.get(i).rule() instanceof GroupRule group)) {
                String hash = evaluators.apply(checks.get(i), result);
                named.add(hash == null ? result : result.by(hash));
            } else if (result.members().size() == group.checks().size()) {
                named.add(result.of(named(group.checks(), result.members(), evaluators)));
            } else {
                named.add(result);
            }
        }
        return named;
    }

    /** The results of {@code checks}, where those of {@link #of} are {@code leaves}. */
    public static List<CheckResult> joined(List<Check> checks, List<CheckResult> leaves) {
        return joined(checks, leaves.iterator());
    }

    private static List<CheckResult> joined(List<Check> checks, Iterator<CheckResult> leaves) {
        List<CheckResult> joined = new ArrayList<>(checks.size());
        for (Check check : checks) {
            joined.add(
                    check.rule() instanceof GroupRule group
                            ? check.result(group.finding(joined(group.checks(), leaves)), null)
                            : leaves.next());
        }
        return joined;
    }
}
