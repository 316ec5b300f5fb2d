package dev.assay.web.access;

import dev.assay.domain.access.LocalDoor;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.annotation.PreMatching;
import org.jspecify.annotations.Nullable;

/** Refuses requests from pages of other sites to a server that asks for no tokens. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class LocalRequests implements Ordered {

    /** Null: tokens decide. */
    private final @Nullable LocalDoor door;

    private final RefusalQueue refusals;

    LocalRequests(AccessSettings settings, RefusalQueue refusals) {
        this.refusals = refusals;
        door = settings.tokens() ? null : new LocalDoor(settings.hosts());
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @PreMatching
    @RequestFilter
    void refuseForeign(HttpRequest<?> request) {
        String refusal = door == null
                ? null
                : door.refusal(
                        request.getHeaders().getAll(HttpHeaders.HOST),
                        request.getHeaders().getAll(HttpHeaders.ORIGIN));
        if (refusal != null) {
            refusals.add(request, ErrorCode.FORBIDDEN.httpStatus());
            throw new AssayException(ErrorCode.FORBIDDEN, refusal);
        }
    }
}
