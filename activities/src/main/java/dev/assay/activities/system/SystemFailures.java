package dev.assay.activities.system;

import dev.assay.activities.http.LostConnection;
import dev.assay.activities.model.CallSign;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.tool.Secrets;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.limit.answer.AnswerHeaders;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.limit.outage.OutageSignal;
import dev.assay.domain.text.Excerpt;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The failures of a system under test, each as an {@link ErrorCode} and a sentence without the worker's secrets. */
final class SystemFailures {

    private static final int EXCERPT_CHARS = 300;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final Pattern CHARSET = Pattern.compile("charset=\"?([^\";\\s]+)", Pattern.CASE_INSENSITIVE);

    private final String host;
    private final Secrets secrets;

    SystemFailures(String host, Secrets secrets) {
        this.host = host;
        this.secrets = secrets;
    }

    /**
     * The text of a successful answer.
     *
     * @throws ModelException when there is none, or it is empty, or not in the charset that it states
     */
    String text(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status < 200 || status > 299) {
            throw ofStatus(response);
        }
        if (response.body().length == 0) {
            throw ofUnusable("It has no body.");
        }
        String type = response.headers().firstValue("Content-Type").orElse("");
        Matcher named = CHARSET.matcher(type);
        try {
            Charset charset = named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
            String text = charset.newDecoder()
                    .decode(ByteBuffer.wrap(response.body()))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw ofUnusable("Its charset is not known: " + Excerpt.of(named.group(1), 40) + ".");
        } catch (CharacterCodingException | UnsupportedOperationException e) {
            throw ofUnusable("It holds bytes that are no text in its charset.");
        }
    }

    private ModelException ofStatus(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        ErrorCode code = code(status);
        String body = new String(response.body(), StandardCharsets.UTF_8);
        Refusal refusal =
                Refusal.of(status, AnswerHeaders.ofLists(response.headers().map()), body, Instant.now());
        String words = excerpt(body);
        String message = "The system at %s %s (HTTP %d)%s"
                .formatted(host, summary(code, status), status, words.isEmpty() ? "." : ": " + words);
        return new ModelException(
                code, message, code.retryable() ? refusal.retryAfter() : null, CallSign.of(status, refusal), null);
    }

    private static ErrorCode code(int status) {
        return switch (status) {
            case TOO_MANY_REQUESTS -> ErrorCode.PROVIDER_RATE_LIMITED;
            case 401, 403 -> ErrorCode.PROVIDER_AUTH;
            default -> status >= 500 ? ErrorCode.PROVIDER_UNAVAILABLE : ErrorCode.PROVIDER_REJECTED;
        };
    }

    private static String summary(ErrorCode code, int status) {
        if (status < 400) {
            return "redirects, which is not followed; write the address that it names";
        }
        return switch (code) {
            case PROVIDER_RATE_LIMITED -> "limits the rate of requests";
            case PROVIDER_AUTH -> "refused the headers that name who asks";
            case PROVIDER_UNAVAILABLE -> "is not available";
            default -> "refused the request";
        };
    }

    /** The failure of an answer that does not have the form that the branch states. */
    ModelException ofUnusable(String why) {
        return new ModelException(
                ErrorCode.ANSWER_UNUSABLE,
                "The system at %s gave an answer that cannot be used. %s".formatted(host, excerpt(why)),
                null,
                CallSign.ANSWERED,
                null);
    }

    ModelException ofTimeout(Duration timeout) {
        String seconds =
                BigDecimal.valueOf(timeout.toMillis(), 3).stripTrailingZeros().toPlainString();
        return new ModelException(
                ErrorCode.PROVIDER_TIMEOUT,
                "The system at %s did not answer within %s s.".formatted(host, seconds),
                null,
                CallSign.of(OutageSignal.SILENT),
                null);
    }

    /** The failure of a broken connection. */
    ModelException ofNoAnswer(IOException failure) {
        String why = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        return new ModelException(
                ErrorCode.PROVIDER_CONNECTION,
                "The system at %s gave no answer that can be read: %s.".formatted(host, excerpt(why)),
                null,
                CallSign.of(LostConnection.signal(failure)),
                null);
    }

    /** One line; a secret goes first, since a cut through it would show a part. */
    private String excerpt(String text) {
        return Excerpt.of(secrets.hiddenFrom(text), EXCERPT_CHARS);
    }
}
