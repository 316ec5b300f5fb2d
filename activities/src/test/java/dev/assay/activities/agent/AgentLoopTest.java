package dev.assay.activities.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.Limits;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AgentLoopTest {

    private static final Agent MODEL = new Agent.Model(new ModelChoice("openai", "m", Thinking.OFF, Map.of()));
    private static final LoopId LOOP = new LoopId("s", "b", 1);
    private static final Message CALL = new Message(
            Role.ASSISTANT,
            List.of(new Content.Text("Let me look."), new Content.ToolCall("c1", "search", Json.tree("{}"))),
            null);

    /** Replies in order; each turn takes ten seconds of a clock that only it moves. */
    private static final class Turns implements ModelClient {

        private final Deque<Object> replies = new ArrayDeque<>();
        private final List<ModelRequest> requests = new ArrayList<>();
        private long now = 5_000;

        Turns then(Message message, @Nullable String costUsd) {
            replies.add(new ModelReply(
                    message,
                    new Measured(
                            Usage.of(60, 40),
                            costUsd == null ? null : new BigDecimal(costUsd),
                            Duration.ofSeconds(2))));
            return this;
        }

        Turns then(Message message, String servedBy, String warning) {
            Provenance provenance = new Provenance(null, Json.tree("{}"), new Served(servedBy, null, null));
            replies.add(new ModelReply(message, Measured.NONE, null, List.of(warning), provenance));
            return this;
        }

        Turns thenWithoutUsage(Message message) {
            replies.add(new ModelReply(message, new Measured(Usage.UNKNOWN, null, Duration.ofSeconds(2))));
            return this;
        }

        Turns thenFail(ErrorCode code) {
            replies.add(new ModelException(code, "It failed.", Duration.ofSeconds(7), null));
            return this;
        }

        @Override
        public ModelReply ask(ModelRequest request) {
            requests.add(request);
            now += Duration.ofSeconds(10).toNanos();
            Object next = replies.removeFirst();
            if (next instanceof ModelException failure) {
                throw failure;
            }
            return (ModelReply) next;
        }

        AgentResult run(AgentTask task) throws InterruptedException {
            return run(task, AgentEvents.NONE);
        }

        AgentResult run(AgentTask task, AgentEvents sink) throws InterruptedException {
            return new AgentLoop(() -> now, sink).run(task, this);
        }
    }

    private static AgentTask task(AgentLimits limits, Duration timeout) {
        return new AgentTask(
                LOOP,
                new Branch("b", MODEL, "Be concise.", limits),
                List.of(Message.user("Hello"), Message.assistant("Hi")),
                List.of(Message.user("Capital of France?")),
                3,
                2,
                timeout,
                77);
    }

    private static AgentTask task() {
        return task(AgentLimits.DEFAULT, Duration.ofSeconds(300));
    }

    @Test
    void shouldAskOnceWithWholeConversationWhenModelAnswersWithText() throws Exception {
        Turns turns = new Turns().then(Message.assistant("Paris."), "0.5");

        AgentResult result = turns.run(task());

        assertThat(result)
                .isEqualTo(new AgentResult(
                        OutcomeStatus.COMPLETED,
                        null,
                        new LoopSoFar(
                                List.of(Message.user("Capital of France?"), Message.assistant("Paris.")),
                                new Measured(Usage.of(60, 40), new BigDecimal("0.5"), Duration.ofSeconds(2)),
                                null,
                                List.of(),
                                Provenance.NONE)));
        assertThat(Transcript.response(result.said().newMessages())).isEqualTo("Paris.");
        assertThat(turns.requests)
                .containsExactly(new ModelRequest(
                        "Be concise.",
                        List.of(Message.user("Hello"), Message.assistant("Hi"), Message.user("Capital of France?")),
                        List.of(),
                        3,
                        2,
                        1,
                        77,
                        Duration.ofSeconds(300)));
    }

    @Test
    void shouldContinueContextWhenThereIsNoPrompt() throws Exception {
        AgentTask task = new AgentTask(
                LOOP,
                new Branch("b", MODEL, null, AgentLimits.DEFAULT),
                List.of(Message.user("Hello")),
                List.of(),
                1,
                1,
                Duration.ofSeconds(9),
                1);

        AgentResult result = new Turns().then(Message.assistant("Hi"), null).run(task);

        assertThat(result.said().newMessages()).containsExactly(Message.assistant("Hi"));
        assertThat(result.said().measured().costUsd()).isNull();
    }

    @Test
    void shouldRefuseTaskWhenThereIsNothingToAnswer() {
        for (List<Message> context : List.of(List.<Message>of(), List.of(Message.assistant("Hi")))) {
            Branch branch = new Branch("b", MODEL, null, AgentLimits.DEFAULT);
            assertThatThrownBy(() -> new AgentTask(LOOP, branch, context, List.of(), 1, 1, Duration.ofSeconds(9), 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldTellModelAndGoOnWhenItCallsAnUnknownTool() throws Exception {
        Turns turns = new Turns().then(CALL, "0.5").then(Message.assistant(" "), "0.25");

        AgentResult result = turns.run(task());

        Message told = new Message(
                Role.TOOL,
                List.of(new Content.Text("There is no tool search.")),
                new Message.ToolResult("c1", "search", true));
        assertThat(result.status()).isEqualTo(OutcomeStatus.COMPLETED);
        assertThat(result.said().newMessages()).containsSubsequence(CALL, told, Message.assistant(" "));
        assertThat(Transcript.response(result.said().newMessages()))
                .as("the last text that is not blank")
                .isEqualTo("Let me look.");
        assertThat(result.said().measured().usage()).isEqualTo(new Usage(120, 80, 0, 0, 0, 200));
        assertThat(result.said().measured().costUsd()).isEqualByComparingTo("0.75");
        assertThat(result.said().measured().latency()).isEqualTo(Duration.ofSeconds(4));
        assertThat(turns.requests.getLast().timeout())
                .as("what the first turn left")
                .isEqualTo(Duration.ofSeconds(290));
    }

    @Test
    void shouldTellEveryStepInOrder() throws Exception {
        List<String> told = new ArrayList<>();

        new Turns()
                .then(CALL, "0.5")
                .then(Message.assistant("Paris."), "0.25")
                .run(task(), event -> told.add(event.name() + detail(event)));

        assertThat(told)
                .containsExactly(
                        "TurnStart 1",
                        "MessageStart USER",
                        "MessageEnd Capital of France?",
                        "MessageStart ASSISTANT",
                        "MessageUpdate Let me look.",
                        "MessageUpdate {}",
                        "MessageEnd Let me look.",
                        "ToolExecutionStart search",
                        "ToolExecutionEnd There is no tool search.",
                        "MessageStart TOOL",
                        "MessageEnd There is no tool search.",
                        "TurnEnd 1",
                        "TurnStart 2",
                        "MessageStart ASSISTANT",
                        "MessageUpdate Paris.",
                        "MessageEnd Paris.",
                        "TurnEnd 2");
    }

    private static String detail(AgentEvent event) {
        return switch (event) {
            case AgentEvent.TurnStart turn -> " " + turn.turn();
            case AgentEvent.TurnEnd turn -> " " + turn.turn();
            case AgentEvent.MessageStart message -> " " + message.role();
            case AgentEvent.MessageUpdate message -> " " + message.delta();
            case AgentEvent.MessageEnd message -> " " + message.message().text();
            case AgentEvent.ToolExecutionStart tool -> " " + tool.toolName();
            case AgentEvent.ToolExecutionEnd tool -> " " + tool.result();
            default -> "";
        };
    }

    @Test
    void shouldNotKnowTheCostWhenThatOfOneTurnIsUnknown() throws Exception {
        AgentResult result = new Turns()
                .then(CALL, null)
                .then(Message.assistant("a"), "0.25")
                .run(task());

        assertThat(result.said().measured().costUsd()).isNull();
    }

    @Test
    void shouldHaveNoResponseWhenModelSaysNothing() throws Exception {
        AgentResult result = new Turns()
                .then(new Message(Role.ASSISTANT, List.of(), null), "0")
                .run(task());

        assertThat(Transcript.response(result.said().newMessages())).isEmpty();
        assertThat(result.status()).isEqualTo(OutcomeStatus.COMPLETED);
    }

    @Test
    void shouldWarnOnceAndTellListenersWhenSomethingWasLeftOut() throws Exception {
        List<AgentEvent> events = new ArrayList<>();

        AgentResult result = new Turns()
                .then(CALL, "m-1", "Thinking was left out.")
                .then(CALL, "m-1", "Thinking was left out.")
                .then(Message.assistant("Done."), "m-2", "Thinking was left out.")
                .run(task(), events::add);

        assertThat(result.said().warnings())
                .containsExactly(
                        "Thinking was left out.", "The turns were answered by different models: m-1, then m-2.");
        assertThat(events)
                .filteredOn(AgentEvent.ProgressMessage.class::isInstance)
                .extracting(event -> ((AgentEvent.ProgressMessage) event).text())
                .containsExactly("Thinking was left out.");
        assertThat(result.said().provenance().servedModel()).isEqualTo("m-2");
    }

    /** What a loop waits for need not throw an InterruptedException: PostgreSQL's driver does not. */
    @Test
    void shouldBeInterruptedAndNotFailWhenAnInterruptMakesItsWaitThrow() {
        ModelClient client = request -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted during connection acquisition");
        };

        assertThatThrownBy(() -> new AgentLoop(System::nanoTime, AgentEvents.NONE).run(task(), client))
                .isInstanceOf(InterruptedLoopException.class)
                .hasRootCauseMessage("Interrupted during connection acquisition");
        assertThat(Thread.interrupted()).as("the interrupt is told once").isFalse();
    }

    @Test
    void shouldNotKnowTheTokensOfALoopAndWarnWhenSomeTurnsReportNoUsage() throws Exception {
        AgentResult some = new Turns()
                .thenWithoutUsage(CALL)
                .then(CALL, "0.5")
                .thenWithoutUsage(Message.assistant("Done."))
                .run(task());
        AgentResult none = new Turns()
                .thenWithoutUsage(CALL)
                .thenWithoutUsage(Message.assistant("Done."))
                .run(task());

        assertThat(some.said().measured().usage()).isEqualTo(Usage.UNKNOWN);
        assertThat(some.said().warnings())
                .containsExactly("Some turns did not report their usage completely,"
                        + " so the tokens of the answer are not known.");
        assertThat(none.said().measured().usage()).isEqualTo(Usage.UNKNOWN);
        assertThat(none.said().warnings()).isEmpty();
    }

    @Test
    void shouldCountWhatIsKnownAgainstTheLimitOfTokensWhenSomeTurnsReportNoUsage() throws Exception {
        AgentLimits limits = new AgentLimits(50, 150, AgentLimits.DEFAULT.maxDuration(), null);

        AgentResult result = new Turns()
                .then(CALL, "0.5")
                .thenWithoutUsage(CALL)
                .then(CALL, "0.5")
                .then(Message.assistant("Too late."), "0.5")
                .run(task(limits, Duration.ofSeconds(300)));

        assertThat(result.status()).isEqualTo(OutcomeStatus.LIMIT);
        assertThat(result.failure())
                .isNotNull()
                .extracting(Failure::message)
                .isEqualTo("The limit of 150 tokens was reached: 200 were used.");
    }

    @Test
    void shouldReachTheLoopsLimitBeforeTheCellsTimeWhenNeitherIsStated() throws Exception {
        Turns turns = new Turns();
        for (int turn = 0; turn < 61; turn++) {
            turns.then(CALL, null);
        }
        AgentLimits limits = new AgentLimits(1_000, 1_000_000, AgentLimits.DEFAULT.maxDuration(), null);

        AgentResult result = turns.run(task(limits, Limits.DEFAULT.timeout()));

        assertThat(result.status()).isEqualTo(OutcomeStatus.LIMIT);
        assertThat(result.failure().message()).isEqualTo("The limit of 600 s was reached.");
        assertThat(Transcript.response(result.said().newMessages())).isEqualTo("Let me look.");
    }

    private static void assertLimit(AgentLimits limits, String reason) throws InterruptedException {
        Turns turns = new Turns().then(CALL, "0.5").then(CALL, "0.5");

        AgentResult result = turns.run(task(limits, Duration.ofSeconds(300)));

        assertThat(result.status()).isEqualTo(OutcomeStatus.LIMIT);
        assertThat(result.failure()).isNotNull();
        assertThat(result.failure().code()).isEqualTo(ErrorCode.BRANCH_LIMIT);
        assertThat(result.failure().message()).isEqualTo(reason);
        assertThat(Transcript.response(result.said().newMessages())).isEqualTo("Let me look.");
        assertThat(turns.requests).hasSize(2);
    }

    @Test
    void shouldEndWithReasonWhenALimitIsReached() throws Exception {
        Duration long_ = Duration.ofSeconds(600);
        assertLimit(new AgentLimits(2, 1_000_000, long_, null), "The limit of 2 turns was reached.");
        assertLimit(new AgentLimits(50, 200, long_, null), "The limit of 200 tokens was reached: 200 were used.");
        assertLimit(new AgentLimits(50, 1_000, Duration.ofSeconds(20), null), "The limit of 20 s was reached.");
        assertLimit(
                new AgentLimits(50, 1_000, long_, BigDecimal.ONE),
                "The limit of 1 US dollars was reached: 1.0 were spent.");
    }

    @Test
    void shouldKeepWhatWasPaidWhenATurnFails() {
        Turns turns = new Turns().then(CALL, "0.5").thenFail(ErrorCode.PROVIDER_RATE_LIMITED);

        AgentLoopException failure = catchThrowableOfType(AgentLoopException.class, () -> turns.run(task()));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_RATE_LIMITED);
        assertThat(failure.isCellTimeout()).isFalse();
        assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        assertThat(failure.getCause()).isInstanceOf(ModelException.class);
        assertThat(failure.soFar().measured().usage()).isEqualTo(Usage.of(60, 40));
        assertThat(failure.soFar().measured().costUsd()).isEqualByComparingTo("0.5");
        assertThat(failure.soFar().newMessages()).hasSize(3);
    }

    @Test
    void shouldSayCellTimedOutWhenItsTimeEndsInATurn() {
        Turns turns = new Turns().then(CALL, "0.5").thenFail(ErrorCode.PROVIDER_TIMEOUT);

        AgentLoopException failure = catchThrowableOfType(
                AgentLoopException.class, () -> turns.run(task(AgentLimits.DEFAULT, Duration.ofSeconds(15))));

        assertThat(turns.requests.getLast().timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(failure.isCellTimeout()).isTrue();
        assertThat(failure.failure().message()).contains("15 s");
        assertThat(failure.soFar().measured().usage()).isEqualTo(Usage.of(60, 40));
    }

    @Test
    void shouldSayCellTimedOutWhenItsTimeEndsBetweenTurns() {
        Turns turns = new Turns().then(CALL, "0.5");

        AgentLoopException failure = catchThrowableOfType(
                AgentLoopException.class, () -> turns.run(task(AgentLimits.DEFAULT, Duration.ofSeconds(10))));

        assertThat(failure.isCellTimeout()).isTrue();
        assertThat(turns.requests).hasSize(1);
    }

    @Test
    void shouldSayProviderTimeoutWhenTheCellStillHasTime() {
        Turns turns = new Turns().thenFail(ErrorCode.PROVIDER_TIMEOUT);

        AgentLoopException failure = catchThrowableOfType(AgentLoopException.class, () -> turns.run(task()));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(failure.soFar().measured().costUsd())
                .as("nothing was answered")
                .isNull();
    }

    @Test
    void shouldPassInterruptionOn() {
        assertThatThrownBy(() -> new AgentLoop(System::nanoTime, AgentEvents.NONE).run(task(), request -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
    }
}
