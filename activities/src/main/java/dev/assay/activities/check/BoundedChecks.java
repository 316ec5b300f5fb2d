package dev.assay.activities.check;

import dev.assay.activities.compute.Computing;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckResult;
import dev.assay.domain.check.Checks;
import dev.assay.work.WorkTimedOutException;
import java.util.ArrayList;
import java.util.List;

/** Evaluates checks, each for a bounded time. */
public final class BoundedChecks {

    private final Computing computing;

    public BoundedChecks(Computing computing) {
        this.computing = computing;
    }

    /**
     * One result for each of {@code checks}, in their order; UNSCORED where a check takes too long or too much stack. An
     * interrupt is kept for later: the answer that is checked was paid for.
     */
    public List<CheckResult> evaluate(List<Check> checks, String response) {
        List<CheckResult> results = new ArrayList<>(checks.size());
        boolean interrupted = false;
        while (results.size() < checks.size()) {
            try {
                results.add(evaluate(checks.get(results.size()), response));
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return results;
    }

    private CheckResult evaluate(Check check, String response) throws InterruptedException {
        String what = "The check of type " + Checks.type(check);
        try {
            return computing
                    .<List<CheckResult>, RuntimeException>run(what, () -> Checks.evaluate(List.of(check), response))
                    .getFirst();
        } catch (WorkTimedOutException e) {
            return unscored(check, e.getMessage() + ".");
        } catch (StackOverflowError e) {
            return unscored(check, what + " is nested too deeply for this response.");
        }
    }

    private static CheckResult unscored(Check check, String reason) {
        return new CheckResult(
                Checks.type(check), CheckResult.Status.UNSCORED, null, reason, check.required(), check.weight());
    }
}
