package dev.assay.work.compute.pool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.assay.work.compute.NamedDefinition;
import dev.assay.work.compute.Stop;
import dev.assay.work.compute.Task;
import dev.assay.work.compute.process.ComputeProcess;
import dev.assay.work.compute.process.Frames;
import dev.assay.work.compute.process.ReplyFrame;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task that a compute process is at. Its limits are watched from outside, by {@link #look}. */
final class TaskRun {

    private static final Logger LOG = LoggerFactory.getLogger(TaskRun.class);

    /** What runs for less is not looked at. */
    private static final long LOOKED_AT_AFTER_NANOS = 100_000_000;

    /** What takes longer of a processor leaves the processors to others, or gives its process up. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    private static final long GRACE_NANOS = 1_000_000_000;
    private static final int NAME = 100;

    private final ComputeChild child;
    private final Ticket<?> ticket;
    private final int end;
    private final ComputeSettings settings;
    private final Duration limit;
    private volatile long beganNanos = System.nanoTime();
    private volatile @Nullable Stop killedFor;
    private volatile boolean isFrozen;
    private volatile long givenUpNanos;
    private int seen = -1;
    private Duration before = Duration.ZERO;
    private @Nullable Duration first;
    private volatile boolean isSlow;
    private volatile boolean isOut;
    private final BooleanSupplier mayBeSlow;

    /**
     * A run that has not begun.
     *
     * @param end the definition before which it ends
     * @param mayBeSlow asked once it is slow; false: it ends, which is no fault
     */
    TaskRun(ComputeChild child, Ticket<?> ticket, int end, ComputeSettings settings, BooleanSupplier mayBeSlow) {
        this.mayBeSlow = mayBeSlow;
        this.child = child;
        this.ticket = ticket;
        this.end = end;
        this.settings = settings;
        Duration own = ticket.task().cpu();
        this.limit = own.compareTo(settings.cpu()) < 0 ? own : settings.cpu();
    }

    /** Its end. */
    sealed interface End {

        /** The process is ready for the next task. */
        record Well() implements End {}

        /** The definition that ran was stopped; the process has ended. */
        record Stopped(Stop stop) implements End {}

        /** It was slow, and there was no room for one more; the process has ended. */
        record Slow() implements End {}

        /** The process has ended over one of several definitions. */
        record Again() implements End {}

        /** The process has ended, which need not be the definition's fault. */
        record Died(Stop ifAgain) implements End {}
    }

    /** Sends what is left of the task, and hands each answer to its ticket. */
    End talk() {
        int from = ticket.next();
        try {
            return talk(ticket, from);
        } catch (IOException e) {
            return ended(e);
        }
    }

    private <R> End talk(Ticket<R> to, int from) throws IOException {
        Task<R> task = to.task();
        List<NamedDefinition> definitions = to.definitions().subList(from, end);
        long number;
        try {
            number = child.send(task.kind().name(), definitions, task.input(), to.isSingly());
        } catch (Frames.TooLongException e) {
            child.kill();
            return new End.Stopped(new Stop.TooLong(Frames.MAX_TASK >> 20));
        } catch (IllegalArgumentException e) {
            // Such as a tree that is too deep for JSON.
            LOG.warn("A task cannot be written", e);
            child.kill();
            return new End.Stopped(new Stop.Failed("IllegalArgumentException"));
        }
        for (int item = 0; item < end - from; item++) {
            if (to.isOver()) {
                child.kill();
                return new End.Died(new Stop.Ended());
            }
            ReplyFrame<JsonNode> said = child.reply();
            if (said.number() != number || said.item() != item) {
                throw new LieException("It answers what was not asked");
            }
            take(to, said);
            beganNanos = System.nanoTime();
        }
        return new End.Well();
    }

    private static <R> void take(Ticket<R> to, ReplyFrame<JsonNode> said) throws LieException {
        String failed = said.failed();
        JsonNode answer = said.answer() == null ? NullNode.getInstance() : said.answer();
        if (failed != null) {
            if (failed.length() > NAME || !failed.matches("[A-Za-z]\\w*")) {
                throw new LieException("It names no exception");
            }
            to.stopped(new Stop.Failed(failed));
            return;
        }
        try {
            to.done(to.task().answer(answer));
        } catch (JsonProcessingException | RuntimeException e) {
            throw new LieException("It says what is no answer", e);
        }
    }

    private End ended(IOException cause) {
        boolean lies = cause instanceof LieException;
        boolean isTooLong = cause instanceof Frames.TooLongException;
        if (lies || isTooLong) {
            child.kill();
        }
        int code;
        try {
            code = child.exitCode();
        } catch (IOException e) {
            return new End.Died(new Stop.Ended());
        }
        Stop reason = killedFor;
        if (reason == null && isOut) {
            return new End.Slow();
        }
        if (reason != null) {
            return isFrozen ? new End.Died(reason) : new End.Stopped(reason);
        }
        if (isTooLong) {
            return new End.Stopped(new Stop.TooLong(Frames.MAX_REPLY >> 20));
        }
        if (!lies && ticket.goesOnSingly()) {
            // Answers that waited for others are lost with it: which definition ran is not known.
            return new End.Again();
        }
        if (code == ComputeProcess.OUT_OF_MEMORY && !lies) {
            return new End.Stopped(new Stop.TooLarge(settings.heapMb()));
        }
        LOG.warn("A compute process ended with code {} ({}); it wrote: {}", code, cause.getMessage(), child.errors());
        return new End.Died(new Stop.Ended());
    }

    /** Whether the definition that runs has run for longer. */
    boolean isOlderThan(Duration age) {
        return System.nanoTime() - beganNanos > age.toNanos();
    }

    /** Kills the process when the definition that runs has passed a limit, or nobody wants it any more. */
    void look() {
        long now = System.nanoTime();
        long age = now - beganNanos;
        if (givenUpNanos != 0 && now - givenUpNanos > GRACE_NANOS) {
            kill(new Stop.Late(limit), false);
        } else if (age > settings.wall().toNanos()) {
            kill(new Stop.Late(settings.wall()), true);
        } else if (age > LOOKED_AT_AFTER_NANOS) {
            look(child.cpu());
        }
    }

    private void look(@Nullable Duration cpu) {
        int item = ticket.next();
        if (cpu == null) {
            return;
        }
        if (first == null) {
            first = cpu;
        }
        if (!isSlow && cpu.minus(first).compareTo(SLOW) > 0) {
            isSlow = true;
            if (mayBeSlow.getAsBoolean()) {
                child.putBehind();
            } else {
                isOut = true;
                child.kill();
            }
        }
        if (isOut) {
            return;
        }
        if (item != seen) {
            seen = item;
            before = cpu;
        } else if (cpu.minus(before).compareTo(limit) > 0) {
            kill(new Stop.Late(limit), false);
        }
    }

    /** Whether it took little time of a processor, however long others kept it waiting for one. */
    boolean isQuick() {
        return !isSlow;
    }

    private void kill(Stop reason, boolean frozen) {
        if (killedFor == null) {
            isFrozen = frozen;
            killedFor = reason;
            child.kill();
        }
    }

    /** Ends soon what nobody waits for. */
    void giveUp() {
        givenUpNanos = System.nanoTime();
    }
}
