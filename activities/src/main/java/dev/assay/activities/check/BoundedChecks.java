package dev.assay.activities.check;

import dev.assay.activities.compute.Computing;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckInput;
import dev.assay.domain.check.CheckResult;
import dev.assay.work.WorkTimedOutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Evaluates checks, each for a bounded time. */
public final class BoundedChecks {

    private static final Logger LOG = LoggerFactory.getLogger(BoundedChecks.class);

    private final Computing computing;

    public BoundedChecks(Computing computing) {
        this.computing = computing;
    }

    /**
     * One result for each of {@code checks}, in their order; UNSCORED where a check takes too long or too much stack. An
     * interrupt is kept for later: the answer that is checked was paid for.
     */
    public List<CheckResult> evaluate(List<Check> checks, CheckInput input) {
        List<CheckResult> results = new ArrayList<>(checks.size());
        boolean interrupted = false;
        while (results.size() < checks.size()) {
            try {
                results.add(evaluate(checks.get(results.size()), input));
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return results;
    }

    private CheckResult evaluate(Check check, CheckInput input) throws InterruptedException {
        String what = "The check of type " + check.type();
        try {
            return computing.<CheckResult, RuntimeException>run(what, () -> check.evaluate(input));
        } catch (WorkTimedOutException e) {
            return check.unscored(e.getMessage() + ".");
        } catch (StackOverflowError e) {
            return check.unscored(what + " is nested too deeply for this response.");
        } catch (CancellationException e) {
            // The process ends.
            throw e;
        } catch (RuntimeException | Error e) {
            // A defect of ours must not cost an answer that was paid for.
            LOG.error("{} failed unexpectedly", what, e);
            return check.unscored(what + " failed unexpectedly (" + e.getClass().getSimpleName() + ").");
        }
    }
}
