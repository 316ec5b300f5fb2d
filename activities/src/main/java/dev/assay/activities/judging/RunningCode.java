package dev.assay.activities.judging;

import dev.assay.domain.grading.Transforms;
import dev.assay.domain.outcome.Outcome;
import java.time.Duration;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The own code of one activity's outcomes. That of all outcomes runs at once, as far as there are processes for it; each outcome goes
 * on when its own has ended.
 */
final class RunningCode implements AutoCloseable {

    private static final Duration BEAT = Duration.ofSeconds(5);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ExecutorCompletionService<Optional<Integer>> ends = new ExecutorCompletionService<>(threads);
    private final Set<Cell> begun = new HashSet<>();
    private int running;

    private record Cell(int ordinal, int branch) {}

    /** The threads on which code of one outcome waits. */
    ExecutorService threads() {
        return threads;
    }

    /** Whether the code of an outcome was begun before. */
    boolean hasBegun(Outcome outcome) {
        return begun.contains(new Cell(outcome.ordinal(), outcome.branchIndex()));
    }

    /**
     * Begins to run the code of an outcome.
     *
     * @param then receives what it came to, on another thread; whether graders are to be asked now
     */
    void begin(Outcome outcome, Callable<Transforms.Decided> code, Predicate<Transforms.Decided> then) {
        begun.add(new Cell(outcome.ordinal(), outcome.branchIndex()));
        running++;
        ends.submit(() -> then.test(code.call()) ? Optional.of(outcome.ordinal()) : Optional.empty());
    }

    /**
     * Waits for trials whose graders are to be asked now.
     *
     * @param isWanted asked now and then
     * @return none: all code has ended, or is no longer wanted
     */
    NavigableSet<Integer> await(Runnable beat, BooleanSupplier isWanted) {
        NavigableSet<Integer> ready = new TreeSet<>();
        try {
            while (ready.isEmpty() && running > 0) {
                Future<Optional<Integer>> end = ends.poll(BEAT.toMillis(), TimeUnit.MILLISECONDS);
                beat.run();
                if (end == null && !isWanted.getAsBoolean()) {
                    return ready;
                }
                for (; end != null; end = ends.poll()) {
                    running--;
                    end.get().ifPresent(ready::add);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The activity's thread was interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("The own code of an outcome could not be run", e.getCause());
        }
        return ready;
    }

    /** Kills what still runs. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
