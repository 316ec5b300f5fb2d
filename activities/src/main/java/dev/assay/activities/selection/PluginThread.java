package dev.assay.activities.selection;

import dev.assay.activities.judging.StrategyAsk;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.evaluation.AskAnswer;
import dev.assay.domain.evaluation.SelectionStrategy;
import dev.assay.domain.evaluation.StrategyContext;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.message.StorableMessages;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.selection.CustomChoice;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.text.Excerpt;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a custom strategy's decision, a daemon. Every end of it, an {@link Error} included, is a {@link Signal} to the run
 * that waits.
 */
final class PluginThread implements StrategyContext {

    /** Longest ask, as it is recorded, in characters. */
    static final int LONGEST_ASK = 10_000_000;

    private static final int LONGEST_PROGRESS = 1_000;

    private final Strategy.Custom custom;
    private final List<Outcome> candidates;
    private final Work work;
    private final BlockingQueue<Signal> signals;
    private final Thread thread;
    private final AtomicInteger said = new AtomicInteger();
    private final Object lock = new Object();
    private @Nullable Question open;
    private boolean started;
    private volatile boolean returned;
    private volatile boolean over;

    /** The input of the strategy. */
    record Work(SelectionStrategy strategy, List<Message> prompts, List<Message> conversation) {}

    /** A message of the strategy to the run. */
    sealed interface Signal {}

    /** The decision or failure of the strategy. */
    record Returned(Selection selection) implements Signal {}

    /** A message for those who follow the evaluation. */
    record Said(String text) implements Signal {}

    /** A question of the strategy, which waits for the answer. */
    record Question(StrategyAsk ask, CompletableFuture<AskAnswer> answer) implements Signal {}

    PluginThread(Strategy.Custom custom, List<Outcome> candidates, Work work, BlockingQueue<Signal> signals) {
        this.custom = custom;
        this.candidates = candidates;
        this.work = work;
        this.signals = signals;
        this.thread =
                Thread.ofPlatform().daemon().name("strategy-" + custom.name()).unstarted(this::decide);
    }

    void start() {
        started = true;
        thread.start();
    }

    boolean hasStarted() {
        return started;
    }

    /** Whether the strategy has returned or thrown. */
    boolean hasReturned() {
        return returned;
    }

    Thread thread() {
        return thread;
    }

    /** Gives up the decision, which is not needed any more: asks of the strategy from now on are refused. */
    void giveUp() {
        synchronized (lock) {
            over = true;
            if (open != null) {
                open.answer().completeExceptionally(StrategyRun.stoppedException());
            }
        }
    }

    private void decide() {
        Selection selection;
        try {
            selection = CustomChoice.of(
                    custom.name(), candidates, work.strategy().select(work.prompts(), candidates, this));
        } catch (Throwable e) {
            selection = CustomChoice.failed(custom.name(), "failed with " + text(e));
        }
        returned = true;
        signals.add(new Returned(selection));
    }

    /** The text of an exception, whose own methods may throw. */
    private static String text(Throwable thrown) {
        try {
            return Excerpt.of(thrown.toString());
        } catch (Throwable _) {
            return thrown.getClass().getName();
        }
    }

    @Override
    public List<Message> conversation() {
        return work.conversation();
    }

    @Override
    public void progress(String text) {
        String line = Excerpt.of(text, LONGEST_PROGRESS);
        int number = said.incrementAndGet();
        if (over || number > MOST_PROGRESS) {
            return;
        }
        signals.add(new Said(
                number < MOST_PROGRESS ? line : "Strategy " + custom.name() + " said more, which is left out."));
    }

    @Override
    public boolean isCancelled() {
        return over;
    }

    @Override
    public AskAnswer ask(String model, List<Message> messages) {
        if (!Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("Only the thread that `select` was called on may ask: asks are numbered");
        }
        Question question = new Question(read(model, messages), new CompletableFuture<>());
        synchronized (lock) {
            if (over) {
                throw StrategyRun.stoppedException();
            }
            open = question;
            signals.add(question);
        }
        try {
            // An interrupt does not end this wait: the caller that waits for the decision ends it.
            return question.answer().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private StrategyAsk read(String model, List<Message> messages) {
        Agent agent = custom.models().get(model);
        if (agent == null) {
            throw new IllegalArgumentException(
                    "The campaign gives strategy " + custom.name() + " no model named " + Excerpt.of(model));
        }
        List<Message> storable = messages.stream().map(StorableMessages::of).toList();
        if (storable.isEmpty() || storable.getLast().role() != Role.USER) {
            throw new IllegalArgumentException("The last message of an ask is from the user");
        }
        StrategyAsk ask = new StrategyAsk(model, agent, storable);
        if (ask.text().length() > LONGEST_ASK) {
            throw new IllegalArgumentException("An ask has at most " + LONGEST_ASK + " characters");
        }
        return ask;
    }
}
