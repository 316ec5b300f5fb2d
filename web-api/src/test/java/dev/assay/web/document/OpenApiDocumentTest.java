package dev.assay.web.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OpenApiDocumentTest {

    private static final Map<String, ObjectNode> FILES = Map.of(
            "campaign.json",
            tree("""
                {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
                 "properties": {"name": {"type": "string"}, "cases": {"items": {"$ref": "#/$defs/case"}},
                                "trials": {"description": "Repetitions.", "type": ["integer", "null"], "default": 1},
                                "stop": {"description": "Null or left out: never.", "type": ["string", "null"], "default": null,
                                         "enum": ["never", null]},
                                "schema": {"type": ["object", "boolean", "null"]},
                                "rule": {"oneOf": [{"$ref": "#/$defs/case"}, {"type": "null"}]}},
                 "$defs": {"case": {"type": "object", "properties": {"next": {"$ref": "#/$defs/case"}}}}}\
                """),
            "evaluation.json",
            tree("""
                {"properties": {"name": {"description": "Mine", "$ref": "campaign.json#/properties/name"},
                                "cases": {"$ref": "campaign.json#/properties/cases"}}}\
                """),
            "hypothesis-evaluation.json",
            tree("{\"properties\": {\"case\": {\"$ref\": \"campaign.json#/$defs/case\"}}}"),
            "scoring.json",
            tree("{\"properties\": {\"name\": {\"$ref\": \"campaign.json#/properties/name\"}}}"));

    private static ObjectNode tree(String json) {
        return (ObjectNode) Json.tree(json);
    }

    private static JsonNode schema(String document) {
        return OpenApiDocument.of(tree("{\"components\": {\"schemas\": {\"S\": " + document + "}}}"), FILES)
                .at("/components/schemas/S");
    }

    @Test
    void shouldIdentifyTheLicenseByItsNameWhenThereIsOne() {
        assertThat(OpenApiDocument.of(tree("{\"info\": {\"license\": {\"name\": \"Apache-2.0\"}}}"), FILES)
                        .at("/info/license"))
                .isEqualTo(tree("{\"name\": \"Apache-2.0\", \"identifier\": \"Apache-2.0\"}"));
        assertThat(OpenApiDocument.of(tree("{\"info\": {}}"), FILES).get("info"))
                .isEqualTo(tree("{}"));
    }

    @Test
    void shouldSayNullInWordsOfJsonSchema() {
        assertThat(schema("{\"type\": \"string\", \"nullable\": true}"))
                .isEqualTo(tree("{\"type\": [\"string\", \"null\"]}"));
        assertThat(schema("{\"type\": \"string\", \"nullable\": true, \"enum\": [\"A\"]}"))
                .isEqualTo(tree("{\"type\": [\"string\", \"null\"], \"enum\": [\"A\", null]}"));
        assertThat(schema("{\"nullable\": true, \"allOf\": [{\"$ref\": \"#/components/schemas/T\"}]}"))
                .isEqualTo(tree("{\"anyOf\": [{\"$ref\": \"#/components/schemas/T\"}, {\"type\": \"null\"}]}"));
    }

    @Test
    void shouldSayWhatClientsSendWhenAFieldOfAFileMayBeNullOrHasADefault() {
        JsonNode fields = OpenApiDocument.of(tree("{}"), FILES).at("/components/schemas/CampaignFile/properties");

        assertThat(fields.get("trials"))
                .isEqualTo(tree("{\"description\": \"Repetitions. Left out: 1.\", \"type\": \"integer\"}"));
        assertThat(fields.get("stop"))
                .isEqualTo(tree("{\"description\": \"Null or left out: never.\", \"type\": \"string\", \"enum\":"
                        + " [\"never\"]}"));
        assertThat(fields.get("schema")).isEqualTo(tree("{\"type\": \"object\", \"additionalProperties\": true}"));
        assertThat(fields.get("rule"))
                .isEqualTo(tree("{\"anyOf\": [{\"$ref\": \"#/components/schemas/CaseInCampaignFile\"}]}"));
    }

    @Test
    void shouldNameFirstWhatClientsTakeWhenThereAreSeveralTypesAndAnswers() {
        ObjectNode document = OpenApiDocument.of(tree("""
            {"paths": {"/a": {"post": {"requestBody": {"content": {"text/yaml": {}, "application/json": {}}},
                                       "responses": {"4XX": {}, "5XX": {}, "202": {}}}}}}\
            """), FILES);
        JsonNode operation = document.at("/paths/~1a/post");

        assertThat(operation.at("/requestBody/content").fieldNames())
                .toIterable()
                .containsExactly("application/json", "text/yaml");
        assertThat(operation.get("responses").fieldNames()).toIterable().containsExactly("202", "4XX", "5XX");
    }

    @Test
    void shouldHoldTheSchemasThatItRefersTo() {
        ObjectNode document = OpenApiDocument.of(
                tree("{\"components\": {\"schemas\": {\"S\": {\"$ref\": \"/schemas/campaign.json\"}}}}"), FILES);
        JsonNode schemas = document.at("/components/schemas");

        assertThat(document.get("openapi").asText()).isEqualTo("3.1.0");
        assertThat(schemas.at("/S/$ref").asText()).isEqualTo("#/components/schemas/CampaignFile");
        assertThat(schemas.at("/CampaignFile/properties/cases/items/$ref").asText())
                .isEqualTo("#/components/schemas/CaseInCampaignFile");
        assertThat(schemas.get("CaseInCampaignFile").at("/properties/next/$ref").asText())
                .isEqualTo("#/components/schemas/CaseInCampaignFile");
        assertThat(schemas.at("/EvaluationFile/properties/name"))
                .as("the inside of a schema is copied, and its own words stand")
                .isEqualTo(tree("{\"description\": \"Mine\", \"type\": \"string\"}"));
        assertThat(schemas.at("/EvaluationFile/properties/cases/items/$ref").asText())
                .isEqualTo("#/components/schemas/CaseInCampaignFile");
        assertThat(schemas.at("/HypothesisFile/properties/case/$ref").asText())
                .isEqualTo("#/components/schemas/CaseInCampaignFile");
        assertThat(document.toString()).doesNotContain("$defs", "$schema");
    }
}
