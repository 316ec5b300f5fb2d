package dev.assay.web.access;

import dev.assay.domain.access.Scope;
import dev.assay.store.access.AuditRepository;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.web.router.RouteAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records each request that may change something before it does, and then its status. So no change is without a row. A row without
 * a status belongs to a process that was killed. Refusals that come before it are reported where they are decided, in
 * {@link TokenRefusal} and {@link LocalRequests}.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class AuditTrail implements Ordered {

    private static final String ATTRIBUTE = "dev.assay.audit";

    private final AuditRepository audit;
    private final RefusalQueue refusals;

    AuditTrail(AuditRepository audit, RefusalQueue refusals) {
        this.audit = audit;
        this.refusals = refusals;
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
            AskedRequest asked = AskedRequest.of(request, AskedRequest.LOCAL);
            request.setAttribute(ATTRIBUTE, audit.begin(asked.by(), asked.what(), asked.object()));
        }
    }

    private static boolean changes(HttpRequest<?> request) {
        return Scope.mayChange(request.getMethodName(), request.getPath())
                && RouteAttributes.getRouteMatch(request).isPresent();
    }

    @ResponseFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    void end(HttpRequest<?> request, @Nullable MutableHttpResponse<?> response) {
        if (response == null) {
            return;
        }
        Optional<Long> row = request.getAttribute(ATTRIBUTE, Long.class);
        if (row.isPresent()) {
            audit.end(row.get(), response.code(), made(response));
            refusals.count(response.code());
        } else {
            refusals.add(request, response.code());
        }
    }

    private static @Nullable String made(HttpResponse<?> response) {
        String location = response.getHeaders().get(HttpHeaders.LOCATION);
        return location == null ? null : AuditedObject.at(location);
    }
}
