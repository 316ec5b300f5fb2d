package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParsingHandle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of an answer that is streamed. It hands them to LangChain4j, and keeps what LangChain4j ignores: whether the stream
 * was complete, an error among the events, the words of a refusal.
 */
final class AnswerEvents implements Consumer<String> {

    /** The status that the APIs give errors of these types, elsewhere. */
    private static final Map<String, Integer> STATUS = Map.of(
            "authentication",
            401,
            "permission",
            403,
            "invalid_request",
            400,
            "not_found",
            404,
            "rate_limit",
            429,
            "insufficient_quota",
            429,
            "overloaded",
            529);

    private static final ServerSentEventContext NOT_CANCELLED =
            new ServerSentEventContext(new ServerSentEventParsingHandle() {
                @Override
                public void cancel() {
                    throw new UnsupportedOperationException(
                            "The thread that waits for the answer is interrupted instead");
                }

                @Override
                public boolean isCancelled() {
                    return false;
                }
            });

    private final ServerSentEventListener listener;
    private final StringBuilder data = new StringBuilder();
    private final StringBuilder refusal = new StringBuilder();
    private @Nullable String name;
    private @Nullable String error;
    private String last = "";
    private boolean ended;

    AnswerEvents(ServerSentEventListener listener) {
        this.listener = listener;
    }

    /** Takes the next line. */
    @Override
    public void accept(String line) {
        if (line.isEmpty()) {
            dispatch();
        } else if (line.startsWith("data:")) {
            if (!data.isEmpty()) {
                data.append('\n');
            }
            data.append(line, line.startsWith(" ", 5) ? 6 : 5, line.length());
        } else if (line.startsWith("event:")) {
            name = line.substring(6).strip();
        }
    }

    private void dispatch() {
        if (!data.isEmpty()) {
            last = data.toString();
            look(last);
            if (error == null) {
                listener.onEvent(new ServerSentEvent(name, last), NOT_CANCELLED);
            }
        }
        data.setLength(0);
        name = null;
    }

    private void look(String text) {
        ended |= text.equals("[DONE]");
        if (text.contains("\"error\"") || text.contains("\"message_stop\"") || text.contains("\"refusal\"")) {
            JsonNode event = parsed(text);
            boolean isError = event.hasNonNull("error");
            error = isError && error == null ? text : error;
            ended |= event.path("type").asText().equals("message_stop");
            refusal.append(
                    event.path("choices").path(0).path("delta").path("refusal").asText(""));
        }
    }

    private static JsonNode parsed(String text) {
        try {
            return Json.tree(text);
        } catch (AssayException e) {
            // LangChain4j says so too.
            return Json.mapper().missingNode();
        }
    }

    /** No line follows. */
    void close() {
        dispatch();
        if (error == null) {
            listener.onClose();
        }
    }

    /**
     * The answer that the server would have given had an error among the events come before the stream began; null: none came.
     *
     * @param headers of the stream
     */
    Exchange.@Nullable Answer error(Map<String, List<String>> headers) {
        return error == null
                ? null
                : new Exchange.Answer(status(error), headers, error.getBytes(StandardCharsets.UTF_8));
    }

    private static int status(String event) {
        JsonNode error = parsed(event).path("error");
        int code = error.path("code").asInt();
        if (code >= 400 && code <= 599) {
            return code;
        }
        String words = error.path("type").asText() + " " + error.path("code").asText();
        return STATUS.entrySet().stream()
                .filter(status -> words.contains(status.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(500);
    }

    /** The data of the last event; empty when none came. */
    String last() {
        return last;
    }

    /** Whether the stream said that it was over. */
    boolean ended() {
        return ended;
    }

    /** The words by which the model refused to answer; empty when it did not. */
    String refusal() {
        return refusal.toString();
    }
}
