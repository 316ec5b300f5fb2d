package dev.assay.web.server;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Says in every answer which version of Assay gave it: clients of another version can warn. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class VersionHeader {

    private static final String HEADER = "Assay-Version";

    private final @Nullable String version;

    /** @param server null: unknown, as in tests */
    VersionHeader(@Nullable ServerView server) {
        this.version = server == null ? null : server.version();
    }

    @ResponseFilter
    void answer(@Nullable MutableHttpResponse<?> response) {
        if (response != null && version != null) {
            response.getHeaders().set(HEADER, version);
        }
    }
}
