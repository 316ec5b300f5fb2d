package dev.assay.web.problem;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.UUID;
import java.util.regex.Pattern;

/** Gives every request an id, the client's if it sent a usable one, and every answer the same. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
public final class RequestIds {

    /** The header of the id, in requests and answers. */
    public static final String HEADER = "X-Request-Id";

    private static final String ATTRIBUTE = "dev.assay.requestId";
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    /** The id of {@code request}. */
    static String of(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, String.class).orElseGet(() -> assign(request));
    }

    @RequestFilter
    void receive(HttpRequest<?> request) {
        of(request);
    }

    @ResponseFilter
    void answer(HttpRequest<?> request, @Nullable MutableHttpResponse<?> response) {
        if (response != null) {
            response.getHeaders().set(HEADER, of(request));
        }
    }

    private static String assign(HttpRequest<?> request) {
        String sent = request.getHeaders().get(HEADER);
        String id = sent != null && USABLE.matcher(sent).matches()
                ? sent
                : UUID.randomUUID().toString();
        request.setAttribute(ATTRIBUTE, id);
        return id;
    }
}
