package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.model.AnswerListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request and its result.
 *
 * <p>LangChain4j has no place for a deadline per request, drops the headers of error answers, and wraps exceptions as it
 * likes. So the caller binds an exchange to the call, and the HTTP client keeps here what classification needs.
 */
final class Exchange {

    /** The exchange of the call that the current thread makes. */
    static final ScopedValue<Exchange> CURRENT = ScopedValue.newInstance();

    private final Duration timeout;
    private final long deadlineNanos;
    private final @Nullable Streaming streaming;
    private @Nullable JsonNode effective;
    private @Nullable AnswerEvents events;
    private @Nullable Answer answer;
    private @Nullable Exception failure;

    /** An HTTP answer. */
    static final class Answer {

        private final int status;
        private final Map<String, List<String>> headers;
        private final byte[] body;

        /**
         * @param headers by name, in a map that ignores the case of names
         * @param body not copied; must not be changed
         */
        Answer(int status, Map<String, List<String>> headers, byte[] body) {
            this.status = status;
            this.headers = headers;
            this.body = body;
        }

        /** A success of which only this text is known. */
        static Answer ok(String text) {
            return new Answer(200, Map.of(), text.getBytes(StandardCharsets.UTF_8));
        }

        int status() {
            return status;
        }

        boolean isSuccess() {
            return status >= 200 && status <= 299;
        }

        Map<String, List<String>> headers() {
            return headers;
        }

        byte[] body() {
            return body;
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /**
     * The settings under which an answer is streamed.
     *
     * @param listener receives it while it comes
     * @param saysUsage whether the server is asked to say the usage at its end
     */
    record Streaming(AnswerListener listener, boolean saysUsage) {}

    /** For an answer that is asked for as a whole. */
    Exchange(Duration timeout, long deadlineNanos) {
        this(timeout, deadlineNanos, null);
    }

    /** @param streaming null when the answer is asked for as a whole */
    Exchange(Duration timeout, long deadlineNanos, @Nullable Streaming streaming) {
        this.timeout = timeout;
        this.deadlineNanos = deadlineNanos;
        this.streaming = streaming;
    }

    /** The settings of streaming; null when the answer is asked for as a whole. */
    @Nullable
    Streaming streaming() {
        return streaming;
    }

    /** The time limit of the whole request, for people. */
    Duration timeout() {
        return timeout;
    }

    /** Time that is left; 0 or less when none is. */
    long remainingNanos() {
        return deadlineNanos - System.nanoTime();
    }

    /** @param body of the request, an object of JSON; null: nothing is sent */
    void sends(@Nullable String body) {
        this.effective = body == null ? null : SentParameters.of(body);
    }

    /** The request's parameters beside the conversation; null when nothing was sent. */
    @Nullable
    JsonNode effective() {
        return effective;
    }

    void answered(Answer received) {
        this.answer = received;
    }

    /** The answer is a stream of these events. */
    void streamed(AnswerEvents received) {
        this.events = received;
    }

    /** The events of the answer; null when it was no stream. */
    @Nullable
    AnswerEvents events() {
        return events;
    }

    /** The words by which a model refuses in a stream, which LangChain4j does not keep; empty when it does not. */
    String refusal() {
        return events == null ? "" : events.refusal();
    }

    void failed(Exception reason) {
        this.failure = reason;
    }

    /** The answer; null when none came. */
    @Nullable
    Answer answer() {
        return answer;
    }

    /** The reason why no answer came; null when one did, or when nothing was sent. */
    @Nullable
    Exception failure() {
        return failure;
    }
}
