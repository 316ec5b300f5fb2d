package dev.assay.domain.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.json.Json;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlTemplateTest {

    private static final UrlTemplate WEATHER = new UrlTemplate("https://api.example.com/v1/{city}/now?units={units}");

    @Test
    void shouldFillPlacesPercentEncodedWhenArgumentsAreGiven() {
        assertThat(WEATHER.fill(Json.tree("{\"city\":\"São Paulo/..x?y#z%2e\",\"units\":1.5}")))
                .hasToString("https://api.example.com/v1/S%C3%A3o%20Paulo%2F..x%3Fy%23z%252e/now?units=1.5");
        assertThat(WEATHER.places()).containsExactly("city", "units");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"city\":\"..\",\"units\":1}",
                "{\"city\":\".\",\"units\":1}",
                "{\"city\":\"a/../b\",\"units\":1}"
            })
    void shouldRefuseWhenAnArgumentWouldLeaveItsSegment(String arguments) {
        assertThatThrownBy(() -> WEATHER.fill(Json.tree(arguments)))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("path segment");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"city\":null,\"units\":1}", "{\"city\":[],\"units\":1}"})
    void shouldRefuseWhenAnArgumentIsMissing(String arguments) {
        assertThatThrownBy(() -> WEATHER.fill(Json.tree(arguments))).hasMessageContaining("argument city");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://a/b",
                "a/b",
                "https://{host}/a",
                "https://user@host/a",
                "https://host/a/../b",
                "https://host/a/%2E%2e/b",
                "https://host/a#b",
                "https://host/{a b}",
                "https://host/a b",
                "https://host:port/a",
            })
    void shouldRefuseWhenATemplateCouldLeadElsewhere(String template) {
        assertThat(UrlTemplate.problem(template)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "https://api.example.com/v1/paris, true",
        "https://API.example.com:443/v1, true",
        "https://api.example.com/v1?x=1, true",
        "https://api.example.com/v10, false",
        "https://api.example.com/, false",
        "http://api.example.com/v1, false",
        "https://api.example.com:8443/v1, false",
        "https://api.example.com.evil.org/v1, false",
    })
    void shouldCoverSameSchemeHostPortAndSegmentsWhenAnAddressIsAllowed(URI target, boolean covered) {
        ToolPolicy policy =
                new ToolPolicy(List.of(new ToolPolicy.Address("https://api.example.com/v1", Map.of())), List.of());

        assertThat(policy.covering(target).isPresent()).isEqualTo(covered);
    }

    @Test
    void shouldRefuseWhenFilledPlacesMakeTooLongAText() {
        String places = "{city}".repeat(25_000);

        assertThatThrownBy(() -> UrlTemplate.filled(places, place -> "x".repeat(100_000)))
                .isInstanceOf(ToolException.class)
                .hasMessage("With these arguments the request has more than 1048576 characters; send less.");
        assertThatThrownBy(
                        () -> WEATHER.fill(Json.tree("{\"city\":\"" + "é".repeat(1_100_000) + "\",\"units\":\"x\"}")))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("The argument city has more than 1048576 characters");
        assertThat(UrlTemplate.filled("{a}-{b}", place -> "<" + place + ">")).isEqualTo("<a>-<b>");
    }
}
