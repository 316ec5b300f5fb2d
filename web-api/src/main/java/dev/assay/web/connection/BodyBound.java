package dev.assay.web.connection;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.regex.Pattern;

/** The bound of a request's body. */
final class BodyBound {

    private static final long MEBIBYTE = 1024 * 1024;

    /** A campaign file with its suite and cassettes inlined, of which the reader takes no more either; a file of labels. */
    static final long CAMPAIGN = 64 * MEBIBYTE;

    /** A conversation with its images, or hypotheses. */
    static final long EVALUATION = 16 * MEBIBYTE;

    /** A piece of the results of an import. */
    static final long RESULTS = 16 * MEBIBYTE;

    /** A piece of a workspace. */
    static final long WORKSPACE_PIECE = 8 * MEBIBYTE;

    /** Everything else is a handful of fields, or what a judge reads. */
    static final long SMALL = MEBIBYTE;

    private static final Pattern WORKSPACES = Pattern.compile("/api/v1/workspaces/[^/?]+/[0-9]+/?");
    private static final Pattern EVALUATIONS =
            Pattern.compile("/api/v1/(hypothesis-)?evaluations/?|/api/v1/evaluations/[^/]+/continue/?");

    /** Files of labels. */
    private static final Pattern LABELS = Pattern.compile("/api/v1/(campaigns/[^/]+/)?labels/?");

    private static final Pattern RESULTS_OF_IMPORTS = Pattern.compile("/api/v1/imports/[^/]+/results/?");

    private BodyBound() {}

    /** The bound of {@code request}, in bytes. */
    static long of(HttpRequest request) {
        if (HttpMethod.PUT.equals(request.method())
                && WORKSPACES.matcher(request.uri()).matches()) {
            return WORKSPACE_PIECE;
        }
        if (!HttpMethod.POST.equals(request.method())) {
            return SMALL;
        }
        String path = request.uri().split("\\?", 2)[0];
        if (path.equals("/api/v1/campaigns") || path.equals("/api/v1/campaigns/")) {
            return CAMPAIGN;
        }
        if (LABELS.matcher(path).matches()) {
            return CAMPAIGN;
        }
        if (RESULTS_OF_IMPORTS.matcher(path).matches()) {
            return RESULTS;
        }
        return EVALUATIONS.matcher(path).matches() ? EVALUATION : SMALL;
    }
}
