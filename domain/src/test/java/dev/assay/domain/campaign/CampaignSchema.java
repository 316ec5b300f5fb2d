package dev.assay.domain.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The published JSON Schema under test. */
final class CampaignSchema {

    private static final SchemaValidatorsConfig CONFIG =
            SchemaValidatorsConfig.builder().pathType(PathType.JSON_PATH).build();
    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(VersionFlag.V202012);
    private static final JsonSchema SCHEMA = FACTORY.getSchema(tree(), CONFIG);

    private CampaignSchema() {}

    static String text() {
        try (InputStream file =
                Objects.requireNonNull(CampaignSchema.class.getResourceAsStream("/schemas/campaign.json"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode tree() {
        return Json.tree(text());
    }

    static List<String> violations(JsonNode document) {
        return SCHEMA.validate(document).stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }

    /** What the schema of schemas says of the schema. */
    static List<String> ownViolations() {
        return FACTORY
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"), CONFIG)
                .validate(tree())
                .stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }
}
