package dev.assay.web.access;

import dev.assay.store.access.TokenRepository;
import io.micronaut.http.HttpRequest;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.token.validator.TokenValidator;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The owners of the tokens that requests bear. The store is asked each time, so that a revoked token is refused at once. */
@Singleton
final class StoredTokens implements TokenValidator<HttpRequest<?>> {

    private final TokenRepository tokens;
    private final ExecutorService blocking;

    StoredTokens(TokenRepository tokens, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.tokens = tokens;
        this.blocking = blocking;
    }

    @Override
    public Publisher<Authentication> validateToken(String token, @Nullable HttpRequest<?> request) {
        return Mono.fromCallable(() -> tokens.valid(token).orElse(null))
                .map(found ->
                        Authentication.build(found.name(), List.of(found.scope().name())))
                .subscribeOn(Schedulers.fromExecutorService(blocking));
    }
}
