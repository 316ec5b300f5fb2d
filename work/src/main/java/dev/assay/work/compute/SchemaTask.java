package dev.assay.work.compute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.schema.ResponseSchema;
import dev.assay.domain.schema.SchemaVerdict;
import java.util.List;

/** A JSON Schema that is applied to one document. */
public record SchemaTask(JsonNode schema, JsonNode document) implements Task<SchemaVerdict> {

    /** A verdict as it is sent: its word, and its text or "". */
    private record Sent(Word word, String text) {}

    private enum Word {
        VALID,
        INVALID,
        UNDECIDED
    }

    @Override
    public TaskKind kind() {
        return TaskKind.SCHEMA;
    }

    @Override
    public List<NamedDefinition> definitions() {
        return List.of(NamedDefinition.of(Json.write(schema)));
    }

    @Override
    public JsonNode input() {
        return document;
    }

    @Override
    public SchemaVerdict answer(JsonNode said) throws JsonProcessingException {
        Sent sent = Strict.read(said, Sent.class);
        return switch (sent.word) {
            case VALID -> new SchemaVerdict.Valid();
            case INVALID -> new SchemaVerdict.Invalid(sent.text);
            case UNDECIDED -> new SchemaVerdict.Undecided(sent.text);
        };
    }

    static Performer performer(JsonNode input) {
        return schema -> switch (ResponseSchema.apply(schema.read(JsonNode.class, Json::tree), input)) {
            case SchemaVerdict.Valid() -> new Sent(Word.VALID, "");
            case SchemaVerdict.Invalid(String violation) -> new Sent(Word.INVALID, violation);
            case SchemaVerdict.Undecided(String reason) -> new Sent(Word.UNDECIDED, reason);
        };
    }
}
