package dev.assay.web.problem;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Refuses addresses that PostgreSQL could not even be asked about. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class AddressFilter {

    @RequestFilter
    void refuseNul(HttpRequest<?> request) {
        if (request.getUri().toString().contains("%00")) {
            throw new AssayException(
                    ErrorCode.MALFORMED_INPUT, "The address holds the character U+0000 (%00); remove it");
        }
    }
}
