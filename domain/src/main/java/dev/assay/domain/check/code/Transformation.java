package dev.assay.domain.check.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.StorableJson;

/** What own code made of an answer. */
public sealed interface Transformation {

    /**
     * Another answer.
     *
     * @param value a text or any other JSON but null, as it can be stored
     */
    record Value(JsonNode value) implements Transformation {}

    /**
     * None.
     *
     * @param finding failed where the code raised or returned nothing, unscored where something kept it from running
     */
    record None(Finding finding) implements Transformation {}

    /** What {@code reply} comes to. */
    static Transformation of(CodeReply reply) {
        return switch (reply) {
            case CodeReply.NotRun(String message) -> new None(Finding.unscored(CodeVerdict.reason(message)));
            case CodeReply.Raised(String message) -> failed("The transform raised: " + message);
            case CodeReply.Returned(JsonNode _, String type)
            when type != null -> failed("The transform returned no value: " + type);
            case CodeReply.Returned(JsonNode value, String _)
            when value.isNull() -> failed("The transform returned null.");
            case CodeReply.Returned(JsonNode value, String _) -> new Value(StorableJson.of(value));
        };
    }

    /** A value as checks on texts and graders see it: a text as it is, all else as compact JSON. */
    static String text(JsonNode value) {
        return value.isTextual() ? value.textValue() : Json.write(value);
    }

    private static None failed(String reason) {
        return new None(Finding.failed(CodeVerdict.reason(reason)));
    }
}
