package dev.assay.web.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Closes the connection of a client that sends its headers or its body too slowly. Used on the connection's event loop only. */
final class SendClock {

    /** Bytes of a body that must arrive in each window. */
    private static final long LEAST = 64 * 1024;

    /** Windows in which a body of announced length must arrive: it takes memory for that length from its beginning. */
    private static final int MOST_WINDOWS = 5;

    private static final long LOOK_MILLIS = 500;

    private enum Part {
        HEADERS,
        BODY,
        /** Nothing is being sent: the server is at work, or the connection idles. */
        NOTHING
    }

    private final long headerNanos;
    private final long windowNanos;
    private Part part = Part.HEADERS;
    private long deadline;
    private long arrived;
    private long least = LEAST;

    SendClock(Duration headers, Duration bodyWindow) {
        this.headerNanos = headers.toNanos();
        this.windowNanos = bodyWindow.toNanos();
        this.deadline = System.nanoTime() + headerNanos;
    }

    /**
     * The headers of a request are complete.
     *
     * @param announced bytes of its body; 0: they do not say
     */
    void headersEnd(long announced) {
        least = Math.max(LEAST, announced / MOST_WINDOWS);
        part = Part.BODY;
        arrived = 0;
        deadline = System.nanoTime() + windowNanos;
    }

    /** The body is complete. */
    void bodyEnds() {
        part = Part.NOTHING;
    }

    private void arrive(int bytes) {
        arrived += bytes;
        if (part == Part.NOTHING) {
            part = Part.HEADERS;
            deadline = System.nanoTime() + headerNanos;
        }
    }

    private boolean isLate() {
        long now = System.nanoTime();
        if (part == Part.NOTHING || now - deadline < 0) {
            return false;
        }
        if (part == Part.BODY && arrived >= least) {
            arrived = 0;
            deadline = now + windowNanos;
            return false;
        }
        return true;
    }

    /** Sees the bytes as they arrive; stands first in the pipeline. */
    ChannelHandler bytes() {
        return new Bytes();
    }

    private final class Bytes extends ChannelInboundHandlerAdapter {

        private @Nullable Future<?> looking;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            looking = context.executor()
                    .scheduleWithFixedDelay(() -> look(context), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void look(ChannelHandlerContext context) {
            if (isLate()) {
                ChannelFuture _ = context.close();
            }
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            if (looking != null) {
                looking.cancel(false);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof ByteBuf bytes) {
                arrive(bytes.readableBytes());
            }
            context.fireChannelRead(message);
        }
    }
}
