package dev.assay.web.connection;

import dev.assay.domain.error.AssayException;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;

/** A request whose body has a place in memory, or was refused one and is not there any more. */
final class PlacedRequest extends DefaultHttpRequest {

    private final BodyPlace place;
    private final @Nullable AssayException refusal;

    PlacedRequest(HttpRequest request, BodyPlace place) {
        super(request.protocolVersion(), request.method(), request.uri(), request.headers());
        this.place = place;
        this.refusal = null;
        setDecoderResult(request.decoderResult());
    }

    PlacedRequest(HttpRequest request, BodyPlace place, AssayException refusal) {
        super(request.protocolVersion(), request.method(), request.uri(), withoutBody(request));
        this.place = place;
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

    BodyPlace place() {
        return place;
    }

    @Nullable
    AssayException refusal() {
        return refusal;
    }
}
