package dev.assay.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditedObjectTest {

    @ParameterizedTest
    @CsvSource({
        "/api/v1/campaigns, ",
        "/api/v1/campaigns/, ",
        "/api/v1/campaigns/plan, ",
        "/api/v1/campaigns/plan/, ",
        "/api/v1/campaigns/c-1, c-1",
        "/api/v1/campaigns/c-1/, c-1",
        "/api/v1/campaigns/c-1/outcomes/x, c-1",
        "/api/v1/evaluations/e/continue, e",
        "/api/v1/hypothesis-evaluations/h, h",
        "/api/v1/workspaces/0a, 0a",
        "/api/v1/providers, ",
        "/api/v1/providers/openai/limits, openai",
        "/api/v1/campaigns/a%20b+c, a b+c",
        "/api/v1/campaigns/a%2, a%2",
        "/api/v1/compare, ",
        "/api/v2/campaigns/c, ",
        "/health, "
    })
    void shouldNameTheObjectOfAPath(String path, String id) {
        assertThat(AuditedObject.at(path)).isEqualTo(id);
    }
}
