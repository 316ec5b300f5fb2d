package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
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

class EvaluationSchemaTest {

    private static final String BRANCHES = "branches: [{kind: scripted, script: {answers: [yes]}}]\n";

    private static void read(JsonNode document) {
        EvaluationReader.read(document, new WorkerCapabilities(Map.of(), null, Set.of()));
    }

    @Test
    void shouldBeASchemaWhenReadByTheDraftItNames() {
        assertThat(PublishedSchema.EVALUATION.ownViolations()).isEmpty();
    }

    @Test
    void shouldDescribeTheReadersFields() {
        JsonNode properties = PublishedSchema.EVALUATION.tree().get("properties");

        assertThat(properties.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrderElementsOf(EvaluationReader.FIELDS.names());
        assertThat(properties.findParents("description")).hasSizeGreaterThanOrEqualTo(properties.size());
    }

    @Test
    void shouldAcceptTheExamples() throws IOException {
        try (Stream<Path> examples = Files.list(Path.of("..", "examples", "evaluations"))) {
            List<Path> files = examples.toList();
            assertThat(files).hasSizeGreaterThanOrEqualTo(3);
            for (Path file : files) {
                assertThat(PublishedSchema.EVALUATION.violations(DocumentText.parse(Files.readString(file))))
                        .as(file.toString())
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prompts: [Why?]",
                "name: null\nprompts: [Why?]\ncontext: []\nsystemPrompt: null\nchecks: []\nonCancel: discard",
                "prompts: [Why?, {role: user, content: [{type: image, mediaType: image/png, data: AAAA}]}]",
                "tools: [{type: calculator}]\n"
                        + "context: {messages: [{role: user, content: Why?}], systemPrompt: null, tools: []}",
                "prompts: [Why?]\ncontext: {systemPrompt: Be brief.}",
                "prompts: [Why?]\n"
                        + "strategy: {type: llm-judge, judge: {id: j, kind: scripted, script: {answers: ['1']}}}",
                "context: [{role: user, content: Why?}]\nlimits: {maxConcurrent: 3}\nstrategy: {type: pick-first}",
            })
    void shouldAcceptWhatTheReaderAccepts(String fields) {
        JsonNode document = DocumentText.parse(BRANCHES + fields);

        read(document);
        assertThat(PublishedSchema.EVALUATION.violations(document)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prompts: [Why?]\nname: ''",
                "prompts: []",
                "prompts: Why?",
                "prompts: [' ']",
                "prompts: [Why?]\ncontext: [{role: king, content: x}]",
                "prompts: [Why?]\nsystemPrompt: ' '",
                "prompts: [Why?]\nchecks: [{type: guess}]",
                "prompts: [Why?]\nstrategy: {type: guess}",
                "prompts: [Why?]\nlimits: {maxConcurrent: 0}",
                "prompts: [Why?]\nonCancel: keep",
                "prompts: [Why?]\ntrials: 2",
                "prompts: [5]",
                "prompts: [{role: king, content: x}]",
                "prompts: [Why?]\ntools: [{type: guess}]",
                "context: {messages: []}",
                "prompts: [Why?]\ncontext: {message: []}",
                "prompts: [Why?]\ncontext: [{role: user, content: [{type: thinking, text: x}]}]",
                "prompts: [Why?]\n"
                        + "context: [{role: assistant, content: [{type: image, mediaType: image/png, data: AAAA}]}]",
                "prompts: [Why?]\n"
                        + "strategy: {type: llm-judge, judge: {id: a/b, kind: scripted, script: {answers: ['1']}}}",
            })
    void shouldRefuseWhatTheReaderRefuses(String fields) {
        JsonNode document = DocumentText.parse(BRANCHES + fields);

        assertThatThrownBy(() -> read(document)).isInstanceOf(AssayException.class);
        assertThat(PublishedSchema.EVALUATION.violations(document)).isNotEmpty();
    }

    @Test
    void shouldRefuseWhenThereAreNoBranches() {
        assertThat(PublishedSchema.EVALUATION.violations(DocumentText.parse("prompts: [Why?]")))
                .isNotEmpty();
        assertThat(PublishedSchema.EVALUATION.violations(DocumentText.parse("prompts: [Why?]\nbranches: []")))
                .isNotEmpty();
    }
}
