package dev.assay.activities.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.Requests;
import dev.assay.domain.agent.Agent.Script;
import dev.assay.domain.agent.Agent.ScriptedCall;
import dev.assay.domain.agent.Agent.ScriptedFailure;
import dev.assay.domain.agent.Agent.ToolTurn;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.usage.Usage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ScriptedClientTest {

    private static ModelRequest request(int trial, int attempt, Duration timeout) {
        List<Message> messages = Requests.request(500, timeout).messages();
        return new ModelRequest("abc", messages, trial, attempt, 500, timeout);
    }

    private static ScriptedClient answering(Duration delay, String... answers) {
        return new ScriptedClient(new Script(List.of(answers), delay, List.of(), null));
    }

    @Test
    void shouldGiveAnswersInTurnWhenTrialsGoOn() throws Exception {
        ScriptedClient client = answering(Duration.ZERO, "one", "two");

        assertThat(client.ask(request(1, 1, Duration.ofSeconds(5))).message().text())
                .isEqualTo("one");
        assertThat(client.ask(request(2, 1, Duration.ofSeconds(5))).message().text())
                .isEqualTo("two");
        assertThat(client.ask(request(3, 1, Duration.ofSeconds(5))).message().text())
                .isEqualTo("one");
    }

    @Test
    void shouldEstimateUsageWhenScriptStatesNone() throws Exception {
        ModelReply reply = answering(Duration.ZERO, "Zürich").ask(request(1, 1, Duration.ofSeconds(5)));

        // "abc" 1, "Hello" 2, "Hi, how can I help?" 5, "What is the capital of France?" 8; "Zürich" has 7 bytes.
        assertThat(reply.measured().usage()).isEqualTo(Usage.of(16, 2));
        assertThat(reply.measured().costUsd()).isNull();
    }

    @Test
    void shouldSayThatItStoppedByItselfWhenAScriptAnswers() throws Exception {
        assertThat(answering(Duration.ZERO, "one")
                        .ask(request(1, 1, Duration.ofSeconds(5)))
                        .finishReason())
                .isEqualTo("stop");
    }

    @Test
    void shouldReportUsageWhenScriptStatesIt() throws Exception {
        Usage usage = new Usage(1, 2, 3, 4, 5, 6);
        ScriptedClient client = new ScriptedClient(new Script(List.of("a"), Duration.ZERO, List.of(), usage));

        assertThat(client.ask(request(1, 1, Duration.ofSeconds(5))).measured().usage())
                .isEqualTo(usage);
    }

    @Test
    void shouldFailAsAProviderWouldWhenAttemptHasAFailure() throws Exception {
        ScriptedClient client = new ScriptedClient(new Script(
                List.of("fine"),
                Duration.ZERO,
                List.of(new ScriptedFailure(429, Duration.ofSeconds(3)), new ScriptedFailure(400, null)),
                null));

        ModelException first =
                catchThrowableOfType(ModelException.class, () -> client.ask(request(1, 1, Duration.ofSeconds(5))));
        assertThat(first.failure().code()).isEqualTo(ErrorCode.PROVIDER_RATE_LIMITED);
        assertThat(first.retryAfter()).isEqualTo(Duration.ofSeconds(3));
        ModelException second =
                catchThrowableOfType(ModelException.class, () -> client.ask(request(1, 2, Duration.ofSeconds(5))));
        assertThat(second.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
        assertThat(client.ask(request(1, 3, Duration.ofSeconds(5))).message().text())
                .isEqualTo("fine");
    }

    @Test
    void shouldTimeOutWhenDelayIsLongerThanTheTimeout() {
        ModelException failure = catchThrowableOfType(
                ModelException.class,
                () -> answering(Duration.ofHours(1), "late").ask(request(1, 1, Duration.ofMillis(50))));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
    }

    @Test
    void shouldStopWhenInterruptedInTheDelay() throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                answering(Duration.ofHours(1), "late").ask(request(1, 1, Duration.ofHours(2)));
                thrown.complete(new AssertionError("answered"));
            } catch (Throwable e) {
                thrown.complete(e);
            }
        });
        caller.interrupt();

        assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void shouldFailTheAttemptWhenResultsInAScriptWouldFillMemory() {
        ToolTurn turn = new ToolTurn("", List.of(new ScriptedCall("t", JsonNodeFactory.instance.objectNode())));
        ScriptedClient client = new ScriptedClient(
                new Script(List.of("{result}".repeat(25_000)), List.of(List.of(turn)), Duration.ZERO, List.of(), null));
        Message result = new Message(
                Role.TOOL,
                List.of(new Content.Text("x".repeat(64 * 1024))),
                new Message.ToolResult("call-1-1", "t", false));
        ModelRequest request = new ModelRequest(null, List.of(result), List.of(), 1, 1, 2, 500, Duration.ofSeconds(5));

        ModelException failure = catchThrowableOfType(ModelException.class, () -> client.ask(request));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
        assertThat(failure)
                .hasMessage("With the tool's result in its 25000 places the script's answer has more than 1048576"
                        + " characters; write {result} less often.");
    }
}
