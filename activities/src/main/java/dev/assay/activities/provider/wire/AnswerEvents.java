package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.io.EOFException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The events of an answer that is streamed, line by line. After an error, or an event that cannot be read, nothing is read. */
final class AnswerEvents implements Consumer<String> {

    /** The status that the APIs give errors of these types and codes, elsewhere; the first that is found counts. */
    private static final List<Map.Entry<String, Integer>> STATUS = List.of(
            Map.entry("authentication", 401),
            Map.entry("api_key", 401),
            Map.entry("permission", 403),
            Map.entry("not_found", 404),
            Map.entry("rate_limit", 429),
            Map.entry("insufficient_quota", 429),
            Map.entry("overloaded", 529),
            Map.entry("invalid_", 400),
            Map.entry("image", 400));

    private final Wire.Reading reading;
    private final StringBuilder data = new StringBuilder();
    private String last = "";
    private @Nullable JsonNode error;
    private boolean isUnusable;
    private boolean isDone;
    private volatile boolean hasBegun;

    AnswerEvents(Wire.Reading reading) {
        this.reading = reading;
    }

    /** Takes the next line. */
    @Override
    public void accept(String line) {
        hasBegun = true;
        if (line.isEmpty()) {
            dispatch();
        } else if (line.startsWith("data:")) {
            if (!data.isEmpty()) {
                data.append('\n');
            }
            data.append(line, line.startsWith(" ", 5) ? 6 : 5, line.length());
        }
    }

    /** Whether anything of it has come. */
    boolean hasBegun() {
        return hasBegun;
    }

    private void dispatch() {
        if (!data.isEmpty() && error == null && !isUnusable) {
            last = data.toString();
            take(last);
        }
        data.setLength(0);
    }

    private void take(String text) {
        if (text.strip().equals("[DONE]")) {
            isDone = true;
            return;
        }
        try {
            JsonNode event = Json.mapper().readTree(text);
            isUnusable = !event.isObject();
            if (event.hasNonNull("error") || reading.isFailed(event)) {
                error = event;
            } else if (event.isObject()) {
                reading.event(event);
            }
        } catch (JsonProcessingException | IllegalArgumentException e) {
            isUnusable = true;
        }
    }

    /**
     * The answer, when no line follows. An error among the events is the answer that the server would have given had it come before
     * the stream began.
     *
     * @param head status and headers of the stream
     * @throws EOFException when the stream ended before the answer did
     */
    Answer answer(Answer head) throws EOFException {
        dispatch();
        if (error != null) {
            return failed(new Answer(head.status(), head.headers(), last, null), error);
        }
        if (!isUnusable && !isDone && !reading.isComplete()) {
            throw new EOFException();
        }
        return new Answer(head.status(), head.headers(), last, isUnusable ? null : reading);
    }

    /** The answer that the server would have given in place of one that reports success and says that it failed. */
    static Answer failed(Answer answer, JsonNode document) {
        return new Answer(status(ErrorBody.error(document)), answer.headers(), answer.text(), null);
    }

    private static int status(JsonNode error) {
        int code = error.path("code").asInt();
        if (code >= 400 && code <= 599) {
            return code;
        }
        String words = error.path("type").asText() + " " + error.path("code").asText();
        return STATUS.stream()
                .filter(status -> words.contains(status.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(500);
    }
}
