package dev.assay.activities.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.agent.LoopEvents;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.judging.StrategyAsk;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.evaluation.SelectionStoppedException;
import dev.assay.domain.evaluation.SelectionStrategy;
import dev.assay.domain.evaluation.StrategyAnswer;
import dev.assay.domain.evaluation.StrategyContext;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import dev.assay.store.journal.FinishedJudgeCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StrategyRunTest {

    private static final Agent GRADER =
            new Agent.Scripted(new Agent.Script(List.of("yes"), Duration.ZERO, List.of(), null));
    private static final Strategy.Custom CUSTOM = new Strategy.Custom("test", Map.of("grader", GRADER), 2);

    private Duration limit = Duration.ofSeconds(30);
    private final StrategyPlaces places = new StrategyPlaces();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<AgentEvent> events = Collections.synchronizedList(new ArrayList<>());
    private final Record record = new Record();

    /** What is on record; a model that is asked answers at once, with how it is said. */
    private static final class Record implements StrategyRun.Asks {

        private final Map<Integer, FinishedJudgeCall> calls = new ConcurrentHashMap<>();
        private final List<String> made = Collections.synchronizedList(new ArrayList<>());
        private OutcomeStatus status = OutcomeStatus.COMPLETED;
        private Runnable meanwhile = () -> {};

        @Override
        public Map<Integer, FinishedJudgeCall> recorded() {
            return new TreeMap<>(calls);
        }

        @Override
        public CellBatch.Result make(int slot, StrategyAsk ask) {
            meanwhile.run();
            made.add(slot + " " + ask.messages().getLast().text());
            calls.put(slot, call(slot, ask, status));
            return CellBatch.Result.NOTHING;
        }

        @Override
        public CellBatch.Result later() {
            return CellBatch.Result.left(0);
        }

        private static FinishedJudgeCall call(int slot, StrategyAsk ask, OutcomeStatus status) {
            @Nullable String reply = status == OutcomeStatus.COMPLETED ? "reply " + slot : null;
            return new FinishedJudgeCall(
                    0,
                    ask.model(),
                    "s.g." + slot,
                    status,
                    new JudgePreview("", ask.text(), new Compaction(null, 0, 0, 0, 0, 0, true), null),
                    new JudgeAnswer(
                            slot,
                            List.of(),
                            reply,
                            reply == null ? new Failure(ErrorCode.PROVIDER_REJECTED, "No.") : null,
                            status.isFinal()),
                    new Measured(Usage.of(3, 1), null, Duration.ZERO),
                    Provenance.NONE,
                    1,
                    null);
        }
    }

    private StrategyRun.End decide(TestStrategy.Behaviour behaviour) throws InterruptedException {
        SelectionStrategy strategy = new SelectionStrategy() {
            @Override
            public String name() {
                return CUSTOM.name();
            }

            @Override
            public StrategyAnswer select(List<Message> prompts, List<Outcome> candidates, StrategyContext context) {
                return behaviour.select(prompts, candidates, context);
            }
        };
        PluginThread.Work work = new PluginThread.Work(strategy, List.of(), List.of());
        assertThat(places.begin(stopped::get)).isTrue();
        return new StrategyRun(
                        CUSTOM,
                        List.of(outcome(0), outcome(1)),
                        work,
                        record,
                        places,
                        stopped::get,
                        new LoopEvents(new LoopId("s", "custom.test", 3), events::add))
                .decide(limit);
    }

    private static String reason(StrategyRun.End end) {
        assertThat(end.selection())
                .isNotNull()
                .extracting(Selection::selectedIndex)
                .isNull();
        assertThat(end.isFinal()).isTrue();
        return end.selection().reason();
    }

    private static String ask(StrategyContext context, String question) {
        return context.ask("grader", List.of(Message.user(question))).text();
    }

    private static Outcome outcome(int branchIndex) {
        return new Outcome(
                0,
                branchIndex,
                "s.b." + branchIndex,
                new Outcome.End(OutcomeStatus.COMPLETED, null, 1),
                new Outcome.Answer(List.of(), 0, "answer"),
                new Measured(Usage.of(1, 1), null, Duration.ZERO),
                List.of());
    }

    @Test
    void shouldGiveRecordedAnswersAndAskOnlyWhatIsNew() throws InterruptedException {
        record.make(0, new StrategyAsk("grader", GRADER, List.of(Message.user("a"))));
        record.made.clear();

        StrategyRun.End end = decide((prompts, candidates, context) ->
                TestStrategy.select((ask(context, "a") + ask(context, "b")).equals("reply 0reply 1") ? 1 : 0));

        assertThat(end.selection())
                .isNotNull()
                .extracting(Selection::selectedIndex)
                .isEqualTo(1);
        assertThat(record.made).containsExactly("1 b");
    }

    @Test
    void shouldSelectNobodyWhenTheStrategyAsksSomethingElseThanIsOnRecord() throws InterruptedException {
        record.make(0, new StrategyAsk("grader", GRADER, List.of(Message.user("a"))));

        assertThat(reason(decide((prompts, candidates, context) -> {
                    ask(context, "random");
                    return TestStrategy.select(0);
                })))
                .contains("asked something else as its ask 0 than is on record");
    }

    @Test
    void shouldRefuseAsksBeyondTheMostAndOfUnknownModels() throws InterruptedException {
        assertThat(reason(decide((prompts, candidates, context) -> {
                    while (true) {
                        ask(context, "again");
                    }
                })))
                .contains("may ask `maxAsks` times in a trial, which is 2");
        assertThat(record.made).hasSize(2);
        assertThat(reason(decide((prompts, candidates, context) -> {
                    context.ask("other", List.of(Message.user("?")));
                    return TestStrategy.select(0);
                })))
                .contains("no model named other");
        for (List<Message> nothing : List.of(List.<Message>of(), List.of(Message.assistant("I")))) {
            assertThat(reason(decide((prompts, candidates, context) -> {
                        context.ask("grader", nothing);
                        return TestStrategy.select(0);
                    })))
                    .contains("The last message of an ask is from the user");
        }
        assertThat(reason(decide((prompts, candidates, context) -> {
                    ask(context, "x".repeat(PluginThread.LONGEST_ASK));
                    return TestStrategy.select(0);
                })))
                .contains("An ask has at most");
    }

    @Test
    void shouldTakeAsksOfItsOwnThreadOnlyAndNoneAfterTheEnd() throws InterruptedException {
        AtomicReference<StrategyContext> kept = new AtomicReference<>();

        assertThat(reason(decide((prompts, candidates, context) -> {
                    kept.set(context);
                    AtomicReference<RuntimeException> refused = new AtomicReference<>();
                    Thread other = Thread.ofVirtual().start(() -> {
                        try {
                            ask(context, "?");
                        } catch (RuntimeException e) {
                            refused.set(e);
                        }
                    });
                    try {
                        other.join();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    throw refused.get();
                })))
                .contains("Only the thread that `select` was called on may ask");
        assertThatThrownBy(() -> ask(kept.get(), "late")).isInstanceOf(IllegalStateException.class);
        kept.get().progress("late");
        assertThat(kept.get().isCancelled()).isTrue();
        assertThat(record.made).isEmpty();
    }

    @Test
    void shouldMakeAnyThrowableAnErrorOfTheTrial() throws InterruptedException {
        assertThat(reason(decide((prompts, candidates, context) -> {
                    throw new NoClassDefFoundError("gone");
                })))
                .contains("failed with java.lang.NoClassDefFoundError: gone");
        assertThat(reason(decide((prompts, candidates, context) -> {
                    throw new IllegalStateException() {
                        @Override
                        public String toString() {
                            throw new StackOverflowError();
                        }
                    };
                })))
                .contains("failed with dev.assay.activities.selection.StrategyRunTest$");
        assertThat(reason(decide((prompts, candidates, context) -> {
                    throw new SelectionStoppedException("I stop");
                })))
                .contains("failed with")
                .contains("I stop");
    }

    @Test
    void shouldCountOnlyItsOwnTimeWhenAModelIsSlow() throws InterruptedException {
        limit = Duration.ofSeconds(2);
        record.meanwhile = () -> await().pollDelay(Duration.ofSeconds(3)).until(() -> true);

        StrategyRun.End end = decide((prompts, candidates, context) -> {
            Thread.currentThread().interrupt(); // Harms nobody but the strategy itself.
            return TestStrategy.select(ask(context, "slow").length() % 2);
        });

        assertThat(end.selection()).isNotNull().extracting(Selection::decided).isEqualTo(true);
    }

    @Test
    void shouldLeaveTheTrialOpenWhenItIsStoppedWhateverTheStrategySays() throws InterruptedException {
        AtomicReference<RuntimeException> told = new AtomicReference<>();
        CountDownLatch returned = new CountDownLatch(1);
        record.meanwhile = () -> stopped.set(true);

        StrategyRun.End end = decide((prompts, candidates, context) -> {
            try {
                ask(context, "?");
            } catch (SelectionStoppedException e) {
                told.set(e);
            }
            returned.countDown();
            return TestStrategy.select(0);
        });

        assertThat(end.selection()).isNull();
        assertThat(end.asked().open()).containsExactly(0);
        returned.await();
        assertThat(told.get()).isNotNull();
    }

    @Test
    void shouldComeBackToTheTrialWhenTheBudgetDoesNotCoverAnAsk() throws InterruptedException {
        record.status = OutcomeStatus.BUDGET_SKIPPED;

        StrategyRun.End end = decide((prompts, candidates, context) ->
                TestStrategy.select(ask(context, "?").length()));

        assertThat(end.isFinal()).isFalse();
        assertThat(end.selection()).isNotNull().satisfies(selection -> {
            assertThat(selection.selectedIndex()).isZero();
            assertThat(selection.fallback()).isTrue();
            assertThat(selection.reason()).contains("The budget did not cover what strategy test asks");
        });
    }

    @Test
    void shouldBoundWhatIsToldWhenAStrategyTellsWithoutEnd() throws InterruptedException {
        decide((prompts, candidates, context) -> {
            for (int i = 0; i < 10_000; i++) {
                context.progress("step\u0000" + i + "x".repeat(5_000));
            }
            return TestStrategy.select(0);
        });

        assertThat(events.stream().filter(AgentEvent.ProgressMessage.class::isInstance))
                .hasSize(StrategyContext.MOST_PROGRESS)
                .allSatisfy(event -> assertThat(((AgentEvent.ProgressMessage) event).text())
                        .hasSizeLessThanOrEqualTo(1_000)
                        .doesNotContain("\u0000"));
        assertThat(events.getFirst()).isInstanceOf(AgentEvent.AgentStart.class);
    }

    @Test
    void shouldAskNobodyOnceAllPlacesAreLostAndGoOnWhenTheyEnd() throws InterruptedException {
        limit = Duration.ofMillis(100);
        AtomicBoolean end = new AtomicBoolean();
        for (int i = 0; i < StrategyPlaces.COMPUTING; i++) {
            assertThat(reason(decide((prompts, candidates, context) -> {
                        while (!end.get()) {
                            Thread.interrupted();
                            Thread.yield();
                        }
                        return TestStrategy.select(0);
                    })))
                    .contains("took longer than 0.1 s");
        }

        assertThat(places.abandoned()).isEqualTo(StrategyPlaces.COMPUTING);
        assertThat(places.begin(stopped::get)).isFalse();
        end.set(true);
        assertThat(places.begin(stopped::get)).isTrue();
        await().until(() -> places.abandoned() == 0);
    }
}
