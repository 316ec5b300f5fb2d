package dev.assay.activities.judging;

import dev.assay.activities.code.CodeProcesses;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.grading.CodeCall;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The own code of one activity's outcomes. The checks of all outcomes run at once, as far as there are processes for them; each outcome
 * is recorded when its own have ended. Nothing of them is kept: a repeated activity runs them again.
 */
final class RunningCode implements AutoCloseable {

    private static final Duration BEAT = Duration.ofSeconds(5);

    private final CodeProcesses processes;
    private final StoredCampaign campaign;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> outcomes = new ArrayList<>();
    private final Set<Cell> begun = new HashSet<>();

    private record Cell(int ordinal, int branch) {}

    RunningCode(CodeProcesses processes, StoredCampaign campaign) {
        this.processes = processes;
        this.campaign = campaign;
    }

    /** Whether the code of an outcome was begun before. */
    boolean hasBegun(Outcome outcome) {
        return begun.contains(new Cell(outcome.ordinal(), outcome.branchIndex()));
    }

    /**
     * Begins to run the code of an outcome.
     *
     * @param then receives the outcome with all results, on another thread
     */
    void begin(Outcome outcome, Case suiteCase, Consumer<Outcome> then) {
        begun.add(new Cell(outcome.ordinal(), outcome.branchIndex()));
        outcomes.add(threads.submit(() -> {
            List<Check> checks = suiteCase.checks().all();
            then.accept(OwnCode.decided(outcome, checks, replies(outcome, suiteCase)));
            return null;
        }));
    }

    private List<CodeReply> replies(Outcome outcome, Case suiteCase) throws InterruptedException, ExecutionException {
        Branch branch = campaign.definition().branches().get(outcome.branchIndex());
        CodeCall call = new CodeCall(outcome, suiteCase, branch, campaign.grid().trial(outcome.ordinal()));
        List<Future<CodeReply>> running = new ArrayList<>();
        for (CodeRule rule : OwnCode.rules(suiteCase.checks().all())) {
            running.add(threads.submit(
                    () -> processes.run(campaign.id(), campaign.definition().code(), rule, call)));
        }
        List<CodeReply> replies = new ArrayList<>();
        for (Future<CodeReply> one : running) {
            replies.add(one.get());
        }
        return replies;
    }

    /**
     * Waits until all that was begun has ended, or is no longer wanted.
     *
     * @param isWanted asked now and then
     */
    void await(Runnable beat, BooleanSupplier isWanted) {
        try {
            for (Future<?> outcome : outcomes) {
                while (!hasEnded(outcome)) {
                    beat.run();
                    if (!isWanted.getAsBoolean()) {
                        return;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The activity's thread was interrupted", e);
        }
    }

    private static boolean hasEnded(Future<?> outcome) throws InterruptedException {
        try {
            outcome.get(BEAT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("The own code of an outcome could not be run", e.getCause());
        }
    }

    /** Kills what still runs. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
