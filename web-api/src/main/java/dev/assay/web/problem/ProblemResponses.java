package dev.assay.web.problem;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.store.SqlState;
import io.grpc.StatusRuntimeException;
import io.micronaut.core.convert.exceptions.ConversionErrorException;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.web.router.exceptions.UnsatisfiedBodyRouteException;
import io.micronaut.web.router.exceptions.UnsatisfiedRouteException;
import io.netty.handler.codec.DecoderException;
import jakarta.inject.Singleton;
import java.io.EOFException;
import java.net.SocketException;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place that turns errors into problem documents: ours, the server's own, and unexpected ones. */
@Singleton
public final class ProblemResponses implements ErrorResponseProcessor<String> {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemResponses.class);

    /** Errors that the server finds before a controller is reached: unknown address, wrong method, unreadable body … */
    @Override
    public MutableHttpResponse<String> processResponse(ErrorContext context, MutableHttpResponse<?> response) {
        HttpRequest<?> request = context.getRequest();
        Throwable cause = context.getRootCause().orElse(null);
        if (cause instanceof ConversionErrorException e) {
            return invalidArgument(request, e.getArgument().getName(), expected(e.getArgument()));
        }
        if (cause instanceof UnsatisfiedBodyRouteException) {
            ErrorCode code = ErrorCode.MALFORMED_INPUT;
            return write(request, code, code.httpStatus(), "The body is empty: send a document", List.of());
        }
        if (cause instanceof UnsatisfiedRouteException e) {
            return invalidArgument(request, e.getArgument().getName(), "The value is missing: send it");
        }
        int status = response.code();
        if (cause != null && status >= 500) {
            return of(request, cause);
        }
        String detail = context.getErrors().stream().map(Error::getMessage).collect(Collectors.joining("; "));
        ErrorCode code = code(status);
        MutableHttpResponse<String> problem = write(request, code, status, detail(detail, code, request), List.of());
        // The methods that the address does know.
        response.getHeaders()
                .getAll("Allow")
                .forEach(allow -> problem.getHeaders().add("Allow", allow));
        return problem;
    }

    /** The problem document of anything that was thrown. */
    public MutableHttpResponse<String> of(HttpRequest<?> request, Throwable thrown) {
        if (thrown instanceof AssayException e && !(e.getCause() instanceof SQLException)) {
            if (e.code() == ErrorCode.SERVER_BUSY) {
                long seconds = e.retryAfter() == null ? 1 : e.retryAfter().toSeconds();
                return write(request, e, e.code().httpStatus())
                        .header(HttpHeaders.RETRY_AFTER, String.valueOf(seconds));
            }
            if (e.code() == ErrorCode.UNAUTHENTICATED) {
                return write(request, e, e.code().httpStatus()).header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            }
            if (e.code().httpStatus() >= 500) {
                LOG.warn("Request {} failed: {}", RequestIds.of(request), e.getMessage(), e);
            }
            return write(request, e, e.code().httpStatus());
        }
        if (thrown instanceof EOFException || thrown instanceof SocketException) {
            // The client left while it sent its body; the answer has no reader.
            ErrorCode left = ErrorCode.MALFORMED_INPUT;
            return write(request, left, left.httpStatus(), "The body ends too early: send all of it", List.of());
        }
        if (thrown instanceof DecoderException) {
            ErrorCode packed = ErrorCode.MALFORMED_INPUT;
            String detail = "The body is not packed as its Content-Encoding says: send it as it is";
            return write(request, packed, packed.httpStatus(), detail, List.of());
        }
        String requestId = RequestIds.of(request);
        LOG.error("Request {} ({} {}) failed", requestId, request.getMethodName(), request.getPath(), thrown);
        ErrorCode code = isUnavailable(thrown) ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.INTERNAL;
        String detail = code == ErrorCode.INTERNAL
                ? "Assay failed; its log says why under request " + requestId
                : "PostgreSQL or Temporal does not answer: try again later";
        return write(request, code, code.httpStatus(), detail, List.of());
    }

    /** The accepted values of a parameter, in the words of its type. */
    private static String expected(Argument<?> argument) {
        Class<?> type = argument.getFirstTypeVariable().orElse(argument).getType();
        if (type.isEnum()) {
            return Stream.of(type.getEnumConstants())
                    .map(String::valueOf)
                    .collect(Collectors.joining(", ", "Must be one of ", ""));
        }
        return type == int.class || type == Integer.class
                ? "Must be a whole number, at most " + Integer.MAX_VALUE
                : "The value cannot be read";
    }

    private static MutableHttpResponse<String> invalidArgument(HttpRequest<?> request, String name, String message) {
        return write(
                request,
                ErrorCode.INVALID_INPUT,
                ErrorCode.INVALID_INPUT.httpStatus(),
                "A parameter of the request is not valid",
                List.of(new FieldError(name, message)));
    }

    private static MutableHttpResponse<String> write(
            HttpRequest<?> request, ErrorCode code, int status, String detail, List<FieldError> errors) {
        return write(ProblemDocument.of(code, status, detail, errors, 0, RequestIds.of(request)));
    }

    private static MutableHttpResponse<String> write(HttpRequest<?> request, AssayException e, int status) {
        return write(ProblemDocument.of(
                e.code(), status, e.failure().message(), e.errors(), e.moreErrors(), RequestIds.of(request)));
    }

    private static MutableHttpResponse<String> write(ProblemDocument problem) {
        return HttpResponse.<String>status(problem.status(), problem.title())
                .body(Json.write(problem))
                .contentType(ProblemDocument.MEDIA_TYPE);
    }

    private static String detail(String detail, ErrorCode code, HttpRequest<?> request) {
        return switch (code) {
            case NOT_FOUND -> "There is nothing at " + request.getPath();
            case METHOD_NOT_ALLOWED -> request.getPath() + " does not know the method " + request.getMethodName();
            default -> detail.isBlank() ? "The request cannot be served" : detail;
        };
    }

    private static ErrorCode code(int status) {
        return switch (status) {
            case 401 -> ErrorCode.UNAUTHENTICATED;
            case 403 -> ErrorCode.FORBIDDEN;
            case 404 -> ErrorCode.NOT_FOUND;
            case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
            case 406 -> ErrorCode.NOT_ACCEPTABLE;
            case 415 -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
            case 413 -> ErrorCode.BODY_TOO_LARGE;
            default -> status < 500 ? ErrorCode.MALFORMED_INPUT : ErrorCode.INTERNAL;
        };
    }

    private static boolean isUnavailable(Throwable thrown) {
        return SqlState.isTransient(thrown)
                || Stream.iterate(thrown, java.util.Objects::nonNull, Throwable::getCause)
                        .limit(20)
                        .anyMatch(cause -> cause instanceof StatusRuntimeException e && isUnavailable(e));
    }

    private static boolean isUnavailable(StatusRuntimeException e) {
        return switch (e.getStatus().getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED -> true;
            default -> false;
        };
    }
}
