package dev.assay.web.connection;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpRequestWrapper;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The departure of a request's client. */
public final class Departure {

    private Departure() {}

    /** Ends when the connection of {@code request} is closed; never for a request without one. */
    public static Mono<Void> of(HttpRequest<?> request) {
        Channel channel = channel(request);
        if (channel == null) {
            return Mono.never();
        }
        return Mono.create(left -> {
            ChannelFutureListener listener = closed -> left.success();
            channel.closeFuture().addListener(listener);
            // A connection may serve requests for hours.
            left.onDispose(() -> channel.closeFuture().removeListener(listener));
        });
    }

    /** Closes the connection of {@code request}, whatever was sent. */
    static void force(HttpRequest<?> request) {
        Channel channel = channel(request);
        if (channel != null) {
            ChannelFuture _ = channel.close();
        }
    }

    private static @Nullable Channel channel(HttpRequest<?> request) {
        HttpRequest<?> inner = request;
        while (inner instanceof HttpRequestWrapper<?> wrapper) {
            inner = wrapper.getDelegate();
        }
        return inner instanceof NettyHttpRequest<?> netty
                ? netty.getChannelHandlerContext().channel()
                : null;
    }
}
