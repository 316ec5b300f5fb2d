package dev.assay.web.connection;

import dev.assay.domain.error.AssayException;
import io.micronaut.http.body.stream.BodySizeLimits;
import io.micronaut.http.server.netty.handler.PipeliningServerHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Gives the body of each request a size and a place in memory, before a byte of it is kept. Used on one event loop only. */
final class RequestBounds extends ChannelDuplexHandler {

    /** Bytes of a refused body that a client may still send, so that it reads the answer; then the connection is closed. */
    private static final long UNREAD = BodyBound.CAMPAIGN;

    /** Bytes that are taken first for a body of unknown length; then always twice as much. */
    private static final long FIRST = 64 * 1024;

    private final SendClock clock;
    private final PipeliningServerHandler routes;
    private final MemoryAccount memory;
    private final OpenRequests requests;
    private final long most;
    /** Places of the requests that are not answered yet, in their order. */
    private final Deque<RequestPlaces> places = new ArrayDeque<>();

    private BodyPlace place;
    private long bound;
    private long body;
    /** The bytes that have arrived and were not passed on yet. */
    private @Nullable ByteBuf piece;

    private boolean dropping;
    private boolean closing;
    private int unanswered;

    RequestBounds(
            SendClock clock, PipeliningServerHandler routes, MemoryAccount memory, OpenRequests requests, long most) {
        this.clock = clock;
        this.routes = routes;
        this.memory = memory;
        this.requests = requests;
        this.most = most;
        this.place = memory.place();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            begin(context, request);
            if (!(message instanceof HttpContent)) {
                return;
            }
        }
        if (message instanceof HttpContent content) {
            body += content.content().readableBytes();
            take(context);
        }
        boolean last = message instanceof LastHttpContent;
        if (last) {
            clock.bodyEnds();
        }
        if (body > bound + UNREAD || (last && closing)) {
            ChannelFuture _ = context.close();
        }
        if (dropping) {
            dropPiece();
            dropping = !last;
            ReferenceCountUtil.release(message);
        } else if (message instanceof HttpContent content && !(message instanceof HttpRequest)) {
            pass(context, content);
        } else {
            context.fireChannelRead(message);
        }
    }

    /**
     * Passes a body on in pieces that grow with it. The server copies all that it has after every sixteen pieces. The thousands of
     * small pieces of a large body would hold up every connection of the event loop for seconds.
     */
    private void pass(ChannelHandlerContext context, HttpContent content) {
        if (content.decoderResult().isFailure()) {
            context.fireChannelRead(content);
            return;
        }
        int size = content.content().readableBytes();
        if (piece == null && size < pieceSize() && !(content instanceof LastHttpContent) && body <= bound) {
            piece = context.alloc().buffer((int) pieceSize() + size);
        }
        if (piece != null) {
            piece.writeBytes(content.content());
            if (piece.readableBytes() >= pieceSize() || content instanceof LastHttpContent || body > bound) {
                HttpContent grown = new DefaultHttpContent(piece);
                piece = null;
                context.fireChannelRead(grown);
            }
            if (!(content instanceof LastHttpContent)) {
                content.release();
                return;
            }
        }
        context.fireChannelRead(content);
    }

    private long pieceSize() {
        return Math.max(FIRST, body / 4);
    }

    private void dropPiece() {
        if (piece != null) {
            piece.release();
            piece = null;
        }
    }

    private void begin(ChannelHandlerContext context, HttpRequest request) {
        clock.headersEnd(HttpUtil.getContentLength(request, 0L));
        unanswered++;
        requests.begin();
        body = 0;
        bound = Math.min(most, BodyBound.of(request));
        routes.setBodySizeLimits(new BodySizeLimits(bound, bound));
        RequestPlaces taken = new RequestPlaces(memory);
        places.add(taken);
        place = taken.body();
        if (request instanceof HttpContent) {
            // A message that the decoder could not read arrives whole, and has no body.
            return;
        }
        AssayException refusal = refusal(() -> place.takeBody(announced(request)));
        if (refusal == null) {
            context.fireChannelRead(new PlacedRequest(request, taken));
        } else {
            dropping = true;
            context.fireChannelRead(new PlacedRequest(request, taken, refusal));
            context.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
        }
    }

    /** The length of the body as its headers state it; 0 also when it is refused for its size anyway. */
    private long announced(HttpRequest request) {
        if (request.headers().contains(HttpHeaderNames.CONTENT_ENCODING)) {
            return bound;
        }
        long length = HttpUtil.getContentLength(request, 0L);
        return length > bound ? 0 : length;
    }

    private void take(ChannelHandlerContext context) {
        if (dropping || body == 0 || body > bound) {
            return;
        }
        long next = Math.min(bound, Math.max(FIRST, 2 * Long.highestOneBit(body)));
        AssayException refusal = refusal(() -> place.takeArriving(body, next));
        if (refusal != null) {
            dropping = true;
            closing = true;
            context.fireExceptionCaught(refusal);
        }
    }

    private static @Nullable AssayException refusal(Runnable taking) {
        try {
            taking.run();
            return null;
        } catch (AssayException refused) {
            return refused;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        if (dropping || piece != null) {
            context.read();
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean answers = message instanceof HttpResponse response
                && response.status().codeClass() != HttpStatusClass.INFORMATIONAL;
        boolean informs = message instanceof HttpResponse && !answers;
        RequestPlaces answered = message instanceof LastHttpContent && !informs ? places.poll() : null;
        if (answered != null) {
            answered.body().leave();
        }
        ChannelFuture written = context.write(message, promise.unvoid());
        if (answered != null) {
            // Until its last byte is sent the answer is in memory.
            written.addListener(_ -> answered.answer().leave());
        }
        if (answers && unanswered > 0) {
            unanswered--;
            written.addListener(_ -> requests.end());
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        dropPiece();
        places.forEach(RequestPlaces::leave);
        places.clear();
        for (; unanswered > 0; unanswered--) {
            requests.end();
        }
    }
}
