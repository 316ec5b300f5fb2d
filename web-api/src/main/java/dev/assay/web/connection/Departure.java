package dev.assay.web.connection;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpRequestWrapper;
import io.micronaut.http.server.netty.NettyHttpRequest;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The departure of a request's client. */
public final class Departure {

    private Departure() {}

    /** Ends when the connection of {@code request} is closed; never for a request without one. */
    public static Mono<Void> of(HttpRequest<?> request) {
        HttpRequest<?> inner = request;
        while (inner instanceof HttpRequestWrapper<?> wrapper) {
            inner = wrapper.getDelegate();
        }
        if (!(inner instanceof NettyHttpRequest<?> netty)) {
            return Mono.never();
        }
        Sinks.Empty<Void> left = Sinks.empty();
        netty.getChannelHandlerContext().channel().closeFuture().addListener(closed -> left.tryEmitEmpty());
        return left.asMono();
    }
}
