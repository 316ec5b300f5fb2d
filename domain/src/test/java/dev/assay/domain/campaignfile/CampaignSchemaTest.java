package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.assay.domain.document.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CampaignSchemaTest {

    @Test
    void shouldBeASchemaWhenReadByTheDraftItNames() {
        assertThat(PublishedSchema.CAMPAIGN.ownViolations()).isEmpty();
    }

    @Test
    void shouldNameTheReadersFieldsWhenComparedAtEveryLevel() {
        Map<String, Set<String>> read = CampaignReader.fields().stream()
                .collect(Collectors.toMap(Fields::kind, fields -> new HashSet<>(fields.names())));
        Map<String, Set<String>> described = new TreeMap<>();
        JsonNode schema = PublishedSchema.CAMPAIGN.tree();
        described.put("campaign", properties(schema));
        schema.get("$defs").properties().forEach(definition -> {
            if (definition.getValue().has("properties")) {
                described.put(definition.getKey(), properties(definition.getValue()));
            }
        });

        assertThat(described).isEqualTo(read);
    }

    private static Set<String> properties(JsonNode definition) {
        return definition.get("properties").properties().stream()
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    @Test
    void shouldDescribeEveryFieldWhenAnEditorShowsIt() {
        levels().flatMap(level -> level.get("properties").properties().stream())
                .forEach(property -> assertThat(
                                property.getValue().path("description").asText())
                        .as(property.getKey())
                        .isNotBlank());
    }

    @Test
    void shouldRefuseOtherFieldsWhenALevelHasProperties() {
        assertThat(levels())
                .allMatch(level -> level.path("additionalProperties").equals(BooleanNode.FALSE));
    }

    private static Stream<JsonNode> levels() {
        JsonNode schema = PublishedSchema.CAMPAIGN.tree();
        Stream<JsonNode> definitions = schema.get("$defs").properties().stream().map(Map.Entry::getValue);
        return Stream.concat(Stream.of(schema), definitions.filter(definition -> definition.has("properties")));
    }

    static Stream<Arguments> samples() {
        return Stream.of(
                Arguments.of("minimal", CampaignFile.minimal()),
                Arguments.of("full", CampaignFile.full()),
                Arguments.of(
                        "thinking as YAML 1.1 reads it", CampaignFile.minimal().with("/branches/0/thinking", "false")),
                Arguments.of(
                        "scripted",
                        CampaignFile.minimal()
                                .with(
                                        "/branches/0",
                                        "{id: s, kind: scripted, script: {answers: [\"\"], failures: [{status: 429,"
                                                + " retryAfterSeconds: 1.5}], usage: {input: 1.0}}}")),
                Arguments.of(
                        "replay",
                        CampaignFile.minimal()
                                .with(
                                        "/branches/0",
                                        "{id: r, kind: replay, provider: p, model: m, cassette: ["
                                                + RecordedAnswers.ENTRY + "]}")),
                Arguments.of(
                        "suite",
                        CampaignFile.minimal().without("/cases").with("/suite", "{cases: [{id: a, prompt: b}]}")),
                Arguments.of(
                        "shared tools",
                        CampaignFile.minimal()
                                .with("/tools", "[{type: calculator}]")
                                .with("/branches/0/tools", "[]")),
                Arguments.of(
                        "prompts that are messages",
                        CampaignFile.minimal()
                                .without("/cases/0/prompt")
                                .with(
                                        "/cases/0/prompts",
                                        "[Look, {role: user, content: [{type: image, mediaType: image/png, data:"
                                                + " AAAA}]}]")),
                Arguments.of(
                        "nulls",
                        CampaignFile.full()
                                .with("/description", "null")
                                .with("/cases/1/prompt", "null")
                                .with("/branches/0/systemPrompt", "null")
                                .with("/branches/1/limits/maxCostUsd", "null")
                                .with("/strategy/judge/maxContextTokens", "null")
                                .with("/gate/suiteThreshold", "null")
                                .with("/limits/budgetUsd", "null")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    void shouldAcceptWhatTheReaderAcceptsWhenAFileIsValid(String name, CampaignFile file) {
        assertThat(file.errors()).isEmpty();
        assertThat(PublishedSchema.CAMPAIGN.violations(file.document())).isEmpty();
    }

    @Test
    void shouldAcceptPathsWhenAFileNamesOtherFiles() {
        CampaignFile file = CampaignFile.minimal()
                .without("/cases")
                .with("/suite", "cases.yaml")
                .with("/branches/0", "{id: r, kind: replay, provider: p, model: m, cassette: answers.jsonl}");

        assertThat(PublishedSchema.CAMPAIGN.violations(file.document())).isEmpty();
    }

    static Stream<Arguments> structuralErrors() {
        // Which branches there are, NaN and infinity are beyond a JSON Schema.
        List<String> beyond = List.of("smal", ".nan", ".inf");
        return CampaignErrorsTest.wrongValues()
                .filter(wrong -> beyond.stream()
                        .noneMatch(word -> String.valueOf(wrong.get()[1]).contains(word)));
    }

    @ParameterizedTest
    @MethodSource("structuralErrors")
    void shouldRefuseWhatTheReaderRefusesWhenAValueIsWrong(String pointer, String yaml, String error) {
        assertThat(PublishedSchema.CAMPAIGN.violations(
                        CampaignFile.minimal().with(pointer, yaml).document()))
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "..", ".", "a..b", "a\\\\b", "a\\u0007", " "})
    void shouldRefuseAnIdWhenTheReaderDoes(String id) {
        CampaignFile file = CampaignFile.minimal().with("/cases/0/id", "\"" + id + "\"");

        assertThat(file.errors()).hasSize(1);
        assertThat(PublishedSchema.CAMPAIGN.violations(file.document())).isNotEmpty();
    }
}
