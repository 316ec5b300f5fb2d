package dev.assay.web.access;

import dev.assay.domain.access.Scope;
import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.rules.SecurityRule;
import io.micronaut.security.rules.SecurityRuleResult;
import jakarta.inject.Singleton;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The only rule of security: requests that a token's scope does not cover are refused. Open to all are the health and the files of
 * the pages, which are the same for everyone.
 */
@Singleton
final class ScopeRule implements SecurityRule<HttpRequest<?>> {

    /** Supervisors and load balancers ask for these without a token. */
    private static final Set<String> OPEN = Set.of("/health/liveness", "/health/readiness");

    /** Before every rule of the library, which then has no effect. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Publisher<SecurityRuleResult> check(HttpRequest<?> request, @Nullable Authentication authentication) {
        return Mono.just(allows(request, authentication) ? SecurityRuleResult.ALLOWED : SecurityRuleResult.REJECTED);
    }

    /** Whether it is a file of the pages. The files hold no data: a page asks the API for its data, with the user's token. */
    private static boolean isPage(HttpRequest<?> request) {
        String path = request.getPath();
        return path.equals("/ui") || path.startsWith("/ui/");
    }

    private static boolean allows(HttpRequest<?> request, @Nullable Authentication authentication) {
        if (OPEN.contains(request.getPath()) || isPage(request)) {
            return true;
        }
        Scope needed = Scope.neededFor(request.getMethodName(), request.getPath());
        return authentication != null
                && authentication.getRoles().stream().map(Scope::valueOf).anyMatch(scope -> scope.covers(needed));
    }
}
