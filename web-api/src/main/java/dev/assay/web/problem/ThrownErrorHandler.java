package dev.assay.web.problem;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** Hands what controllers throw to {@link ProblemResponses}. */
@Singleton
final class ThrownErrorHandler implements ExceptionHandler<Throwable, HttpResponse<?>> {

    private final ProblemResponses problems;

    ThrownErrorHandler(ProblemResponses problems) {
        this.problems = problems;
    }

    @Override
    @SuppressWarnings("rawtypes") // As the interface declares it.
    public HttpResponse<?> handle(HttpRequest request, Throwable thrown) {
        return problems.of((HttpRequest<?>) request, thrown);
    }
}
