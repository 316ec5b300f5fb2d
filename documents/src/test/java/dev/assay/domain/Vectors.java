package dev.assay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;

/** Runs the reference vectors of a file, each as a test of its own. */
public final class Vectors {

    /** Asserts that a function gives what is expected, for one vector's input and expectation. */
    public interface Assertion extends BiConsumer<JsonNode, JsonNode> {}

    private Vectors() {}

    /**
     * One test per vector of {@code file} whose function is a key of {@code assertions}.
     *
     * @param functions every function of the file, so that a vector cannot go untested
     */
    public static Stream<DynamicTest> tests(String file, Map<String, Assertion> assertions, String... functions) {
        List<JsonNode> vectors = read(file);
        assertThat(vectors)
                .extracting(vector -> vector.path("function").asText())
                .containsOnly(functions);
        assertThat(assertions.keySet()).isSubsetOf(functions);
        List<DynamicTest> tests = vectors.stream()
                .filter(vector -> assertions.containsKey(vector.path("function").asText()))
                .map(vector -> test(vector, assertions))
                .toList();
        assertThat(tests).isNotEmpty();
        return tests.stream();
    }

    private static DynamicTest test(JsonNode vector, Map<String, Assertion> assertions) {
        String function = vector.path("function").asText();
        Assertion assertion = assertions.get(function);
        return DynamicTest.dynamicTest(
                function + " " + vector.path("id").asText(),
                () -> assertion.accept(vector.get("input"), vector.get("expected")));
    }

    public static List<JsonNode> read(String file) {
        try (InputStream vectors = Vectors.class.getResourceAsStream("/vectors/" + file)) {
            return StreamSupport.stream(Json.mapper().readTree(vectors).spliterator(), false)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
