package dev.assay.domain.check;

import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckRule;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Checks that are decided after the answer is on record, and the results of all checks with theirs.
 *
 * @param rules the rules of these checks
 * @param result the result of one of them, from what was found
 */
public record LaterChecks<T>(Class<? extends CheckRule> rules, BiFunction<Check, T, CheckResult> result) {

    /** Those among {@code checks}, those of groups included, in order. */
    public List<Check> among(List<Check> checks) {
        return checks.stream().flatMap(this::within).toList();
    }

    private Stream<Check> within(Check check) {
        if (check.rule() instanceof GroupRule group) {
            return group.checks().stream().flatMap(this::within);
        }
        return rules.isInstance(check.rule()) ? Stream.of(check) : Stream.empty();
    }

    /**
     * The results of all.
     *
     * @param before what they said without
     * @param found of each of {@link #among}, in order
     */
    public List<CheckResult> results(List<Check> checks, List<CheckResult> before, List<T> found) {
        return results(checks, before, found.iterator());
    }

    private List<CheckResult> results(List<Check> checks, List<CheckResult> before, Iterator<T> found) {
        List<CheckResult> results = new ArrayList<>(checks.size());
        for (int i = 0; i < checks.size(); i++) {
            results.add(result(checks.get(i), before.get(i), found));
        }
        return results;
    }

    private CheckResult result(Check check, CheckResult before, Iterator<T> found) {
        if (!(check.rule() instanceof GroupRule group)) {
            return rules.isInstance(check.rule()) ? result.apply(check, found.next()) : before;
        }
        if (before.members().size() == group.checks().size()) {
            return check.result(group.finding(results(group.checks(), before.members(), found)), null);
        }
        // A group that took too long has no results of its members: what was found of them is skipped.
        within(check).forEach(_ -> found.next());
        return before;
    }
}
