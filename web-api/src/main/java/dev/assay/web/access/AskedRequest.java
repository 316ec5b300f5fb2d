package dev.assay.web.access;

import dev.assay.store.access.Actor;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import java.net.InetAddress;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * A request as the audit shows it.
 *
 * @param by whose it is, and from which address
 * @param what method and path
 * @param object the id that the path names; null: none
 */
record AskedRequest(Actor by, String what, @Nullable String object) {

    /** The name of clients of a server that asks for no token. */
    static final String LOCAL = "local";

    /** The name of clients without a valid token. */
    static final String UNKNOWN = "unknown";

    private static final String BEARER = "Bearer ";

    /** Length from which on a text may be a token; a short one would blacken any address. */
    private static final int SHORTEST = 16;

    /** @param nobody the name of a client without a valid token */
    static AskedRequest of(HttpRequest<?> request, String nobody) {
        InetAddress address = request.getRemoteAddress().getAddress();
        Actor by = new Actor(
                request.getUserPrincipal().map(Principal::getName).orElse(nobody),
                address == null ? UNKNOWN : address.getHostAddress());
        String path = path(request);
        return new AskedRequest(by, request.getMethodName() + " " + path, AuditedObject.at(path));
    }

    /** The path, without the token that the request bears: it may stand there by mistake. */
    private static String path(HttpRequest<?> request) {
        String authorization = request.getHeaders().get(HttpHeaders.AUTHORIZATION);
        String path = request.getPath();
        if (authorization == null || !authorization.startsWith(BEARER)) {
            return path;
        }
        String token = authorization.substring(BEARER.length());
        return token.length() < SHORTEST ? path : path.replace(token, "[token]");
    }
}
