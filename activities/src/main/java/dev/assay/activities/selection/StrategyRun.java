package dev.assay.activities.selection;

import dev.assay.activities.agent.LoopEvents;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.judging.StrategyAsk;
import dev.assay.domain.error.Failure;
import dev.assay.domain.evaluation.AskAnswer;
import dev.assay.domain.evaluation.AskFailedException;
import dev.assay.domain.evaluation.SelectionStoppedException;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.selection.CustomChoice;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.selection.Strategy;
import dev.assay.store.journal.FinishedJudgeCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The decision of one trial by a custom strategy. The strategy has a thread of its own, on which no code of ours waits for a
 * database or a model. Its wishes arrive here as a {@link PluginThread.Signal}. So a strategy can harm no other run by
 * interrupting, hanging or failing. Decision 0022.
 */
final class StrategyRun {

    /** The interval at which the run checks whether it was stopped. */
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Strategy.Custom custom;
    private final List<Outcome> candidates;
    private final PluginThread plugin;
    private final BlockingQueue<PluginThread.Signal> signals;
    private final Asks asks;
    private final StrategyPlaces places;
    private final BooleanSupplier stopped;
    private final LoopEvents events;

    private Map<Integer, FinishedJudgeCall> recorded = Map.of();
    private CellBatch.Result asked = CellBatch.Result.NOTHING;
    private int slot;
    private boolean paused;

    /** The asks of the trial: those on record, and new ones. */
    interface Asks {

        /** The calls that are on record, by their number. */
        Map<Integer, FinishedJudgeCall> recorded();

        /** Makes a call; its result is on record when this returns. */
        CellBatch.Result make(int slot, StrategyAsk ask);

        /** A trial that is decided later. */
        CellBatch.Result later();
    }

    /**
     * The result of the run.
     *
     * @param selection null: the trial stays open
     * @param isFinal whether the selection will not change
     */
    record End(@Nullable Selection selection, boolean isFinal, CellBatch.Result asked) {}

    /** @param stopped whether the decision is not needed any more */
    StrategyRun(
            Strategy.Custom custom,
            List<Outcome> candidates,
            PluginThread.Work work,
            Asks asks,
            StrategyPlaces places,
            BooleanSupplier stopped,
            LoopEvents events) {
        this.custom = custom;
        this.candidates = List.copyOf(candidates);
        this.signals = new LinkedBlockingQueue<>();
        this.plugin = new PluginThread(custom, this.candidates, work, signals);
        this.asks = asks;
        this.places = places;
        this.stopped = stopped;
        this.events = events;
    }

    /**
     * Decides. The caller has a place for the thread, which is given back.
     *
     * @param limit of the strategy's own time, in which waits for models do not count
     */
    End decide(Duration limit) throws InterruptedException {
        boolean returned = false;
        try {
            recorded = asks.recorded();
            events.agentStart(custom.agentName());
            plugin.start();
            End end = untilEnd(limit);
            returned = plugin.hasReturned();
            return end;
        } finally {
            plugin.giveUp();
            if (returned || !plugin.hasStarted()) {
                places.end();
            } else {
                places.abandon(plugin.thread(), paused);
            }
        }
    }

    private End untilEnd(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        while (true) {
            long before = System.nanoTime();
            PluginThread.Signal signal = signals.poll(Math.clamp(left, 0, LOOK.toNanos()), TimeUnit.NANOSECONDS);
            left -= System.nanoTime() - before;
            if (stopped.getAsBoolean()) {
                return later();
            }
            End end = switch (signal) {
                case null -> null;
                case PluginThread.Returned(Selection selection) -> new End(selection, true, asked);
                case PluginThread.Said(String text) -> {
                    events.progress(text);
                    yield null;
                }
                case PluginThread.Question question -> answer(question);
            };
            if (end != null) {
                return end;
            }
            if (left <= 0) {
                return failed("took longer than " + limit.toMillis() / 1000.0 + " s");
            }
        }
    }

    /** Answers the question; a result other than null ends the run. */
    private @Nullable End answer(PluginThread.Question question) throws InterruptedException {
        if (slot == custom.maxAsks()) {
            question.answer()
                    .completeExceptionally(new IllegalStateException("Strategy " + custom.name()
                            + " may ask `maxAsks` times in a trial, which is " + custom.maxAsks()));
            return null;
        }
        pause();
        FinishedJudgeCall call = call(question.ask());
        if (call == null || call.status() == OutcomeStatus.CANCELLED || stopped.getAsBoolean()) {
            return later();
        }
        if (call.status() == OutcomeStatus.BUDGET_SKIPPED) {
            return new End(CustomChoice.notCovered(custom.name(), candidates), false, asked);
        }
        if (!question.ask().model().equals(call.model())
                || !question.ask().text().equals(call.asked().prompt())) {
            return failed("asked something else as its ask " + slot
                    + " than is on record; the same trial must lead to the same asks");
        }
        slot++;
        if (!resume()) {
            return stopped.getAsBoolean() ? later() : failed(NO_PLACE);
        }
        give(call, question);
        return null;
    }

    /** The call as it is on record, now or from before; null: it must be made later. */
    private @Nullable FinishedJudgeCall call(StrategyAsk ask) {
        FinishedJudgeCall known = recorded.get(slot);
        if (known != null && known.status().isFinal()) {
            return known;
        }
        CellBatch.Result result = asks.make(slot, ask);
        asked = asked.and(result);
        recorded = asks.recorded();
        return result.open().isEmpty() ? recorded.get(slot) : null;
    }

    private static void give(FinishedJudgeCall call, PluginThread.Question question) {
        String reply = call.answer().reply();
        Failure failure = call.answer().failure();
        if (reply != null) {
            question.answer().complete(new AskAnswer(reply, call.usage(), call.costUsd()));
        } else if (failure != null) {
            question.answer().completeExceptionally(new AskFailedException(failure));
        }
    }

    private void pause() {
        places.pause();
        paused = true;
    }

    private boolean resume() throws InterruptedException {
        paused = !places.resume(stopped);
        return !paused;
    }

    private End later() {
        return new End(null, false, asked.open().isEmpty() ? asked.and(asks.later()) : asked);
    }

    private End failed(String what) {
        return new End(CustomChoice.failed(custom.name(), what), true, asked);
    }

    /** The reason where no thread is left. */
    static final String NO_PLACE = "was not asked, because " + StrategyPlaces.COMPUTING
            + " earlier calls of custom strategies do not end on this worker, which must be restarted";

    /** Thrown to a strategy whose decision is not needed any more. */
    static SelectionStoppedException stoppedException() {
        return new SelectionStoppedException("This decision is no longer needed");
    }
}
