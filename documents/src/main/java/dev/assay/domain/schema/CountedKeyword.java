package dev.assay.domain.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonValidator;
import com.networknt.schema.Keyword;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.TypeValidator;
import com.networknt.schema.ValidationContext;
import com.networknt.schema.ValidationMessage;
import java.util.List;
import java.util.Set;

/** A keyword of the library whose every use is counted. */
final class CountedKeyword implements Keyword {

    /** Elements of an object or array that are looked at in the time of one step. */
    private static final int ELEMENTS_PER_STEP = 16;

    /** Characters of a text that are looked at in the time of one step. */
    private static final int CHARACTERS_PER_STEP = 256;

    /** Steps for an error, which takes memory. */
    private static final int PER_ERROR = 5;

    /** Keywords that apply other schemas: their errors are counted there. */
    private static final Set<String> APPLICATORS = Set.of(
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "properties",
            "patternProperties",
            "items",
            "prefixItems",
            "contains",
            "dependentSchemas",
            "$ref",
            "$dynamicRef");

    private final Keyword keyword;
    private final SchemaSteps steps;

    CountedKeyword(Keyword keyword, SchemaSteps steps) {
        this.keyword = keyword;
        this.steps = steps;
    }

    @Override
    public String getValue() {
        return keyword.getValue();
    }

    @Override
    public JsonValidator newValidator(
            SchemaLocation location, JsonNodePath path, JsonNode schema, JsonSchema parent, ValidationContext context)
            throws Exception {
        steps.keywordRead();
        JsonValidator validator = keyword.newValidator(location, path, schema, parent, context);
        // The library looks for the type among the validators of a schema, and a type costs nothing.
        return validator == null || validator instanceof TypeValidator ? validator : new Counted(validator, schema);
    }

    private final class Counted implements JsonValidator {

        private final JsonValidator validator;
        private final JsonNode schema;
        private final boolean isApplicator;
        private final boolean readsAnnotations;

        Counted(JsonValidator validator, JsonNode schema) {
            this.validator = validator;
            this.schema = schema;
            this.isApplicator = APPLICATORS.contains(keyword.getValue());
            this.readsAnnotations = keyword.getValue().startsWith("unevaluated");
        }

        @Override
        public Set<ValidationMessage> validate(
                ExecutionContext context, JsonNode node, JsonNode root, JsonNodePath location) {
            steps.spend(1
                    + (schema.size() + node.size()) / ELEMENTS_PER_STEP
                    + (node.isTextual() ? node.textValue().length() / CHARACTERS_PER_STEP : 0));
            if (readsAnnotations) {
                // The search costs a step for each note of earlier keywords here.
                steps.spend(context.getAnnotations()
                        .asMap()
                        .getOrDefault(location, List.of())
                        .size());
            }
            if (keyword.getValue().equals("uniqueItems") && node.isArray()) {
                return UniqueItems.repeated(node)
                        .map(pair -> validator.validate(context, pair, root, location))
                        .orElse(Set.of());
            }
            Set<ValidationMessage> errors = validator.validate(context, node, root, location);
            if (!isApplicator) {
                steps.spend((long) PER_ERROR * errors.size());
            }
            return errors;
        }

        @Override
        public void preloadJsonSchema() {
            validator.preloadJsonSchema();
        }

        @Override
        public SchemaLocation getSchemaLocation() {
            return validator.getSchemaLocation();
        }

        @Override
        public JsonNodePath getEvaluationPath() {
            return validator.getEvaluationPath();
        }

        @Override
        public String getKeyword() {
            return validator.getKeyword();
        }
    }
}
