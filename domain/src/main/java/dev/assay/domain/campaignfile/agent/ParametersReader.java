package dev.assay.domain.campaignfile.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.agent.ResponseFormat;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.schema.ResponseSchema;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The reader of a model's settings. The result has one form for each meaning (1.0 is 1, a single {@code stop} is a list). So
 * recorded answers are found whatever the spelling.
 */
final class ParametersReader {

    private static final String STOP = "stop";
    private static final int MAX_STOPS = 16;
    private static final String SCHEMA = "schema";

    private static final Map<String, NumberRule> NUMBERS = numbers();

    static final Fields FIELDS = new Fields("parameters", names());
    static final Fields RESPONSE_FORMAT = Fields.of(ResponseFormat.PARAMETER, "name", SCHEMA, "strict");

    private ParametersReader() {}

    private static Map<String, NumberRule> numbers() {
        Map<String, NumberRule> numbers = new LinkedHashMap<>();
        numbers.put("temperature", NumberRule.between(0, 2));
        numbers.put("topP", NumberRule.between(0, 1));
        numbers.put("maxOutputTokens", NumberRule.whole(1, Integer.MAX_VALUE));
        // Providers' clients take 32 bits.
        numbers.put("seed", NumberRule.whole(Integer.MIN_VALUE, Integer.MAX_VALUE));
        numbers.put("frequencyPenalty", NumberRule.between(-2, 2));
        numbers.put("presencePenalty", NumberRule.between(-2, 2));
        return numbers;
    }

    private static List<String> names() {
        List<String> names = new java.util.ArrayList<>(NUMBERS.keySet());
        names.add(STOP);
        names.add(ResponseFormat.PARAMETER);
        return names;
    }

    /** Reads {@code parameters} of a branch or judge; empty when none are written. */
    static Map<String, JsonNode> read(FieldReader agent) {
        FieldReader fields = agent.object("parameters", FIELDS);
        Map<String, JsonNode> parameters = new TreeMap<>();
        if (fields == null) {
            return parameters;
        }
        NUMBERS.forEach((name, rule) -> {
            BigDecimal value = fields.decimal(name, rule);
            if (value != null) {
                parameters.put(name, JsonNumbers.node(value));
            }
        });
        if (fields.has(STOP)) {
            parameters.put(STOP, stop(fields));
        }
        ResponseFormat format = responseFormat(fields);
        if (format != null) {
            parameters.put(ResponseFormat.PARAMETER, format.written());
        }
        return parameters;
    }

    private static ArrayNode stop(FieldReader fields) {
        JsonNode node = fields.node(STOP);
        boolean isSingle = node != null && node.isTextual();
        List<String> stops = isSingle ? List.of(fields.anyText(STOP)) : fields.nonEmptyList(STOP, TextRules::textItem);
        if (stops.size() > MAX_STOPS || stops.stream().anyMatch(String::isEmpty)) {
            fields.problem(STOP, "`stop` must be at most " + MAX_STOPS + " texts, none of them empty.");
        }
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        stops.forEach(list::add);
        return list;
    }

    /** Null: none is written, or a wrong one, which was reported. */
    private static @Nullable ResponseFormat responseFormat(FieldReader parameters) {
        JsonNode node = parameters.node(ResponseFormat.PARAMETER);
        if (node == null) {
            return null;
        }
        if (node.asText().equals(ResponseFormat.ANY_JSON)) {
            return new ResponseFormat.AnyJson();
        }
        if (!node.isObject()) {
            parameters.problem(
                    ResponseFormat.PARAMETER,
                    "`responseFormat` must be `json`, or an object with a `schema`, but is "
                            + ActualValue.describe(node) + ".");
            return null;
        }
        FieldReader fields =
                FieldReader.of(node, parameters.path(ResponseFormat.PARAMETER), RESPONSE_FORMAT, parameters.problems());
        String name = fields.has("name") ? fields.text("name") : "answer";
        if (!fields.isWrong("name") && !ResponseFormat.NAME.matcher(name).matches()) {
            fields.problem("name", "`name` must have 1 to 64 letters, digits, '_' or '-'; write another one.");
        }
        JsonNode schema = schema(fields);
        boolean strict = fields.flag("strict", true);
        return fields.isWrong("name") || schema == null ? null : new ResponseFormat.BySchema(name, schema, strict);
    }

    private static @Nullable JsonNode schema(FieldReader fields) {
        JsonNode schema = fields.required(SCHEMA);
        if (schema == null) {
            return null;
        }
        String wrong = schema.isObject()
                ? ResponseSchema.problem(schema)
                : "`schema` must be a JSON Schema that is an object, but is " + ActualValue.describe(schema) + ".";
        if (wrong != null) {
            fields.problem(SCHEMA, wrong);
        }
        return wrong == null ? schema : null;
    }
}
