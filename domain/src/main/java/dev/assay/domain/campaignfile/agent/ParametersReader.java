package dev.assay.domain.campaignfile.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The reader of a model's settings. The result has one form for each meaning (1.0 is 1, a single {@code stop} is a list). So
 * recorded answers are found whatever the spelling.
 */
final class ParametersReader {

    private static final String STOP = "stop";
    private static final int MAX_STOPS = 16;

    private static final Map<String, NumberRule> NUMBERS = numbers();

    static final Fields FIELDS = new Fields("parameters", names());

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
}
