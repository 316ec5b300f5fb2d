package dev.assay.domain.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.InputFilter.Rule;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.pattern.GuardedPattern;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reader and writer of input filters. */
public final class InputFilterReader {

    /** The fields of a filter. */
    public static final Fields FIELDS = Fields.of("inputFilter", "type", "max", "value", "action", "message");

    private static final String MAX_LENGTH = "max-length";
    private static final String REGEX = "regex";
    private static final String ICONTAINS = "icontains";
    private static final Map<String, String> TYPES = Map.of(MAX_LENGTH, MAX_LENGTH, REGEX, REGEX, ICONTAINS, ICONTAINS);
    private static final Map<String, Boolean> ACTIONS = actions();
    private static final NumberRule MAX = NumberRule.whole(1, 100_000_000);

    private InputFilterReader() {}

    private static Map<String, Boolean> actions() {
        Map<String, Boolean> actions = new LinkedHashMap<>();
        actions.put("reject", true);
        actions.put("warn", false);
        return actions;
    }

    /** Reads one filter; null: it is unusable, which was reported. */
    public static @Nullable InputFilter read(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FIELDS, problems);
        String type = fields.word("type", new java.util.TreeMap<>(TYPES));
        if (type == null) {
            return null;
        }
        String foreign = type.equals(MAX_LENGTH) ? "value" : "max";
        if (fields.has(foreign)) {
            fields.problem(foreign, "`" + foreign + "` does not belong to a filter of type " + type + "; remove it.");
        }
        Rule rule = switch (type) {
            case MAX_LENGTH -> {
                fields.required("max");
                yield new Rule.MaxLength(fields.integer("max", MAX, 1));
            }
            case REGEX -> new Rule.Regex(pattern(fields));
            default -> new Rule.Contains(fields.text("value"));
        };
        return new InputFilter(rule, fields.word("action", ACTIONS, true), fields.nullableText("message"));
    }

    private static String pattern(FieldReader fields) {
        String pattern = fields.text("value");
        String wrong = fields.isWrong("value") ? null : GuardedPattern.problem(pattern);
        if (wrong != null) {
            fields.problem("value", "`value` cannot be used as a regular expression (Java syntax): " + wrong + ".");
        }
        return pattern;
    }

    /** The filter in the words of the campaign file. */
    public static ObjectNode write(InputFilter filter) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        switch (filter.rule()) {
            case Rule.MaxLength(int max) -> node.put("type", MAX_LENGTH).put("max", max);
            case Rule.Regex(String value) -> node.put("type", REGEX).put("value", value);
            case Rule.Contains(String value) -> node.put("type", ICONTAINS).put("value", value);
        }
        node.put("action", filter.rejects() ? "reject" : "warn");
        if (filter.message() != null) {
            node.put("message", filter.message());
        }
        return node;
    }
}
