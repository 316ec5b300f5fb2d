package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.http.LostConnection;
import dev.assay.activities.model.CallSign;
import dev.assay.activities.model.ModelException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.answer.AnswerHeaders;
import dev.assay.domain.limit.answer.HeaderLimit;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.limit.outage.OutageSignal;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.text.Excerpt;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The one place that turns a provider's failures into an {@link ErrorCode} and a sentence. */
public final class ProviderFailures {

    private static final int EXCERPT_CHARS = 300;

    private static final Set<String> CONTEXT_WORDS =
            Set.of("context_length_exceeded", "exceed_context_size_error", "request_too_large");

    /** Phrases for a request that is larger than the context window, of providers that give no code of their own. */
    private static final List<String> CONTEXT_PHRASES = List.of(
            "prompt is too long",
            "input is too long",
            "maximum context length",
            "context length exceeded",
            "context window",
            "context size",
            "exceeds the maximum number of tokens allowed",
            "reduce the length of the messages",
            "input length and `max_tokens` exceed context limit");

    private final String provider;
    private final @Nullable ApiKey key;
    private final @Nullable String keyVariable;

    /** Those of a provider that is asked with {@code key}; null: without one. */
    public ProviderFailures(ProviderSettings settings, @Nullable ApiKey key) {
        this(settings.name(), key, settings.keyVariable());
    }

    /** Those of a provider that needs no key. */
    public ProviderFailures(String provider) {
        this(provider, null, null);
    }

    private ProviderFailures(String provider, @Nullable ApiKey key, @Nullable String keyVariable) {
        this.provider = provider;
        this.key = key;
        this.keyVariable = keyVariable;
    }

    /** Classifies an answer that is not a success. */
    ModelException ofAnswer(Answer answer) {
        return ofStatus(answer.status(), AnswerHeaders.ofLists(answer.headers()), answer.text());
    }

    /**
     * Classifies an answer that is not a success.
     *
     * @param text its body, as far as it is known
     */
    public ModelException ofStatus(int status, AnswerHeaders headers, String text) {
        ErrorBody body = ErrorBody.of(text);
        Refusal refusal = Refusal.of(status, headers, body.error(), Instant.now());
        ErrorCode code = code(status, body, refusal);
        String words = excerpt(body.message());
        String message = "Provider %s %s (HTTP %d)%s"
                .formatted(provider, summary(code, status, refusal), status, words.isEmpty() ? "." : ": " + words);
        CallSign sign = key == null ? CallSign.of(status, refusal) : CallSign.ofKeyed(status, refusal);
        return new ModelException(code, message, code.retryable() ? refusal.retryAfter() : null, sign, null);
    }

    private static ErrorCode code(int status, ErrorBody body, Refusal refusal) {
        if (saysContextTooLong(status, body)) {
            return ErrorCode.CONTEXT_TOO_LONG;
        }
        return switch (status) {
            case 401, 403 -> ErrorCode.PROVIDER_AUTH;
            case 429 -> refusal.isForLater() ? ErrorCode.PROVIDER_RATE_LIMITED : ErrorCode.PROVIDER_REJECTED;
            case 408, 409, 425 -> ErrorCode.PROVIDER_UNAVAILABLE;
            default -> status >= 500 ? ErrorCode.PROVIDER_UNAVAILABLE : ErrorCode.PROVIDER_REJECTED;
        };
    }

    private static boolean saysContextTooLong(int status, ErrorBody body) {
        if (status == 413 || body.words().stream().anyMatch(CONTEXT_WORDS::contains)) {
            return true;
        }
        String message = body.message().toLowerCase(Locale.ROOT);
        return (status == 400 || status == 422) && CONTEXT_PHRASES.stream().anyMatch(message::contains);
    }

    private String summary(ErrorCode code, int status, Refusal refusal) {
        if (code == ErrorCode.CONTEXT_TOO_LONG) {
            return "says that the request is larger than the model's context window";
        }
        if (code == ErrorCode.PROVIDER_AUTH) {
            return "refused " + keyName();
        }
        if (code == ErrorCode.PROVIDER_RATE_LIMITED) {
            return "limits the rate of requests";
        }
        if (code == ErrorCode.PROVIDER_UNAVAILABLE) {
            return "is not available";
        }
        if (status < 400) {
            return "redirected the request, which is not followed; check its baseUrl";
        }
        return switch (refusal.kind()) {
            case QUOTA -> "has no quota or money left for " + keyName();
            case TOO_LARGE -> "refused the request for good: it is larger than " + limit(refusal.leastOfTokens());
            case AUTH, RATE, CONCURRENCY, OTHER -> "refused the request";
        };
    }

