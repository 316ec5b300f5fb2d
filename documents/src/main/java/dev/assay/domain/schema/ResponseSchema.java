package dev.assay.domain.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import dev.assay.domain.definition.Definition;
import dev.assay.domain.definition.Definitions;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.pattern.GuardedPattern;
import dev.assay.domain.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Schema (draft 2020-12) on what models write: responses and arguments of tools. References reach only into the schema
 * itself and the draft; nothing is ever fetched. Steps are counted, so that every schema and every document comes to an end.
 */
public final class ResponseSchema {

    /** Values that a schema may have, objects and arrays included. */
    static final int MAX_VALUES = 20_000;

    /** Objects and arrays of a schema inside each other. */
    static final int MAX_DEPTH = 100;

    private ResponseSchema() {}

    /** The problem with {@code schema} as a schema, as one sentence; null: none. */
    public static @Nullable String problem(JsonNode schema) {
        if (!schema.isObject() && !schema.isBoolean()) {
            return "A JSON Schema is an object, or true or false.";
        }
        String excess = excess(schema);
        if (excess != null) {
            return "The JSON Schema " + excess + "; write a smaller one.";
        }
        if (!JsonNumbers.areReadable(schema)) {
            return "The JSON Schema holds a number that is not finite or has too many digits; write another.";
        }
        JsonNode draft = schema.path("$schema");
        if (!draft.isMissingNode() && !draft.asText().replaceFirst("#$", "").equals(SchemaLibrary.DRAFT)) {
            return "Only JSON Schema draft 2020-12 is known; write \"$schema\": \"" + SchemaLibrary.DRAFT
                    + "\" or leave it out.";
        }
        return Definitions.problem(Definition.Kind.SCHEMA, () -> Json.write(schema), () -> problemHere(schema));
    }

    private static @Nullable String problemHere(JsonNode schema) {
        SchemaVerdict asDocument = decided(
                new SchemaSteps(),
                () -> Optional.ofNullable(
                        SchemaLibrary.sentence(SchemaLibrary.meta().validate(schema))));
        return switch (asDocument) {
            case SchemaVerdict.Invalid(String violation) -> "It is not a JSON Schema: " + violation + ".";
            case SchemaVerdict.Undecided(String reason) -> "The JSON Schema cannot be used: " + reason + ".";
            case SchemaVerdict.Valid() -> unusable(schema);
        };
    }

    /** References and patterns that do not resolve, as far as they are found in the steps of one application. */
    private static @Nullable String unusable(JsonNode schema) {
        SchemaSteps steps = new SchemaSteps();
        SchemaVerdict read = decided(steps, () -> {
            read(schema, steps).initializeValidators();
            return Optional.empty();
        });
        return read instanceof SchemaVerdict.Undecided(String reason) && !steps.areUsedUp()
                ? "The JSON Schema cannot be used: " + reason + "."
                : null;
    }

    /**
     * Applies {@code schema} to {@code document}, in at most {@value SchemaSteps#MAX_STEPS} steps.
     *
     * @param schema any tree, also one in which {@link #problem} finds something
     */
    public static SchemaVerdict apply(JsonNode schema, JsonNode document) {
        String excess = excess(schema);
        if (excess != null) {
            return new SchemaVerdict.Undecided("it " + excess);
        }
        SchemaSteps steps = new SchemaSteps();
        return decided(
                steps,
                () -> Optional.ofNullable(
                        SchemaLibrary.sentence(read(schema, steps).validate(document))));
    }

    private static Schema read(JsonNode schema, SchemaSteps steps) {
        return SchemaLibrary.counted(steps, new GuardedPattern.Reads()).getSchema(schema);
    }

    /** The library throws several unrelated exceptions for schemas that it cannot use, and recurses as deep as they lead. */
    private static SchemaVerdict decided(SchemaSteps steps, Supplier<Optional<String>> application) {
        try {
            return application
                    .get()
                    .<SchemaVerdict>map(SchemaVerdict.Invalid::new)
                    .orElseGet(SchemaVerdict.Valid::new);
        } catch (GuardedPattern.TooLongException e) {
            return new SchemaVerdict.Undecided("a pattern takes too long");
        } catch (StackOverflowError e) {
            return new SchemaVerdict.Undecided("it is nested too deeply, or refers to itself without end");
        } catch (RuntimeException e) {
            return new SchemaVerdict.Undecided(
                    steps.areUsedUp()
                            ? "it takes more than " + SchemaSteps.MAX_STEPS + " steps"
                            : Excerpt.of(SchemaLibrary.reason(e)));
        }
    }

    /** The property that makes {@code schema} too large for the library; null: none. */
    private static @Nullable String excess(JsonNode schema) {
        int values = 0;
        List<JsonNode> level = List.of(schema);
        for (int depth = 0; !level.isEmpty(); depth++) {
            values += level.size();
            if (depth > MAX_DEPTH) {
                return "is nested more than " + MAX_DEPTH + " deep";
            }
            if (values > MAX_VALUES) {
                return "has more than " + MAX_VALUES + " values";
            }
            List<JsonNode> next = new ArrayList<>();
            level.forEach(node -> node.forEach(next::add));
            level = next;
        }
        return null;
    }
}
