package dev.assay.web.connection;

import dev.assay.domain.error.AssayException;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.annotation.PreMatching;
import io.micronaut.http.server.netty.NettyHttpRequest;

/** Answers requests whose bodies got no place in memory. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class BodyRefusal implements Ordered {

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @PreMatching
    @RequestFilter
    void answer(HttpRequest<?> request) {
        if (request instanceof NettyHttpRequest<?> netty && netty.getNativeRequest() instanceof PlacedRequest placed) {
            AssayException refusal = placed.refusal();
            if (refusal != null) {
                throw refusal;
            }
        }
    }
}
