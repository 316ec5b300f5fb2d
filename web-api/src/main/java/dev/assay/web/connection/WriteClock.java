package dev.assay.web.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes the connection of a client that reads its answer too slowly: an answer holds memory until it is read. The first handler of a
 * pipeline. Used on the connection's event loop only.
 */
final class WriteClock extends ChannelDuplexHandler {

    /** Bytes that must be read in each window, if not all are. */
    private static final long LEAST = 64 * 1024;

    private static final long LOOK_MILLIS = 500;

    private final long windowNanos;
    private long waiting;
    private long written;
    private long due;
    private long deadline;
    private @Nullable Future<?> looking;

    WriteClock(Duration window) {
        this.windowNanos = window.toNanos();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        looking = context.executor()
                .scheduleWithFixedDelay(() -> look(context), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (looking != null) {
            looking.cancel(false);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        int bytes = bytes(message);
        if (waiting == 0) {
            begin(written);
        }
        waiting += bytes;
        ChannelFuture sent = context.write(message, promise.unvoid());
        sent.addListener(_ -> {
            waiting -= bytes;
            written += bytes;
        });
    }

    private static int bytes(Object message) {
        return switch (message) {
            case ByteBuf buffer -> buffer.readableBytes();
            case ByteBufHolder holder -> holder.content().readableBytes();
            default -> 0;
        };
    }

    /** Begins a window after {@code before} bytes. It ends early when none wait any more. */
    private void begin(long before) {
        due = before + LEAST;
        deadline = System.nanoTime() + windowNanos;
    }

    private void look(ChannelHandlerContext context) {
        if (waiting == 0 || System.nanoTime() - deadline < 0) {
            return;
        }
        ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
        long ofCurrent = buffer == null ? 0 : buffer.currentProgress();
        if (written + ofCurrent < due) {
            ChannelFuture _ = context.close();
        } else {
            begin(written + ofCurrent);
        }
    }
}
