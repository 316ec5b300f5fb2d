package dev.assay.web.access;

import dev.assay.domain.access.Scope;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.web.problem.ProblemResponses;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.security.authentication.AuthorizationException;
import io.micronaut.security.authentication.DefaultAuthorizationExceptionHandler;
import jakarta.inject.Singleton;

/** Answers with the reason of a refusal: 401 without a valid token, 403 with one that does not allow the request. */
@Singleton
@Replaces(DefaultAuthorizationExceptionHandler.class)
final class TokenRefusal implements ExceptionHandler<AuthorizationException, MutableHttpResponse<?>> {

    private final ProblemResponses problems;
    private final RefusalQueue refusals;

    TokenRefusal(ProblemResponses problems, RefusalQueue refusals) {
        this.problems = problems;
        this.refusals = refusals;
    }

    @Override
    @SuppressWarnings("rawtypes") // As the interface declares it.
    public MutableHttpResponse<?> handle(HttpRequest request, AuthorizationException refused) {
        HttpRequest<?> asked = (HttpRequest<?>) request;
        AssayException refusal = refused.isForbidden() ? forbidden(asked) : unauthenticated();
        refusals.add(asked, refusal.code().httpStatus());
        return problems.of(asked, refusal);
    }

    private static AssayException unauthenticated() {
        return new AssayException(
                ErrorCode.UNAUTHENTICATED,
                "A valid token is needed, as in Authorization: Bearer TOKEN; make one with: assay token create");
    }

    private static AssayException forbidden(HttpRequest<?> request) {
        Scope needed = Scope.neededFor(request.getMethodName(), request.getPath());
        return new AssayException(
                ErrorCode.FORBIDDEN, "The token does not allow this; one of scope " + needed.word() + " does");
    }
}
