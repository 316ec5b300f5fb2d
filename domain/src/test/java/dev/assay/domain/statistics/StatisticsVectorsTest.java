package dev.assay.domain.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.statistics.reference.ComparisonFunctions;
import dev.assay.domain.statistics.reference.ForecastFunctions;
import dev.assay.domain.statistics.reference.GateFunctions;
import dev.assay.domain.statistics.reference.JudgeFunctions;
import dev.assay.domain.statistics.reference.LabelFunctions;
import dev.assay.domain.statistics.reference.RateFunctions;
import dev.assay.domain.statistics.reference.Reference;
import dev.assay.domain.statistics.reference.ScoringFunctions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every function against the numbers of its reference implementation: each file of a directory, each vector
 * {id, function, input, expected, tolerance} a test of its own. {@code -Dassay.vectors=DIR} names another directory.
 */
final class StatisticsVectorsTest {

    private static final Map<String, Reference> FUNCTIONS = functions();

    private static Map<String, Reference> functions() {
        Map<String, Reference> functions = new HashMap<>();
        Stream.of(
                        RateFunctions.ALL,
                        ComparisonFunctions.ALL,
                        ForecastFunctions.ALL,
                        GateFunctions.ALL,
                        JudgeFunctions.ALL,
                        LabelFunctions.ALL,
                        ScoringFunctions.ALL)
                .forEach(functions::putAll);
        return functions;
    }

    @TestFactory
    Stream<DynamicTest> shouldEqualTheReference() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory())) {
            files = all.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        assertThat(files).isNotEmpty();
        return files.stream().flatMap(StatisticsVectorsTest::vectors);
    }

    private static Path directory() {
        String named = System.getProperty("assay.vectors");
        try {
            return named == null
                    ? Path.of(StatisticsVectorsTest.class
                            .getResource("/statistics")
                            .toURI())
                    : Path.of(named);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<DynamicTest> vectors(Path file) {
        try {
            JsonNode vectors = Json.mapper().readTree(file.toFile());
            assertThat(vectors).as("vectors of %s", file).isNotEmpty();
            return StreamSupport.stream(vectors.spliterator(), false)
                    .map(vector -> DynamicTest.dynamicTest(
                            file.getFileName() + " " + vector.get("function").asText() + " "
                                    + vector.get("id").asText(),
                            () -> check(vector)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void check(JsonNode vector) {
        String name = vector.get("function").asText();
        assertThat(FUNCTIONS).containsKey(name);
        JsonNode actual = Json.mapper().valueToTree(FUNCTIONS.get(name).of(vector.get("input")));
        compare("", vector.get("expected"), actual, vector.get("tolerance").asDouble());
    }

    /** What is expected may name fewer fields than there are; numbers differ by the tolerance, of their size when above 1. */
    private static void compare(String path, JsonNode expected, JsonNode actual, double tolerance) {
        assertThat(actual).as("%s is missing", path).isNotNull();
        if (expected.isNumber()) {
            assertThat(actual.isNumber()).as("%s is %s", path, actual).isTrue();
            assertThat(actual.asDouble())
                    .as(path)
                    .isCloseTo(expected.asDouble(), within(tolerance * Math.max(1, Math.abs(expected.asDouble()))));
        } else if (expected.isArray()) {
            assertThat(actual).as(path).hasSameSizeAs(expected);
            for (int i = 0; i < expected.size(); i++) {
                compare(path + "[" + i + "]", expected.get(i), actual.get(i), tolerance);
            }
        } else if (expected.isObject()) {
            expected.properties()
                    .forEach(field -> compare(
                            path + "." + field.getKey(), field.getValue(), actual.get(field.getKey()), tolerance));
        } else {
            assertThat(actual).as(path).isEqualTo(expected);
        }
    }
}
