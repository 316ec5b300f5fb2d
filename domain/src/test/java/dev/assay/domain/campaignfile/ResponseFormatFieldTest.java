package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.ResponseFormat;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code responseFormat} among the parameters of a model. */
class ResponseFormatFieldTest {

    private static final String PATH = "branches[0].parameters.responseFormat";

    private static CampaignFile file(String provider, String format) {
        return CampaignFile.minimal()
                .with(
                        "/branches/0",
                        "{id: b, provider: %s, model: m, parameters: {responseFormat: %s}}"
                                .formatted(provider, format));
    }

    private static ModelChoice read(String format) {
        var submission = CampaignReader.read(file("ollama", format).document(), CampaignFile.PROVIDERS);
        assertThat(CampaignReader.readStored(submission.document())).isEqualTo(submission.definition());
        return ((Agent.Model) submission.definition().branches().getFirst().agent()).choice();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        json                                              | "json"
        {schema: {type: object}}                          | {"name": "answer", "schema": {"type": "object"}, "strict": true}
        {name: a-B_1, schema: {}, strict: false}          | {"name": "a-B_1", "schema": {}, "strict": false}
        """)
    void shouldHaveOneFormForEachMeaning(String written, String parameter) {
        ModelChoice choice = read(written);

        assertThat(choice.parameters()).containsEntry("responseFormat", Json.tree(parameter));
        assertThat(choice.responseFormat()).isEqualTo(ResponseFormat.of(Json.tree(parameter)));
        assertThat(PublishedSchema.CAMPAIGN.violations(file("ollama", written).document()))
                .isEmpty();
    }

    @Test
    void shouldNameEveryPathAtOnceWhenSeveralAreWrong() {
        assertThat(file("ollama", "{name: '', schema: {type: strange}, strict: no way}")
                        .errors())
                .hasSize(3)
                .anyMatch(error -> error.startsWith(PATH + ".name: "))
                .anyMatch(error -> error.startsWith(PATH + ".schema: It is not a JSON Schema"))
                .anyMatch(error -> error.startsWith(PATH + ".strict: "));
    }

    @Test
    void shouldBoundTheSchemaAsThatOfACheck() {
        String large = "{enum: [" + "1, ".repeat(20_000) + "1]}";

        assertThat(file("ollama", "{schema: " + large + "}").errors())
                .singleElement()
                .asString()
                .startsWith(PATH + ".schema: ")
                .contains("write a smaller one");
    }

    private static List<String> errors(CampaignFile file, @Nullable ProviderType type) {
        ProviderInfo provider = new ProviderInfo("p", type, true, null, 1, 1, Map.of());
        try {
            CampaignReader.read(file.document(), Map.of("p", provider));
            return List.of();
        } catch (AssayException e) {
            return e.errors().stream()
                    .map(error -> error.path() + ": " + error.message())
                    .toList();
        }
    }

    @Test
    void shouldRefusePlainJsonWhereTheProviderHasNone() {
        assertThat(errors(file("p", "json"), ProviderType.ANTHROPIC))
                .singleElement()
                .asString()
                .contains(PATH + ": Provider p answers in JSON after a schema only");
        assertThat(errors(file("p", "{schema: {}}"), ProviderType.ANTHROPIC)).isEmpty();
        assertThat(errors(file("p", "json"), null)).as("not known").isEmpty();
        assertThat(Arrays.stream(ProviderType.values()).filter(type -> type != ProviderType.ANTHROPIC))
                .allSatisfy(type -> assertThat(errors(file("p", "json"), type)).isEmpty());
    }

    @Test
    void shouldRefusePlainJsonOfAJudgeWhereTheProviderHasNone() {
        CampaignFile file = file("p", "{schema: {}}")
                .with(
                        "/strategy",
                        "{type: llm-judge, judge: {provider: p, model: m, parameters: {responseFormat: json}}}");

        assertThat(errors(file, ProviderType.ANTHROPIC))
                .singleElement()
                .asString()
                .contains("strategy.judge.parameters.responseFormat: ");
    }

    @Test
    void shouldLeaveTheSchemaOutOfTheRecordOfAnAnswer() {
        ModelChoice choice = read("{name: n, schema: {type: object}}");
        JsonNode requested =
                Provenance.NONE.requestedOf(new Agent.Model(choice)).requested();

        assertThat(requested).isEqualTo(Json.tree("""
            {"provider": "ollama", "model": "m", "thinking": "off",
             "parameters": {"responseFormat": {"name": "n", "strict": true}}}\
            """));
        assertThat(choice.asRequested().at("/parameters/responseFormat/schema"))
                .isEqualTo(Json.tree("{\"type\":\"object\"}"));
    }
}
