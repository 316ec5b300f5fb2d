package dev.assay.domain.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.schema.ResponseSchema;
import dev.assay.domain.schema.SchemaVerdict;
import dev.assay.domain.text.Excerpt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response is one JSON document (RFC 8259) and nothing else: white space around it is allowed, a Markdown code block or a
 * word before it is not.
 *
 * @param schema what the document must be valid against (JSON Schema 2020-12); null: any document
 */
public record JsonRule(@Nullable JsonNode schema) implements CheckRule {

    static final CheckKind KIND =
            new CheckKind("json", Set.of("schema"), JsonRule.class, fields -> new JsonRule(schema(fields)));

    private static final ObjectReader READER =
            Json.mapper().readerFor(JsonNode.class).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        String response = input.response();
        if (response.isBlank()) {
            return Finding.failed("Expected a JSON document, but the response is empty.");
        }
        JsonNode document;
        try {
            document = READER.readTree(response);
        } catch (StreamConstraintsException tooLarge) {
            return Finding.unscored("The JSON document is nested too deeply or has too long values to be checked.");
        } catch (JsonProcessingException e) {
            int column = e.getLocation().getColumnNr();
            String where = "line " + e.getLocation().getLineNr() + ", column " + column;
            return Finding.failed(
                    "Expected a JSON document, but found an error at " + where + " of: " + Excerpt.of(response));
        }
        if (!JsonNumbers.areReadable(document)) {
            return Finding.unscored("The JSON document holds a number with too many digits to be checked.");
        }
        return schema == null
                ? Finding.passed("The response is a JSON document.")
                : validate(schema, document, response);
    }

    private static Finding validate(JsonNode schema, JsonNode document, String response) {
        return switch (ResponseSchema.apply(schema, document)) {
            case SchemaVerdict.Valid() ->
                Finding.passed("The response is a JSON document that is valid against the schema.");
            case SchemaVerdict.Invalid(String violation) ->
                Finding.failed("Expected a JSON document that is valid against the schema, but " + Excerpt.of(violation)
                        + " in: " + Excerpt.of(response));
            case SchemaVerdict.Undecided(String reason) ->
                Finding.unscored("The JSON Schema could not be applied: " + Excerpt.of(reason) + ".");
        };
    }

    private static @Nullable JsonNode schema(FieldReader fields) {
        JsonNode schema = fields.hasValue("schema") ? fields.node("schema") : null;
        String wrong = schema == null ? null : ResponseSchema.problem(schema);
        if (wrong != null) {
            fields.problem("schema", wrong);
        }
        return schema;
    }
}
