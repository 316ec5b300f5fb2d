package dev.assay.activities.provider.langchain;

import dev.assay.activities.http.WholeAnswers;
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
import java.util.concurrent.TimeoutException;

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

    /** A builder that always gives this client. The timeouts that LangChain4j sets are those of the exchange instead. */
    HttpClientBuilder builder() {
        return new Builder();
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        Exchange exchange = Exchange.CURRENT.get();
        try {
            Exchange.Answer answer = send(request, exchange);
            exchange.answered(answer);
            if (!answer.isSuccess()) {
                throw new HttpException(answer.status(), answer.text());
            }
            return SuccessfulHttpResponse.builder()
                    .statusCode(answer.status())
                    .headers(answer.headers())
                    .body(answer.body())
                    .build();
        } catch (IOException | TimeoutException | InterruptedException e) {
            exchange.failed(e);
            throw new NoAnswerException(e);
        }
    }

    private Exchange.Answer send(HttpRequest request, Exchange exchange)
            throws IOException, TimeoutException, InterruptedException {
        if (exchange.remainingNanos() <= 0) {
            throw new TimeoutException();
        }
        exchange.sends(request.body());
        HttpResponse<byte[]> response = http.send(translate(request), exchange.remainingNanos());
        return new Exchange.Answer(response.statusCode(), response.headers().map(), response.body());
    }

    private static java.net.http.HttpRequest translate(HttpRequest request) {
        java.net.http.HttpRequest.Builder builder = java.net.http.HttpRequest.newBuilder(URI.create(request.url()));
        request.headers().forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        String body = request.body();
        return builder.method(
                        request.method().name(),
                        body == null
                                ? java.net.http.HttpRequest.BodyPublishers.noBody()
                                : java.net.http.HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    @Override
    public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        throw new UnsupportedOperationException("Answers are read whole; streaming is not supported");
    }

    @Override
    public void close() {
        http.close();
    }

    /** No answer came; the exchange knows why. */
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
