package dev.assay.activities.check;

import dev.assay.domain.check.Check;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.Finding;
import dev.assay.work.compute.CheckTask;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.Computing;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Evaluates checks: the quick ones here, the others in a compute process, where each has its limits. */
public final class BoundedChecks {

    /** The checks of one task: a process keeps that many definitions and more. */
    private static final int PIECE = 500;

    private final Computing computing;

    public BoundedChecks(Computing computing) {
        this.computing = computing;
    }

    /**
     * One result for each of {@code checks}, in their order; UNSCORED where a check takes too much. An interrupt is kept for later:
     * the answer that is checked was paid for.
     */
    public List<CheckResult> evaluate(String queue, List<Check> checks, CheckInput input) {
        List<Check> demanding =
                checks.stream().filter(check -> !check.isQuick(input)).toList();
        Iterator<CheckResult> computed = computed(queue, demanding, input).iterator();
        return checks.stream()
                .map(check -> check.isQuick(input) ? CheckTask.evaluate(check, input) : computed.next())
                .toList();
    }

    private List<CheckResult> computed(String queue, List<Check> checks, CheckInput input) {
        List<CheckResult> results = new ArrayList<>(checks.size());
        while (results.size() < checks.size()) {
            List<Check> piece = checks.subList(results.size(), Math.min(checks.size(), results.size() + PIECE));
            Iterator<Check> each = piece.iterator();
            computing
                    .runToEnd(queue, new CheckTask(piece, input))
                    .forEach(computed -> results.add(result(each.next(), computed)));
        }
        return results;
    }

    private static CheckResult result(Check check, Computed<Finding> computed) {
        return switch (computed) {
            case Computed.Done<Finding>(Finding found) -> new CheckResult(check.type(), found, check.role());
            case Computed.Stopped<Finding>(var stop) -> check.unscored(stop.sentence(CheckTask.name(check)));
        };
    }
}
