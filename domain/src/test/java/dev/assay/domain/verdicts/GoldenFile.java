package dev.assay.domain.verdicts;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.StreamSupport;

/** The file of verdicts, by the code of what gives them. */
public final class GoldenFile {

    /** Where it stands. */
    public static final String PATH = "domain/src/test/resources/verdicts/golden.yaml";

    private static final JsonNode ALL = read();

    private GoldenFile() {}

    private static JsonNode read() {
        try (InputStream file = requireNonNull(GoldenFile.class.getResourceAsStream("/verdicts/golden.yaml"))) {
            return DocumentText.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The codes, such as {@code icontains/1}. */
    public static List<String> codes() {
        return ALL.propertyStream().map(java.util.Map.Entry::getKey).toList();
    }

    /** The rows of one; empty: there are none. */
    public static List<JsonNode> rows(String code) {
        return StreamSupport.stream(ALL.path(code).spliterator(), false).toList();
    }
}
