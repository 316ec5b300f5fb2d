package dev.assay.activities.check;

import dev.assay.activities.compute.Computing;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.work.WorkTimedOutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Evaluates checks, each for a bounded time. */
public final class BoundedChecks {

    private static final Logger LOG = LoggerFactory.getLogger(BoundedChecks.class);

    /** The time of a piece of work, in nanoseconds, after which the remaining checks are handed over anew. */
    private static final long PIECE_NANOS = 20_000_000;

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
                evaluateSome(checks.subList(results.size(), checks.size()), input, results);
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return results;
    }

    /** Hands the checks to the pool as one piece of work: twenty that take microseconds are not worth twenty hand-overs. */
    private void evaluateSome(List<Check> checks, CheckInput input, List<CheckResult> results)
            throws InterruptedException {
        Queue<CheckResult> done = new ConcurrentLinkedQueue<>();
        try {
            computing.<Boolean, RuntimeException>run("The check", () -> evaluateFor(PIECE_NANOS, checks, input, done));
            results.addAll(done);
        } catch (WorkTimedOutException e) {
            Check late = stoppedAt(checks, done, results);
            if (late != null) {
                results.add(late.unscored(new WorkTimedOutException(name(late), e.limit()).getMessage() + "."));
            }
        } catch (InterruptedException | CancellationException e) {
            var _ = stoppedAt(checks, done, results);
            throw e;
        } catch (RuntimeException | Error e) {
            Check failed = stoppedAt(checks, done, results);
            if (failed != null) {
                results.add(unscored(failed, e));
            }
        }
    }

    /** Evaluates until the time is over: each check begins with nearly all of the pool's limit before it. */
    private static boolean evaluateFor(long nanos, List<Check> checks, CheckInput input, Queue<CheckResult> done) {
        long begin = System.nanoTime();
        for (Check check : checks) {
            done.add(check.evaluate(input));
            if (System.nanoTime() - begin > nanos || Thread.currentThread().isInterrupted()) {
                return false;
            }
        }
        return true;
    }

    /** Keeps the finished results; returns the check that was being evaluated, null where all were done. */
    private static @Nullable Check stoppedAt(List<Check> checks, Queue<CheckResult> done, List<CheckResult> results) {
        List<CheckResult> kept = List.copyOf(done);
        results.addAll(kept);
        return kept.size() < checks.size() ? checks.get(kept.size()) : null;
    }

    private static String name(Check check) {
        return "The check of type " + check.type();
    }

    private static CheckResult unscored(Check check, Throwable failure) {
        if (failure instanceof StackOverflowError) {
            return check.unscored(name(check) + " is nested too deeply for this response.");
        }
        // A defect of ours must not cost an answer that was paid for.
        LOG.error("{} failed unexpectedly", name(check), failure);
        return check.unscored(
                name(check) + " failed unexpectedly (" + failure.getClass().getSimpleName() + ").");
    }
}
