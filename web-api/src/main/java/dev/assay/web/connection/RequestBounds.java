package dev.assay.web.connection;

import io.micronaut.http.body.stream.BodySizeLimits;
import io.micronaut.http.server.netty.handler.PipeliningServerHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;

/** Tells the server how large the body of each request may be, before a byte of it is kept. */
final class RequestBounds extends ChannelInboundHandlerAdapter {

    /** What a client may still send of a body that was refused, so that it reads the answer; then the connection is closed. */
    private static final long UNREAD = BodyBound.CAMPAIGN;

    private final SendClock clock;
    private final PipeliningServerHandler routes;
    private final long most;
    private long bound;
    private long body;

    RequestBounds(SendClock clock, PipeliningServerHandler routes, long most) {
        this.clock = clock;
        this.routes = routes;
        this.most = most;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            clock.headersEnd();
            body = 0;
            bound = Math.min(most, BodyBound.of(request));
            routes.setBodySizeLimits(new BodySizeLimits(bound, bound));
        }
        if (message instanceof HttpContent content) {
            body += content.content().readableBytes();
        }
        if (message instanceof LastHttpContent) {
            clock.bodyEnds();
        }
        if (body > bound + UNREAD) {
            ChannelFuture _ = context.close();
        }
        context.fireChannelRead(message);
    }
}
