package dev.assay.domain.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.DynamicRefValidator;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import com.networknt.schema.utils.JsonNodeTypes;
import com.networknt.schema.utils.JsonType;
import com.networknt.schema.utils.TypeFactory;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A keyword of the library whose every use is counted. */
final class CountedKeyword implements Keyword {

    private static final String TYPE = "type";

    /** Elements of an object or array that are looked at in the time of one step. */
    private static final int ELEMENTS_PER_STEP = 16;

    /** Characters of a text that are looked at in the time of one step. */
    private static final int CHARACTERS_PER_STEP = 256;

    /** Schemas inside each other that are looked at in the time of one step. */
    private static final int SCHEMAS_PER_STEP = 64;

    /** Steps for an error, which takes memory. */
    private static final int PER_ERROR = 5;

    /** Keywords whose errors cost nothing: there is at most one, or they are counted in the schemas that these apply. */
    private static final Set<String> WITHOUT_ERRORS = Set.of(
            TYPE,
            "uniqueItems",
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
    public @Nullable KeywordValidator newValidator(
            SchemaLocation location, JsonNode schema, Schema parent, SchemaContext context) throws Exception {
        steps.keywordRead();
        KeywordValidator validator = keyword.newValidator(location, schema, parent, context);
        return validator == null ? null : new Counted(validator, schema, parent);
    }

    private final class Counted implements KeywordValidator {

        private final KeywordValidator validator;
        private final JsonNode schema;
        private final Schema parent;
        private final @Nullable JsonType type;
        private final boolean isType;
        private final boolean isUnique;
        private final boolean isReference;
        private final boolean readsNotes;
        private final int perError;

        Counted(KeywordValidator validator, JsonNode schema, Schema parent) {
            String name = keyword.getValue();
            JsonNode named = parent.getSchemaNode().get(TYPE);
            this.validator = validator;
            this.schema = schema;
            this.parent = parent;
            this.type = named == null ? null : TypeFactory.getSchemaNodeType(named);
            this.isType = name.equals(TYPE);
            this.isUnique = name.equals("uniqueItems");
            this.isReference = name.equals("$dynamicRef");
            this.readsNotes = name.startsWith("unevaluated");
            this.perError = WITHOUT_ERRORS.contains(name) ? 0 : PER_ERROR;
        }

        @Override
        public void validate(ExecutionContext context, JsonNode node, JsonNode root, NodePath location) {
            if (isOfOtherType(context, node)) {
                return;
            }
            // A type costs nothing.
            steps.spend(isType ? 0 : 1L + elements(node) + characters(node));
            steps.spend(search(context, location));
            int before = context.getErrors().size();
            if (isUnique && node.isArray()) {
                UniqueItems.repeated(node).ifPresent(pair -> validator.validate(context, pair, root, location));
            } else {
                validator.validate(context, node, root, location);
            }
            int errors = context.getErrors().size() - before;
            steps.spend((long) perError * errors);
            if (errors > 0) {
                // The library then looks at each note of the place, and drops those of the schema that failed.
                steps.spend(notes(context, location));
            }
        }

        /** Whether this stands in an alternative of {@code anyOf} for another type: of that nothing but its type is said. */
        private boolean isOfOtherType(ExecutionContext context, JsonNode node) {
            NodePath alternative = context.getEvaluationPath().getParent();
            return type != null
                    && type != JsonType.UNION
                    && !isType
                    && alternative.getElement(-1) instanceof Integer
                    && "anyOf".equals(alternative.getParent().getElement(-1))
                    && !JsonNodeTypes.equalsToSchemaType(node, type, parent, parent.getSchemaContext(), context);
        }

        private int elements(JsonNode node) {
            return (schema.size() + node.size()) / ELEMENTS_PER_STEP;
        }

        private int characters(JsonNode node) {
            return node.isTextual() ? node.textValue().length() / CHARACTERS_PER_STEP : 0;
        }

        /** The steps of what the library looks up: notes of earlier keywords, and the schemas that led here. */
        private long search(ExecutionContext context, NodePath location) {
            boolean asksSchemas =
                    isReference || context.isUnevaluatedPropertiesPresent() || context.isUnevaluatedItemsPresent();
            return (readsNotes ? notes(context, location) : 0) + (asksSchemas ? depth(context) : 0);
        }

        /** The steps of looking at each note of a place once: where it was made is compared, schema by schema. */
        private long notes(ExecutionContext context, NodePath location) {
            int notes = context.getAnnotations()
                    .asMap()
                    .getOrDefault(location, List.of())
                    .size();
            return notes * (1L + depth(context));
        }

        private int depth(ExecutionContext context) {
            return context.getEvaluationSchema().size() / SCHEMAS_PER_STEP;
        }

        @Override
        public void preloadSchema() {
            if (validator instanceof DynamicRefValidator reference) {
                // The library would not look for it before it is applied.
                var _ = reference.getSchemaRef(new ExecutionContext()).getSchema();
            }
            validator.preloadSchema();
        }

        @Override
        public SchemaLocation getSchemaLocation() {
            return validator.getSchemaLocation();
        }

        /** Errors come in the order of the schema. The library would place a keyword of the name {@code type} first. */
        @Override
        public String getKeyword() {
            return isType ? "types" : validator.getKeyword();
        }
    }
}
