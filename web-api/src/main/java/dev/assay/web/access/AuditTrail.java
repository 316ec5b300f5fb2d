package dev.assay.web.access;

import dev.assay.domain.access.Scope;
import dev.assay.store.access.Actor;
import dev.assay.store.access.AuditRepository;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.web.router.RouteAttributes;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Records each request that may change something before it does, and then its status. So no change is without a row. A row without
 * a status belongs to a process that was killed.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class AuditTrail implements Ordered {

    private static final String ATTRIBUTE = "dev.assay.audit";

    /** The name of clients without a token. */
    private static final String LOCAL = "local";

    private final AuditRepository audit;

    AuditTrail(AuditRepository audit) {
        this.audit = audit;
    }

    /** After the check of tokens. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @RequestFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    void begin(HttpRequest<?> request) {
        if (changes(request)) {
            String who = request.getUserPrincipal().map(Principal::getName).orElse(LOCAL);
            String what = request.getMethodName() + " " + request.getPath();
            String from = request.getRemoteAddress().getAddress().getHostAddress();
            request.setAttribute(ATTRIBUTE, audit.begin(new Actor(who, from), what));
        }
    }

    private static boolean changes(HttpRequest<?> request) {
        return Scope.mayChange(request.getMethodName(), request.getPath())
                && RouteAttributes.getRouteMatch(request).isPresent();
    }

    @ResponseFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    void end(HttpRequest<?> request, @Nullable MutableHttpResponse<?> response) {
        if (response != null) {
            request.getAttribute(ATTRIBUTE, Long.class).ifPresent(id -> audit.end(id, response.code()));
        }
    }
}
