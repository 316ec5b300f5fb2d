package dev.assay.activities.proxy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request of a program that is not sent on. The program is told in the shape of its provider's errors. */
final class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int TOO_LARGE = 413;
    private static final int TOO_MANY = 429;
    private static final int BAD_GATEWAY = 502;
    private static final int UNAVAILABLE = 503;

    private final int status;
    private final String type;
    private final transient @Nullable Duration retryAfter;

    private RefusedException(int status, String type, String message, @Nullable Duration retryAfter) {
        super(message, null, false, false);
        this.status = status;
        this.type = type;
        this.retryAfter = retryAfter;
    }

    static RefusedException malformed(String message) {
        return new RefusedException(BAD_REQUEST, "invalid_request_error", message, null);
    }

    static RefusedException unauthorized() {
        return new RefusedException(
                UNAUTHORIZED, "authentication_error", "The key is none of a running attempt of this worker.", null);
    }

    static RefusedException forbidden(String message) {
        return new RefusedException(FORBIDDEN, "permission_error", message, null);
    }

    static RefusedException notFound() {
        return new RefusedException(NOT_FOUND, "not_found_error", "The model proxy does not serve this address.", null);
    }

    static RefusedException tooLarge(String message) {
        return new RefusedException(TOO_LARGE, "request_too_large", message, null);
    }

    /** Money is spent: waiting does not help. */
    static RefusedException spent(String message) {
        return new RefusedException(TOO_MANY, "insufficient_quota", message, null);
    }

    /** Limits hold it up: it may be sent later. */
    static RefusedException held(String message, Duration retryAfter) {
        return new RefusedException(TOO_MANY, "rate_limit_error", message, retryAfter);
    }

    static RefusedException unavailable(String message, Duration retryAfter) {
        return new RefusedException(UNAVAILABLE, "overloaded_error", message, retryAfter);
    }

    /** The provider gave no answer that can be passed on. */
    static RefusedException badGateway(String message) {
        return new RefusedException(BAD_GATEWAY, "api_error", message, null);
    }

    int status() {
        return status;
    }

    /** The time after which it may be sent again; null: waiting does not help, or nobody knows. */
    @Nullable
    Duration retryAfter() {
        return retryAfter;
    }

    /** The body of the answer. */
    byte[] body(ProviderType provider) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ObjectNode error =
                document.putObject("error").put("message", getMessage()).put("type", type);
        if (provider == ProviderType.ANTHROPIC) {
            document.put("type", "error");
        } else {
            error.putNull("param").put("code", type);
        }
        return Json.bytes(document);
    }
}
