package dev.assay.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeTest {

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/campaigns, READ",
        "HEAD, /prometheus, READ",
        "GET, /nowhere, READ",
        "POST, /api/v1/judge/preview, READ",
        "POST, /api/v1/judge/preview/, READ",
        "POST, /api/v1/judge/previews, RUN",
        "GET, /api/v1/compare, READ",
        "POST, /api/v1/campaigns/plan, READ",
        "POST, /api/v1/campaigns/planned, RUN",
        "POST, /api/v1/campaigns, RUN",
        "PATCH, /api/v1/campaigns/a, RUN",
        "PATCH, /api/v1/providers/a/limits, ADMIN",
        "PATCH, /api/v1/%70roviders/a/limits, ADMIN",
        "DELETE, /api/v1/campaigns/a, ADMIN",
        "DELETE, /api/v1/campaigns/a/labels/b/c/1, RUN",
        "DELETE, /api/v1/campaigns/a/labels/b, ADMIN",
        "PUT, /api/v1/campaigns/a/labels/b/c/1, RUN",
        "PURGE, /, RUN",
        "GET, /api/v1/audit, ADMIN",
        "GET, /api/v1/audit/, ADMIN"
    })
    void shouldNeedTheLeastThatTheRequestCanDo(String method, String path, Scope needed) {
        assertThat(Scope.neededFor(method, path)).isEqualTo(needed);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/audit, false",
        "GET, /api/v1/campaigns, false",
        "POST, /api/v1/campaigns/plan, false",
        "POST, /api/v1/campaigns, true",
        "DELETE, /api/v1/campaigns/a, true"
    })
    void shouldTellWhatMayChangeSomething(String method, String path, boolean may) {
        assertThat(Scope.mayChange(method, path)).isEqualTo(may);
    }

    @ParameterizedTest
    @CsvSource({"READ, READ, true", "READ, RUN, false", "RUN, READ, true", "RUN, ADMIN, false", "ADMIN, RUN, true"})
    void shouldCoverWhatComesBefore(Scope had, Scope needed, boolean covers) {
        assertThat(had.covers(needed)).isEqualTo(covers);
    }
}
