package dev.assay.activities.provider.delivery;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.activities.provider.wire.Endpoint;
import dev.assay.activities.provider.wire.ProviderFailures;
import dev.assay.domain.delivery.DeliveredFile;
import dev.assay.domain.delivery.DeliveredLine;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.answer.AnswerHeaders;
import dev.assay.domain.provider.ProviderSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the batch API of one provider, and what their answers mean.
 *
 * @param key null: it needs none
 */
record BatchCalls(ProviderSettings settings, @Nullable ApiKey key, BatchHttp http, ProviderFailures failures) {

    /** Ids that can stand in a path. Google's have the name of their kind before them. */
    private static final Pattern ID = Pattern.compile("(?:[a-z]{1,20}/)?[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    /** Bytes of a result line: a live answer may have as many. */
    private static final int MAX_LINE = 32 * 1024 * 1024;

    /** A usable answer: an object. */
    record Said(JsonNode body, HttpResponse<?> answer) {
        /** The value of a header; null: there is none. */
        @Nullable
        String header(String name) {
            return answer.headers().firstValue(name).orElse(null);
        }
    }

    /** A way to send a request. */
    @FunctionalInterface
    private interface Sending {
        HttpResponse<byte[]> send(HttpRequest request) throws IOException, TimeoutException, InterruptedException;
    }

    /** A request to an address below the provider's URL. */
    HttpRequest.Builder to(String path) {
        return Endpoint.request(settings, key, path);
    }

    /** An address on the provider's host: whatever an answer says, no other is asked. */
    URI onHost(String pathAndQuery) {
        URI own = URI.create(settings.apiUrl());
        return URI.create(own.getScheme() + "://" + own.getRawAuthority() + pathAndQuery);
    }

    /** A request with a body of JSON. */
    static HttpRequest posting(HttpRequest.Builder request, ObjectNode body) {
        return request.header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.write(body)))
                .build();
    }

    Said get(String path) throws BatchCallException, InterruptedException {
        return send(to(path).GET().build(), 0);
    }

    /** @param bytes of the request's body */
    Said send(HttpRequest request, long bytes) throws BatchCallException, InterruptedException {
        return object(answered(request, one -> http.send(one, bytes)));
    }

    /** Sends a request of which only the success and the headers of its answer count. */
    Said done(HttpRequest request) throws BatchCallException, InterruptedException {
        return answered(request, one -> http.send(one, 0));
    }

    /** A page of a list, which may be larger. */
    Said page(HttpRequest request) throws BatchCallException, InterruptedException {
        return object(answered(request, http::page));
    }

    private Said object(Said said) throws BatchCallException {
        if (!said.body().isObject()) {
            throw unusable(said);
        }
        return said;
    }

    private Said answered(HttpRequest request, Sending sending) throws BatchCallException, InterruptedException {
        HttpResponse<byte[]> answer;
        try {
            answer = sending.send(request);
        } catch (IOException e) {
            throw new BatchCallException(0, failures.ofLostConnection(e));
        } catch (TimeoutException _) {
            throw new BatchCallException(0, silent());
        }
        if (!isSuccess(answer)) {
            throw refused(answer, text(answer));
        }
        return new Said(json(text(answer)), answer);
    }

    private ModelException silent() {
        return failures.ofTimeout(http.patience(), false);
    }

    private BatchCallException refused(HttpResponse<?> answer, String text) {
        return new BatchCallException(answer.statusCode(), failure(answer, text));
    }

    private ModelException failure(HttpResponse<?> answer, String text) {
        return failures.ofStatus(
                answer.statusCode(), AnswerHeaders.ofLists(answer.headers().map()), text);
    }

    /** An answer that reports success and lacks what the API promises. */
    BatchCallException unusable(Said said) {
        return new BatchCallException(
                said.answer().statusCode(),
                failures.ofUnusableAnswer(said.answer().statusCode(), Json.write(said.body())));
    }

    /** The same where no single answer is to blame. */
    BatchCallException without(String what) {
        return new BatchCallException(0, failures.ofUnusableAnswer(200, "no " + what));
    }

    private static boolean isSuccess(HttpResponse<?> answer) {
        return answer.statusCode() / 100 == 2;
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static JsonNode json(String text) {
        try {
            JsonNode json = Json.mapper().readTree(text);
            return json == null ? MissingNode.getInstance() : json;
        } catch (JsonProcessingException _) {
            return MissingNode.getInstance();
        }
    }

    /**
     * Sends the one submission of a batch.
     *
     * @param accepted reads the answer of a success; null: it does not name the batch
     */
    Submission submit(
            HttpRequest.Builder to, BodyPublisher body, Function<Said, Submission.@Nullable Accepted> accepted)
            throws InterruptedException {
        SentOnce once = new SentOnce(body);
        HttpRequest request =
                to.header("Content-Type", "application/json").POST(once).build();
        HttpResponse<byte[]> answer;
        try {
            answer = http.once(request, body.contentLength());
        } catch (IOException e) {
            ModelException lost = failures.ofLostConnection(e);
            return BatchHttp.isUnsent(e) && !once.isSent()
                    ? new Submission.Refused(0, true, "", lost)
                    : new Submission.Unknown(lost.failure().message());
        } catch (TimeoutException _) {
            return new Submission.Unknown(silent().failure().message());
        }
        String text = text(answer);
        if (!isSuccess(answer)) {
            return refusal(answer, text);
        }
        Submission.Accepted said = accepted.apply(new Said(json(text), answer));
        return said != null
                ? said
                : new Submission.Unknown(failures.ofUnusableAnswer(answer.statusCode(), text)
                        .failure()
                        .message());
    }

    /** Only these statuses say that nothing was accepted: a proxy may have made any other after the provider's answer. */
    private Submission refusal(HttpResponse<?> answer, String text) {
        int status = answer.statusCode();
        ModelException failure = failure(answer, text);
        if (status < 400 || status > 499 || status == 408 || status == 409) {
            return new Submission.Unknown(failure.failure().message());
        }
        return new Submission.Refused(status, status == 401 || status == 429, failures.code(text), failure);
    }

    /** Reads a result file; false: it broke off. */
    boolean results(HttpRequest request, DeliveredFile.Sink sink) throws BatchCallException, InterruptedException {
        return http.read(open(request), file(sink), () -> false);
    }

    /** Reads a result file up to its first line that names an item; null: it has none. */
    @Nullable
    DeliveredLine firstResult(HttpRequest request) throws BatchCallException, InterruptedException {
        HttpResponse<BodyPieces> answer = open(request);
        List<DeliveredLine> named = new ArrayList<>();
        boolean isWhole = http.read(
                answer,
                file(line ->
                        Stream.of(line).filter(one -> one.customId() != null).forEach(named::add)),
                () -> !named.isEmpty());
        if (named.isEmpty() && !isWhole) {
            throw new BatchCallException(0, failures.ofLostConnection(new IOException("The file broke off")));
        }
        return named.isEmpty() ? null : named.getFirst();
    }

    private DeliveredFile file(DeliveredFile.Sink sink) {
        return new DeliveredFile(
                settings.type(), MAX_LINE, line -> sink.accept(line.saying(failures.excerpt(line.words()))));
    }

    private HttpResponse<BodyPieces> open(HttpRequest request) throws BatchCallException, InterruptedException {
        HttpResponse<BodyPieces> answer;
        try {
            answer = http.open(request);
        } catch (IOException e) {
            throw new BatchCallException(0, failures.ofLostConnection(e));
        } catch (TimeoutException _) {
            throw new BatchCallException(0, silent());
        }
        if (!isSuccess(answer)) {
            throw refused(answer, http.refusal(answer));
        }
        return answer;
    }

    /** A text that an answer says, without the key and on one line; empty: none. */
    String words(JsonNode said) {
        return said.isTextual() ? failures.excerpt(said.textValue()) : "";
    }

    /** A number of lines; 0 where there is none. */
    static long count(JsonNode counts, String name) {
        JsonNode count = counts.path(name);
        return count.isIntegralNumber() && count.canConvertToInt() ? Math.max(0, count.longValue()) : 0;
    }

    /** An id that an answer names and that can stand in a path; null: there is none. */
    static @Nullable String id(JsonNode said) {
        return said.isTextual() && ID.matcher(said.textValue()).matches() ? said.textValue() : null;
    }

    /** An id that goes into a path. */
    static String checked(String id) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("An id of a batch or a file cannot stand in a path");
        }
        return id;
    }
}
