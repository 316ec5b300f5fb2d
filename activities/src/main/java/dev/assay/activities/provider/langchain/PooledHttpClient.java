package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.domain.json.Json;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The one HTTP client of all providers: LangChain4j's interface over a pool of HTTP/1.1 connections.
 *
 * <p>A request ends at its {@link Exchange}'s deadline, body included, and at once when the calling thread is interrupted;
 * both close its connection. Redirects are not followed, nothing is tried again, nothing is logged.
 */
public final class PooledHttpClient implements dev.langchain4j.http.client.HttpClient, AutoCloseable {

    /** Far above any answer of a model. */
    private static final long MAX_BODY_BYTES = 32L * 1024 * 1024;

    private final WholeAnswers http = new WholeAnswers(MAX_BODY_BYTES);

    /** A builder that always gives this client. The exchange's timeouts replace those that LangChain4j sets. */
    HttpClientBuilder builder() {
        return new Builder();
    }

    /** The answer of the exchange; sends the request unless the answer is there. */
    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        Exchange exchange = Exchange.CURRENT.get();
        Exchange.Answer there = exchange.answer();
        Exchange.Answer answer = there == null
                ? answer(exchange, request.body(), nanos -> http.send(translate(request, request.body()), nanos))
                : there;
        return SuccessfulHttpResponse.builder()
                .statusCode(answer.status())
                .headers(answer.headers())
                .body(answer.body())
                .build();
    }

    /**
     * Hands over the events as they come, on other threads; returns when they have. An answer that is no stream is left in the
     * exchange.
     */
    @Override
    public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        Exchange exchange = Exchange.CURRENT.get();
        Exchange.Streaming streaming = Objects.requireNonNull(exchange.streaming());
        AnswerEvents events = new AnswerEvents(listener);
        String body = body(request, streaming);
        java.net.http.HttpRequest sent = translate(request, body);
        Exchange.Answer answer =
                answer(exchange, body, nanos -> http.send(sent, nanos, events, streaming.listener()::pause));
        if (answer.body().length > 0) {
            return;
        }
        events.close();
        exchange.streamed(events);
        Exchange.Answer error = events.error(answer.headers());
        if (error != null) {
            exchange.answered(error);
            throw new HttpException(error.status(), error.text());
        }
    }

    private static @Nullable String body(HttpRequest request, Exchange.Streaming streaming) {
        String body = request.body();
        if (body == null || streaming.saysUsage()) {
            return body;
        }
        ObjectNode document = (ObjectNode) Json.tree(body);
        document.remove("stream_options");
        return Json.write(document);
    }

    /** A way to send a request within a number of nanoseconds. */
    @FunctionalInterface
    private interface Sending {
        HttpResponse<byte[]> send(long nanos) throws IOException, TimeoutException, InterruptedException;
    }

    private static Exchange.Answer answer(Exchange exchange, @Nullable String body, Sending sending) {
        try {
            if (exchange.remainingNanos() <= 0) {
                throw new TimeoutException();
            }
            exchange.sends(body);
            HttpResponse<byte[]> response = sending.send(exchange.remainingNanos());
            Exchange.Answer answer = new Exchange.Answer(
                    response.statusCode(), response.headers().map(), response.body());
            exchange.answered(answer);
            if (!answer.isSuccess()) {
                throw new HttpException(answer.status(), answer.text());
            }
            return answer;
        } catch (IOException | TimeoutException | InterruptedException e) {
            exchange.failed(e);
            throw new NoAnswerException(e);
        }
    }

    private static java.net.http.HttpRequest translate(HttpRequest request, @Nullable String body) {
        java.net.http.HttpRequest.Builder builder = java.net.http.HttpRequest.newBuilder(URI.create(request.url()));
        request.headers().forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        return builder.method(
                        request.method().name(),
                        body == null
                                ? java.net.http.HttpRequest.BodyPublishers.noBody()
                                : java.net.http.HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    @Override
    public void close() {
        http.close();
    }

    /** The signal that no answer came; the exchange knows why. */
    private static final class NoAnswerException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NoAnswerException(Exception cause) {
            super(cause);
        }
    }

    private final class Builder implements HttpClientBuilder {

        private Duration connectTimeout = Duration.ZERO;
        private Duration readTimeout = Duration.ZERO;

        @Override
        public Duration connectTimeout() {
            return connectTimeout;
        }

        @Override
        public HttpClientBuilder connectTimeout(Duration timeout) {
            connectTimeout = timeout;
            return this;
        }

        @Override
        public Duration readTimeout() {
            return readTimeout;
        }

        @Override
        public HttpClientBuilder readTimeout(Duration timeout) {
            readTimeout = timeout;
            return this;
        }

        @Override
        public dev.langchain4j.http.client.HttpClient build() {
            return PooledHttpClient.this;
        }
    }
}
