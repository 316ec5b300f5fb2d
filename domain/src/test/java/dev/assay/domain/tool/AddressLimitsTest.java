package dev.assay.domain.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AddressLimitsTest {

    private static final ToolPolicy.Address UNLIMITED = new ToolPolicy.Address("https://h/v1", Map.of(), 5);

    private static ToolPolicy.Address read(String fields) {
        return ToolPolicyReader.readFile(document(fields)).policy().addresses().getFirst();
    }

    private static JsonNode document(String fields) {
        return DocumentText.parse("addresses: [{url: 'https://h/v1', maxConcurrent: 5" + fields + "}]");
    }

    @Test
    void shouldReadLimitsOfRequestsWhenAnAddressHasSome() {
        assertThat(read(", requestsPerMinute: 60, requestsPerDay: 10000000000"))
                .isEqualTo(new ToolPolicy.Address("https://h/v1", Map.of(), 5, 60L, 10_000_000_000L));
        assertThat(read(", requestsPerMinute: null")).isEqualTo(UNLIMITED);
    }

    @Test
    void shouldReportEveryErrorWithItsPath() {
        assertThat(pathsOfErrors(", requestsPerMinute: 0, requestsPerDay: many"))
                .containsExactly("addresses[0].requestsPerMinute", "addresses[0].requestsPerDay");
    }

    private static List<String> pathsOfErrors(String fields) {
        return catchThrowableOfType(AssayException.class, () -> ToolPolicyReader.readFile(document(fields)))
                .errors()
                .stream()
                .map(FieldError::path)
                .toList();
    }

    @Test
    void shouldSayWhetherRequestsToAHostAreLimited() {
        ToolPolicy policy = ToolPolicyReader.read(DocumentText.parse(
                "addresses: [{url: 'https://Api.test:8443/v1', requestsPerDay: 5}, {url: 'https://free.test/'}]"));

        assertThat(policy.limitsRequestsTo("api.test")).isTrue();
        assertThat(policy.limitsRequestsTo("free.test")).isFalse();
    }

    /** Workers report what they allow; those of an earlier build say nothing of limits. */
    @Test
    void shouldBeWrittenAsBeforeWhenThereAreNoLimits() {
        String before = "{\"url\":\"https://h/v1\",\"variables\":{},\"maxConcurrent\":5}";
        ToolPolicy.Address limited = new ToolPolicy.Address("https://h/v1", Map.of(), 5, 60L, null);

        assertThat(Json.write(UNLIMITED)).isEqualTo(before);
        assertThat(Json.read(before, ToolPolicy.Address.class)).isEqualTo(UNLIMITED);
        assertThat(Json.read(Json.write(limited), ToolPolicy.Address.class)).isEqualTo(limited);
    }
}
