package dev.assay.activities.provider;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives declared answers, after a declared delay and declared failures. */
public final class ScriptedClient implements ModelClient {

    private static final int BYTES_PER_TOKEN = 4;

    private final Agent.Script script;
    private final ProviderFailures failures = new ProviderFailures(Agent.PROVIDER_SCRIPTED, null);

    public ScriptedClient(Agent.Script script) {
        this.script = script;
    }

    /**
     * @throws ModelException what a provider with the scripted HTTP status would give, at once; PROVIDER_TIMEOUT when the
     *     delay is longer than the request's timeout
     */
    @Override
    public ModelReply ask(ModelRequest request) throws InterruptedException {
        if (request.attempt() <= script.failures().size()) {
            Agent.ScriptedFailure failure = script.failures().get(request.attempt() - 1);
            ErrorBody body = new ErrorBody("scripted failure of attempt " + request.attempt(), Set.of(), null);
            throw failures.ofStatus(failure.httpStatus(), body, failure.retryAfter());
        }
        long start = System.nanoTime();
        if (script.delay().compareTo(request.timeout()) > 0) {
            Thread.sleep(request.timeout());
            throw failures.ofTimeout(request.timeout());
        }
        Thread.sleep(script.delay());
        String answer =
                script.answers().get((request.trial() - 1) % script.answers().size());
        return new ModelReply(
                Message.assistant(answer), usage(request, answer), null, Duration.ofNanos(System.nanoTime() - start));
    }

    private Usage usage(ModelRequest request, String answer) {
        if (script.usage() != null) {
            return script.usage();
        }
        long input = request.messages().stream()
                .mapToLong(message -> estimate(message.text()))
                .sum();
        return Usage.of(estimate(request.systemPrompt()) + input, estimate(answer));
    }

    private static long estimate(@Nullable String text) {
        return text == null ? 0 : Math.ceilDiv(text.getBytes(StandardCharsets.UTF_8).length, BYTES_PER_TOKEN);
    }
}
