package dev.assay.web.connection;

import dev.assay.domain.error.AssayException;
import io.micronaut.http.HttpRequestWrapper;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;

/** A request whose body and answer have places in memory, or whose body was refused one and is not there any more. */
final class PlacedRequest extends DefaultHttpRequest {

    private final RequestPlaces places;
    private final @Nullable AssayException refusal;

    PlacedRequest(HttpRequest request, RequestPlaces places) {
        super(request.protocolVersion(), request.method(), request.uri(), request.headers());
        this.places = places;
        this.refusal = null;
        setDecoderResult(request.decoderResult());
    }

    PlacedRequest(HttpRequest request, RequestPlaces places, AssayException refusal) {
        super(request.protocolVersion(), request.method(), request.uri(), withoutBody(request));
        this.places = places;
        this.refusal = refusal;
    }

    private static HttpHeaders withoutBody(HttpRequest request) {
        HttpHeaders headers = request.headers().copy();
        headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
        headers.remove(HttpHeaderNames.CONTENT_ENCODING);
        headers.remove(HttpHeaderNames.EXPECT);
        if (HttpUtil.is100ContinueExpected(request)) {
            // It is unknown whether such a client still sends the body.
            headers.set(HttpHeaderNames.CONNECTION, "close");
        } else {
            // Closed at once, what the client still sends would cost it the answer.
            headers.remove(HttpHeaderNames.CONNECTION);
        }
        return headers;
    }

    /** The places of a request that came over a connection; null: of another. */
    static @Nullable PlacedRequest of(io.micronaut.http.HttpRequest<?> request) {
        io.micronaut.http.HttpRequest<?> inner = request;
        while (inner instanceof HttpRequestWrapper<?> wrapper) {
            inner = wrapper.getDelegate();
        }
        return inner instanceof NettyHttpRequest<?> netty && netty.getNativeRequest() instanceof PlacedRequest placed
                ? placed
                : null;
    }

    RequestPlaces places() {
        return places;
    }

    @Nullable
    AssayException refusal() {
        return refusal;
    }
}
