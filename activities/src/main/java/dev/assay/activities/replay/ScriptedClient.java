package dev.assay.activities.replay;

import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.wire.ProviderFailures;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.compaction.TokenEstimate;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.limit.answer.AnswerHeaders;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client that gives declared answers, after a declared delay and declared failures. */
public final class ScriptedClient implements ModelClient {

    /** Stands for the result of the last tool in turns around tool calls. */
    private static final String RESULT = "{result}";

    private final Agent.Script script;
    private final ProviderFailures failures = new ProviderFailures(Agent.PROVIDER_SCRIPTED);

    public ScriptedClient(Agent.Script script) {
        this.script = script;
    }

    /** Characters of an answer. */
    static final int MAX_ANSWER = 1024 * 1024;

    /**
     * @throws ModelException what a provider with the scripted HTTP status would give, at once; PROVIDER_TIMEOUT when the
     *     delay is longer than the request's timeout
     */
    @Override
    public ModelReply ask(ModelRequest request) throws InterruptedException {
        if (request.attempt() <= script.failures().size()) {
            Agent.ScriptedFailure failure = script.failures().get(request.attempt() - 1);
            throw failures.ofStatus(
                    failure.httpStatus(),
                    headers(failure.retryAfter()),
                    "scripted failure of attempt " + request.attempt());
        }
        long start = System.nanoTime();
        if (script.delay().compareTo(request.timeout()) > 0) {
            Thread.sleep(request.timeout());
            throw failures.ofTimeout(request.timeout(), false);
        }
        Thread.sleep(script.delay());
        Message answer = answer(request);
        return new ModelReply(
                answer,
                new Measured(usage(request, answer), null, Duration.ofNanos(System.nanoTime() - start)),
                finishReason(answer),
                List.of(),
                Provenance.NONE);
    }

    /** A script ends its answers itself; an echo is none of a model. */
    private @Nullable String finishReason(Message answer) {
        return script.echoes() ? null : answer.toolCalls().isEmpty() ? "stop" : "tool_execution";
    }

    private static AnswerHeaders headers(@Nullable Duration retryAfter) {
        return retryAfter == null
                ? AnswerHeaders.NONE
                : new AnswerHeaders(Map.of("retry-after-ms", String.valueOf(retryAfter.toMillis())));
    }

    private Message answer(ModelRequest request) {
        if (script.echoes()) {
            return Message.assistant(Echo.of(request.systemPrompt(), request.messages()));
        }
        int index = (request.trial() - 1) % script.answers().size();
        List<Agent.ToolTurn> before = script.toolTurns().get(index);
        if (before.isEmpty()) {
            return Message.assistant(script.answers().get(index));
        }
        String result = lastResult(request.messages());
        if (request.turn() > before.size()) {
            return Message.assistant(withResult(script.answers().get(index), result));
        }
        Agent.ToolTurn turn = before.get(request.turn() - 1);
        List<Content> content = new ArrayList<>();
        if (!turn.text().isEmpty()) {
            content.add(new Content.Text(withResult(turn.text(), result)));
        }
        for (int i = 0; i < turn.calls().size(); i++) {
            Agent.ScriptedCall call = turn.calls().get(i);
            content.add(new Content.ToolCall("call-" + request.turn() + "-" + (i + 1), call.name(), call.arguments()));
        }
        return new Message(Role.ASSISTANT, content, null);
    }

    /** The text with the last result in its places: bounded, because a script of some kilobytes would fill all memory. */
    private static String withResult(String text, String result) {
        long places = 0;
        for (int at = text.indexOf(RESULT); at >= 0; at = text.indexOf(RESULT, at + RESULT.length())) {
            places++;
        }
        if (text.length() + places * (result.length() - RESULT.length()) > MAX_ANSWER) {
            throw new ModelException(
                    ErrorCode.PROVIDER_REJECTED,
                    "With the tool's result in its %d places the script's answer has more than %d characters; write %s less often."
                            .formatted(places, MAX_ANSWER, RESULT),
                    null,
                    null);
        }
        return text.replace(RESULT, result);
    }

    private static String lastResult(List<Message> messages) {
        return messages.reversed().stream()
                .filter(message -> message.role() == Role.TOOL)
                .map(Message::text)
                .findFirst()
                .orElse("");
    }

    private Usage usage(ModelRequest request, Message answer) {
        if (script.usage() != null) {
            return script.usage();
        }
        long input = request.messages().stream()
                .mapToLong(message -> estimate(message.text()))
                .sum();
        return Usage.of(estimate(request.systemPrompt()) + input, estimate(answer.text()));
    }

    private static long estimate(@Nullable String text) {
        return text == null ? 0 : TokenEstimate.of(text);
    }
}
