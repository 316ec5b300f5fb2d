package dev.assay.web.access;

import dev.assay.domain.access.Scope;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The object that a request is about, as the path of an address names it. */
final class AuditedObject {

    private static final Pattern ONE = Pattern.compile(
            "/api/v1/(?:campaigns|evaluations|hypothesis-evaluations|workspaces|providers)/(?<id>[^/]+)(?:/.*)?");

    private AuditedObject() {}

    /**
     * The id of the campaign, the evaluation, the workspace or the provider at {@code path}; null: it names none.
     *
     * @param path of an address, without a query
     */
    static @Nullable String at(String path) {
        Matcher one = ONE.matcher(path);
        if (!one.matches() || Scope.isQuestion(path)) {
            return null;
        }
        String id = one.group("id");
        try {
            return URLDecoder.decode(id.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // A broken address was refused: it is kept as it was sent.
            return id;
        }
    }
}
