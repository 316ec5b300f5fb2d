package dev.assay.domain.evaluator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.replay.RequestKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hashes that other programs compute, too. */
final class CanonicalVectorsTest {

    static Stream<JsonNode> vectors() throws IOException {
        try (InputStream file =
                requireNonNull(CanonicalVectorsTest.class.getResourceAsStream("/records/canonical.json"))) {
            JsonNode all = Json.tree(new String(file.readAllBytes(), StandardCharsets.UTF_8));
            return StreamSupport.stream(all.spliterator(), false)
                    .filter(vector -> vector.get("function").textValue().equals("canonical"))
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldWriteTheOneCanonicalForm(JsonNode vector) {
        String canonical =
                RequestKey.canonical(Json.tree(vector.at("/input/json").textValue()));

        assertThat(canonical).isEqualTo(vector.at("/expected/canonical").textValue());
        assertThat(RequestKey.sha256(canonical))
                .isEqualTo(vector.at("/expected/sha256").textValue());
    }
}
