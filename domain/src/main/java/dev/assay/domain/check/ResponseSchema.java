package dev.assay.domain.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import com.networknt.schema.resource.AllowSchemaLoader;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.text.Excerpt;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Schema (draft 2020-12) on what models write: responses and arguments of tools. References reach only into the schema itself; nothing is ever
 * fetched.
 */
public final class ResponseSchema {

    private static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";

    /** The library maps the published addresses of the drafts to files of its own. */
    private static final String OWN_DRAFTS = "classpath:draft/";

    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(
            VersionFlag.V202012,
            factory -> factory.schemaLoaders(loaders ->
                    loaders.add(new AllowSchemaLoader(iri -> iri.toString().startsWith(OWN_DRAFTS)))));

    private static final SchemaValidatorsConfig CONFIG = SchemaValidatorsConfig.builder()
            .locale(Locale.ROOT)
            .pathType(PathType.JSON_PATH)
            .regularExpressionFactory(regex -> GuardedPattern.compile(regex)::find)
            .build();

    private final JsonSchema schema;

    private ResponseSchema(JsonSchema schema) {
        this.schema = schema;
    }

    /**
     * What is wrong with {@code schema} as a schema, as one sentence; null: nothing.
     *
     * @param schema a tree that is not nested deeply
     */
    public static @Nullable String problem(JsonNode schema) {
        if (!schema.isObject() && !schema.isBoolean()) {
            return "A JSON Schema is an object, or true or false.";
        }
        if (!JsonNumbers.areReadable(schema)) {
            return "The JSON Schema holds a number that is not finite or has too many digits; write another.";
        }
        JsonNode draft = schema.path("$schema");
        if (!draft.isMissingNode() && !draft.asText().replaceFirst("#$", "").equals(DRAFT)) {
            return "Only JSON Schema draft 2020-12 is known; write \"$schema\": \"" + DRAFT + "\" or leave it out.";
        }
        JsonSchema meta = FACTORY.getSchema(SchemaLocation.of(DRAFT), CONFIG);
        String wrong = sentence(List.copyOf(meta.validate(schema)));
        if (wrong != null) {
            return "It is not a JSON Schema: " + wrong + ".";
        }
        try {
            compile(schema);
            return null;
        } catch (RuntimeException e) {
            // The library throws several unrelated exceptions for references and patterns that it cannot use.
            return "The JSON Schema cannot be used: " + Excerpt.of(String.valueOf(e.getMessage())) + ".";
        }
    }

    /**
     * Reads {@code schema}.
     *
     * @throws RuntimeException when {@link #problem} finds one
     */
    public static ResponseSchema compile(JsonNode schema) {
        JsonSchema compiled = FACTORY.getSchema(schema, CONFIG);
        compiled.initializeValidators();
        return new ResponseSchema(compiled);
    }

    /**
     * What makes {@code document} invalid, at most three errors; null: it is valid.
     *
     * @throws GuardedPattern.TooLongException when a pattern of the schema takes too long
     */
    public @Nullable String violation(JsonNode document) {
        return sentence(List.copyOf(schema.validate(document)));
    }

    private static @Nullable String sentence(List<ValidationMessage> messages) {
        return messages.isEmpty()
                ? null
                : messages.stream().limit(3).map(ValidationMessage::getMessage).collect(Collectors.joining("; "));
    }
}
