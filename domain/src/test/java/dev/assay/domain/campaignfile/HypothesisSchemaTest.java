package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.Fields;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.hypothesis.ParallelConfigReader;
import dev.assay.domain.hypothesis.RubricReader;
import dev.assay.domain.provider.WorkerCapabilities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HypothesisSchemaTest {

    private static final String CHALLENGER = "challenger: {kind: scripted, script: {answers: [yes]}}\n";
    private static final String ONE = CHALLENGER + "hypotheses: [{id: h1, statement: So it is.}]\n";

    private static void read(JsonNode document) {
        HypothesisReader.read(document, new WorkerCapabilities(Map.of(), null, Set.of()));
    }

    @Test
    void shouldBeASchemaWhenReadByTheDraftItNames() {
        assertThat(PublishedSchema.HYPOTHESES.ownViolations()).isEmpty();
    }

    @Test
    void shouldDescribeTheReadersFields() {
        JsonNode schema = PublishedSchema.HYPOTHESES.tree();
        Map<String, Fields> readers = Map.of(
                "", HypothesisReader.FIELDS,
                "/$defs/rubric", RubricReader.FIELDS,
                "/$defs/parallelConfig", ParallelConfigReader.FIELDS);

        readers.forEach((path, fields) -> {
            JsonNode properties = schema.at(path + "/properties");
            assertThat(properties.fieldNames())
                    .toIterable()
                    .as(path)
                    .containsExactlyInAnyOrderElementsOf(fields.names());
            assertThat(properties)
                    .allSatisfy(
                            field -> assertThat(field.hasNonNull("description")).isTrue());
        });
    }

    @Test
    void shouldAcceptTheExamples() throws IOException {
        try (Stream<Path> examples = Files.list(Path.of("..", "examples", "hypotheses"))) {
            List<Path> files =
                    examples.filter(file -> file.toString().endsWith(".yaml")).toList();
            assertThat(files).hasSizeGreaterThanOrEqualTo(2);
            for (Path file : files) {
                assertThat(PublishedSchema.HYPOTHESES.violations(DocumentText.parse(Files.readString(file))))
                        .as(file.toString())
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ONE,
                CHALLENGER
                        + "hypotheses: [{id: h1, statement: x, rationale: null, sources: [a, {b: c}], metadata: {d:"
                        + " 1}}]",
                ONE + "shuffleSeed: null\nlimits: {budgetUsd: null, timeoutSeconds: 0.5, maxAttempts: 2}",
                ONE + "shuffleSeed: -7\nparallelConfig: {mode: single, batchSize: null, maxConcurrent: 4}",
                ONE + "rubric: {scale: {min: 1, max: 10}, minDimension: 3, borderline: 5, pass: 7.5, tieBreak: [b],\n"
                        + "  dimensions: [{name: a, weight: 0.4, description: x, anchors: {1: bad}}, {name: b, weight:"
                        + " 0.6}]}",
            })
    void shouldAcceptWhatTheReaderAccepts(String text) {
        JsonNode document = DocumentText.parse(text);

        read(document);
        assertThat(PublishedSchema.HYPOTHESES.violations(document)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                CHALLENGER,
                "hypotheses: [{id: h1, statement: x}]",
                CHALLENGER + "hypotheses: []",
                CHALLENGER + "hypotheses: [{id: h1, statement: ' '}]",
                CHALLENGER + "hypotheses: [{id: a/b, statement: x}]",
                CHALLENGER + "hypotheses: [{statement: x}]",
                CHALLENGER + "hypotheses: [{id: h1, statement: x, sources: [5]}]",
                CHALLENGER + "hypotheses: [{id: h1, statement: x, metadata: []}]",
                ONE + "parallelConfig: {mode: all}",
                ONE + "parallelConfig: {batchSize: 0}",
                ONE + "limits: {maxConcurrent: 2}",
                ONE + "limits: {maxAttempts: 0}",
                ONE + "shuffleSeed: 1.5",
                ONE + "rubric: {dimensions: []}",
                ONE + "rubric: {dimensions: [{name: a, weight: 2}]}",
                ONE + "rubric: {dimensions: [{weight: 1}]}",
                ONE + "rubric: {passes: 3}",
                ONE + "trials: 2",
            })
    void shouldRefuseWhatTheReaderRefuses(String text) {
        JsonNode document = DocumentText.parse(text);

        assertThatThrownBy(() -> read(document)).isInstanceOf(AssayException.class);
        assertThat(PublishedSchema.HYPOTHESES.violations(document)).isNotEmpty();
    }
}
