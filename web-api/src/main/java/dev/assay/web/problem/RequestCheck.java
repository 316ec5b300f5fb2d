package dev.assay.web.problem;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.annotation.PreMatching;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses addresses and headers that cannot be read, before anything else reads them. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class RequestCheck implements Ordered {

    private static final Set<String> CHARSETS = Set.of("utf-8", "utf8", "us-ascii");

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @PreMatching
    @RequestFilter
    void refuseUnreadable(HttpRequest<?> request) {
        checkAddress(request.getUri().toString());
        checkContentType(request.getHeaders().get(HttpHeaders.CONTENT_TYPE), hasBody(request.getHeaders()));
    }

    private static void checkAddress(String address) {
        String decoded;
        try {
            decoded = URLDecoder.decode(address, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new AssayException(
                    ErrorCode.MALFORMED_INPUT, "The address holds a % that is not followed by two hex digits", e);
        }
        if (decoded.indexOf('\0') >= 0) {
            throw new AssayException(
                    ErrorCode.MALFORMED_INPUT, "The address holds the character U+0000 (%00); remove it");
        }
    }

    private static boolean hasBody(HttpHeaders headers) {
        String length = headers.get(HttpHeaders.CONTENT_LENGTH);
        return headers.contains(HttpHeaders.TRANSFER_ENCODING)
                || (length != null && !length.strip().matches("0*"));
    }

    /** Checks the Content-Type; the route says which types an address reads. */
    private static void checkContentType(@Nullable String sent, boolean hasBody) {
        if (sent == null && hasBody) {
            // Any page may send such a request across sites, and the routes would take it.
            throw new AssayException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "The body has no Content-Type; send one such as application/json");
        }
        if (sent == null) {
            return;
        }
        String charset;
        try {
            charset = MediaType.of(sent)
                    .getParameters()
                    .get(MediaType.CHARSET_PARAMETER)
                    .orElse("utf-8");
        } catch (IllegalArgumentException e) {
            throw new AssayException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "The Content-Type cannot be read; send one such as application/json",
                    e);
        }
        String plain = charset.replace("\"", "").strip().toLowerCase(Locale.ROOT);
        if (!CHARSETS.contains(plain)) {
            throw new AssayException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The charset of the Content-Type is not UTF-8; send UTF-8");
        }
    }
}