    private static String limit(@Nullable HeaderLimit limit) {
        return limit == null
                ? "a limit"
                : "the limit of %d %s".formatted(limit.limit(), limit.kind().word());
    }

    private String keyName() {
        return keyVariable == null ? "the key" : "the key of " + keyVariable;
    }

    /** Classifies a connection that could not be made, or that ended before the answer. */
    public ModelException ofLostConnection(IOException failure) {
        return new ModelException(
                ErrorCode.PROVIDER_CONNECTION,
                "Provider %s %s.".formatted(provider, connection(failure)),
                null,
                CallSign.of(LostConnection.signal(failure)),
                failure);
    }

    /**
     * A request that was not answered within {@code timeout}.
     *
     * @param began whether a part of the answer came
     */
    public ModelException ofTimeout(Duration timeout, boolean began) {
        return new ModelException(
                ErrorCode.PROVIDER_TIMEOUT,
                "Provider %s did not answer within %s s.".formatted(provider, seconds(timeout)),
                null,
                began ? CallSign.ANSWERED : CallSign.of(OutageSignal.SILENT),
                null);
    }

    private String connection(IOException failure) {
        if (LostConnection.isUnknownHost(failure)) {
            return "has a baseUrl whose host cannot be found";
        }
        if (failure instanceof HttpConnectTimeoutException) {
            return "did not accept a connection in time";
        }
        if (failure instanceof ConnectException) {
            return "cannot be connected to; check that its server runs and that its baseUrl is right";
        }
        SSLException tls = LostConnection.tlsFailure(failure);
        if (tls != null) {
            return "has no usable TLS: " + excerpt(String.valueOf(tls.getMessage()));
        }
        if (LostConnection.root(failure) instanceof EOFException || failure.getMessage() == null) {
            return "dropped the connection before its answer was complete";
        }
        return "dropped the connection before its answer was complete: " + excerpt(failure.getMessage());
    }

    /** The same, of an answer of which only this is known. */
    public ModelException ofUnusableAnswer(int status, String text) {
        return ofUnusableAnswer(new Answer(status, Map.of(), text, null));
    }

    /** Classifies an answer that reports success but is not what the API promises. */
    ModelException ofUnusableAnswer(Answer answer) {
        String body = excerpt(answer.text());
        String what = body.isEmpty() ? "an empty body." : "something else than its API promises: " + body;
        return new ModelException(
                ErrorCode.PROVIDER_CONNECTION,
                "Provider %s answered HTTP %d with %s".formatted(provider, answer.status(), what),
                null,
                isJson(answer) ? CallSign.ANSWERED : CallSign.of(OutageSignal.NO_JSON),
                null);
    }

    private static boolean isJson(Answer answer) {
        try {
            return !answer.text().isBlank()
                    && !Json.mapper().readTree(answer.text()).isMissingNode();
        } catch (JsonProcessingException _) {
            return false;
        }
    }

    /** Classifies an answer whose embeddings cannot be compared. */
    ModelException ofIncomparable(Embeddings.IncomparableException failure) {
        return new ModelException(
                ErrorCode.PROVIDER_CONNECTION,
                "Provider %s answered with embeddings that %s.".formatted(provider, failure.getMessage()),
                null,
                null);
    }

    /** Classifies a request for embeddings where the provider's API has none. */
    ModelException ofNoEmbeddings() {
        return new ModelException(
                ErrorCode.PROVIDER_REJECTED,
                "Provider %s has no embeddings; name one whose API is that of OpenAI.".formatted(provider),
                null,
                null);
    }

    /** Classifies a request that could not even be sent. */
    ModelException ofUnsendableRequest(RuntimeException failure) {
        boolean input = failure instanceof IllegalArgumentException;
        return new ModelException(
                input ? ErrorCode.PROVIDER_REJECTED : ErrorCode.INTERNAL,
                "No request to provider %s could be made of this conversation: %s"
                        .formatted(provider, excerpt(String.valueOf(failure.getMessage()))),
                null,
                input ? null : failure);
    }

    /** The provider's word for the error that the body of an answer holds, without the key; empty: none. */
    public String code(String text) {
        JsonNode error = ErrorBody.of(text).error();
        return Stream.of("code", "type")
                .map(field -> error.path(field))
                .filter(word -> word.isTextual() && !word.textValue().isBlank())
                .map(word -> excerpt(word.textValue()))
                .findFirst()
                .orElse("");
    }

    /** One line of at most 300 characters, without the key. */
    public String excerpt(String text) {
        // The key goes first: a cut through it would hide it from the search and show a part.
        return Excerpt.of(key == null ? text : key.redact(text), EXCERPT_CHARS);
    }

    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}
