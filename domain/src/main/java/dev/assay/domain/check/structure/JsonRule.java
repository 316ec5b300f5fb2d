package dev.assay.domain.check.structure;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.markup.EmbeddedJson;
import dev.assay.domain.schema.ResponseSchema;
import dev.assay.domain.schema.SchemaVerdict;
import dev.assay.domain.text.Excerpt;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response is one JSON document (RFC 8259) and nothing else. White space around it is allowed, a Markdown code block or a word
 * before it is not. Or it contains a JSON object, wherever that stands.
 *
 * @param schema what the document, or one of the objects, must be valid against (JSON Schema 2020-12); null: any
 * @param contains true: an object somewhere is enough; null: it is not
 */
public record JsonRule(@Nullable JsonNode schema, @Nullable Boolean contains) implements CheckRule {

    public static final CheckKind KIND = new CheckKind(
            "json",
            1,
            Set.of("schema", "contains"),
            JsonRule.class,
            fields -> new JsonRule(schema(fields), Contained.read(fields)));

    /** More objects in one response are not looked at. */
    private static final int MOST_OBJECTS = 1_000;

    /** The whole response. */
    public JsonRule(@Nullable JsonNode schema) {
        this(schema, null);
    }

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        if (contains != null) {
            return findInside(input.response());
        }
        return switch (JsonDocument.of(input.response())) {
            case JsonDocument.Unreadable(Finding why) -> why;
            case JsonDocument.Read(JsonNode document) ->
                schema == null
                        ? Finding.passed("The response is a JSON document.")
                        : validate(schema, document, input.response());
        };
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

    private Finding findInside(String response) {
        Optional<List<JsonNode>> objects = EmbeddedJson.objects(response);
        if (objects.isEmpty() || objects.get().size() > MOST_OBJECTS) {
            return Finding.unscored("It takes too long to look for JSON objects in this response.");
        }
        if (objects.get().isEmpty()) {
            return Finding.failed("Expected a JSON object in the response, but found none in: " + Excerpt.of(response));
        }
        return schema == null
                ? Finding.passed("The response contains a JSON object.")
                : anyValid(schema, objects.get(), response);
    }

    private static Finding anyValid(JsonNode schema, List<JsonNode> objects, String response) {
        String undecided = null;
        String violation = "";
        for (JsonNode object : objects) {
            SchemaVerdict verdict = JsonNumbers.areReadable(object)
                    ? ResponseSchema.apply(schema, object)
                    : new SchemaVerdict.Undecided("an object holds a number with too many digits");
            switch (verdict) {
                case SchemaVerdict.Valid() -> {
                    return Finding.passed("The response contains a JSON object that is valid against the schema.");
                }
                case SchemaVerdict.Undecided(String reason) -> undecided = reason;
                case SchemaVerdict.Invalid(String what) -> violation = what;
            }
        }
        return undecided == null
                ? Finding.failed("Expected a JSON object that is valid against the schema, but " + Excerpt.of(violation)
                        + " in: " + Excerpt.of(response))
                : Finding.unscored("The JSON Schema could not be applied: " + Excerpt.of(undecided) + ".");
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
