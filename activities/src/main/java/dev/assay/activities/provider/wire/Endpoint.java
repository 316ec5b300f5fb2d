package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.activities.model.ModelException;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A provider's server. A request is sent once, ends in its time, body included, and at once when the calling thread is interrupted;
 * both close its connection.
 *
 * @param key null: it needs none
 * @param http the pool of connections that all providers share
 */
public record Endpoint(ProviderSettings settings, @Nullable ApiKey key, WholeAnswers http, ProviderFailures failures) {

    /**
     * The time of a request, which may be sent in several forms.
     *
     * @param atNanos its end, by {@link System#nanoTime}
     */
    record Deadline(Duration timeout, long atNanos) {

        static Deadline in(Duration timeout) {
            return new Deadline(timeout, System.nanoTime() + timeout.toNanos());
        }
    }

    /** A way to send a request within a number of nanoseconds. */
    @FunctionalInterface
    private interface Sending {
        HttpResponse<byte[]> send(HttpRequest request, long nanos)
                throws IOException, TimeoutException, InterruptedException;
    }

    /**
     * A request with the headers that say who asks.
     *
     * @param path below the provider's URL
     */
    public static HttpRequest.Builder request(ProviderSettings settings, @Nullable ApiKey key, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(settings.apiUrl() + path));
        boolean isAnthropic = settings.type() == ProviderType.ANTHROPIC;
        if (isAnthropic) {
            request.header("anthropic-version", "2023-06-01");
        }
        // A key that fits no header would be shown by what is thrown for it.
        if (key != null && key.fitsHeader()) {
            request.header(
                    isAnthropic ? "x-api-key" : "Authorization", isAnthropic ? key.value() : "Bearer " + key.value());
        }
        return request;
    }

    /**
     * Asks for a whole answer.
     *
     * @throws ModelException when none comes
     * @throws InterruptedException when the calling thread is interrupted
     */
    Answer ask(String path, ObjectNode body, Deadline deadline) throws InterruptedException {
        return send(path, body, deadline, http::send, () -> false);
    }

    /**
     * Asks for an answer that is streamed. A server may answer with a whole one all the same.
     *
     * @param pause run when nothing came for a moment
     * @throws ModelException when none comes, or only a part
     * @throws InterruptedException when the calling thread is interrupted
     */
    Answer ask(String path, ObjectNode body, Deadline deadline, AnswerEvents events, Runnable pause)
            throws InterruptedException {
        Answer answer = send(
                path, body, deadline, (request, nanos) -> http.send(request, nanos, events, pause), events::hasBegun);
        try {
            return answer.isSuccess() && answer.text().isEmpty() ? events.answer(answer) : answer;
        } catch (IOException e) {
            throw failures.ofLostConnection(e);
        }
    }

    /** @param began whether a part of the answer has come */
    private Answer send(String path, ObjectNode body, Deadline deadline, Sending sending, BooleanSupplier began)
            throws InterruptedException {
        // Not as bytes: half of a surrogate pair, which a conversation may hold, can be written as a text only.
        HttpRequest request = request(settings, key, path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
                .build();
        try {
            long nanos = deadline.atNanos() - System.nanoTime();
            if (nanos <= 0) {
                throw new TimeoutException();
            }
            HttpResponse<byte[]> response = sending.send(request, nanos);
            return new Answer(
                    response.statusCode(),
                    response.headers().map(),
                    new String(response.body(), StandardCharsets.UTF_8),
                    null);
        } catch (IOException e) {
            throw failures.ofLostConnection(e);
        } catch (TimeoutException _) {
            throw failures.ofTimeout(deadline.timeout(), began.getAsBoolean());
        } catch (InterruptedException _) {
            throw new InterruptedException("Interrupted while waiting for provider " + settings.name());
        }
    }
}
