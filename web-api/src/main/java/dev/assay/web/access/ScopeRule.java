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
 * The only rule of security: what a token's scope does not cover is refused. Open to everybody are the health and the files of the
 * pages, which are the same for all.
 */
@Singleton
final class ScopeRule implements SecurityRule<HttpRequest<?>> {

    /** Supervisors and load balancers ask these, and have no token. */
    private static final Set<String> OPEN = Set.of("/health/liveness", "/health/readiness");

    /** Before every rule of the library, which then has nothing to say. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Publisher<SecurityRuleResult> check(HttpRequest<?> request, @Nullable Authentication authentication) {
        return Mono.just(allows(request, authentication) ? SecurityRuleResult.ALLOWED : SecurityRuleResult.REJECTED);
    }

    /** The files hold no data: what a page shows it asks of the API, with the token that its user gave it. */
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
