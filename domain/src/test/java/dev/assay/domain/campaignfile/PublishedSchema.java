package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.path.PathType;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** A published JSON Schema under test. */
enum PublishedSchema {
    CAMPAIGN("campaign.json"),
    EVALUATION("evaluation.json"),
    HYPOTHESES("hypothesis-evaluation.json"),
    SCORING("scoring.json");

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDialect(
            Dialects.getDraft202012(),
            registry -> registry.schemaRegistryConfig(
                    SchemaRegistryConfig.builder().pathType(PathType.JSON_PATH).build()));

    private final String file;

    PublishedSchema(String file) {
        this.file = file;
    }

    String text() {
        try (InputStream stream =
                Objects.requireNonNull(PublishedSchema.class.getResourceAsStream("/schemas/" + file))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode tree() {
        return Json.tree(text());
    }

    List<String> violations(JsonNode document) {
        return violations("classpath:schemas/" + file, document);
    }

    /** What the schema of schemas says of the schema. */
    List<String> ownViolations() {
        return violations("https://json-schema.org/draft/2020-12/schema", tree());
    }

    private static List<String> violations(String schema, JsonNode document) {
        return REGISTRY.getSchema(SchemaLocation.of(schema)).validate(document).stream()
                .map(Error::toString)
                .toList();
    }
}
