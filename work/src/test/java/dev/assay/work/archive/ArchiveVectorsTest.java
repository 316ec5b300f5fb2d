package dev.assay.work.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The decisions of the specification, archive by archive. */
class ArchiveVectorsTest {

    @TempDir
    Path temporary;

    static Stream<Named<JsonNode>> vectors() throws IOException {
        try (InputStream source = ArchiveVectorsTest.class.getResourceAsStream("/vectors/archives.json")) {
            JsonNode vectors = new ObjectMapper().readTree(source);
            return StreamSupport.stream(vectors.spliterator(), false)
                    .map(vector -> Named.of(vector.path("id").asText(), vector));
        }
    }

    private static byte[] archive(JsonNode vector) throws IOException {
        byte[] packed = Base64.getDecoder().decode(vector.path("archive").asText());
        try (InputStream unpacked = new InflaterInputStream(new java.io.ByteArrayInputStream(packed))) {
            return unpacked.readAllBytes();
        }
    }

    private static Map<String, String> tree(JsonNode vector) {
        Map<String, String> tree = new TreeMap<>();
        vector.path("tree")
                .properties()
                .forEach(one -> tree.put(one.getKey(), one.getValue().asText()));
        return tree;
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldDecideAsSpecifiedWhenAnArchiveIsRead(JsonNode vector) throws Exception {
        byte[] archive = archive(vector);
        if (vector.path("rule").isNull()) {
            assertThat(RecordedTree.of(archive).tree).isEqualTo(tree(vector));
            return;
        }
        RefusedArchiveException refused =
                catchThrowableOfType(RefusedArchiveException.class, () -> RecordedTree.of(archive));
        assertThat(refused.rule().number())
                .as(refused.getMessage())
                .isEqualTo(vector.path("rule").asInt());
    }
}
