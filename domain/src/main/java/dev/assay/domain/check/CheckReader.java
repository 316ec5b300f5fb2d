package dev.assay.domain.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.text.Excerpt;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads checks that users write, and finds out whether their patterns and schemas can be used. */
public final class CheckReader {

    /** What may be written. */
    public static final Fields FIELDS = Fields.of("check", "type", "value", "schema", "required", "weight");

    private static final NumberRule WEIGHT = NumberRule.between(0, 1_000);

    private static final Map<String, Kind> KINDS = kinds();

    private CheckReader() {}

    private interface Kind {
        Check read(FieldReader fields, boolean required, @Nullable BigDecimal weight);
    }

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        kinds.put("equals", (fields, required, weight) -> new Check.Equals(value(fields, true), required, weight));
        kinds.put("contains", (fields, required, weight) -> new Check.Contains(value(fields, false), required, weight));
        kinds.put(
                "icontains",
                (fields, required, weight) -> new Check.ContainsIgnoringCase(value(fields, false), required, weight));
        kinds.put("regex", (fields, required, weight) -> new Check.Regex(regex(fields), required, weight));
        kinds.put("json", (fields, required, weight) -> new Check.JsonDocument(schema(fields), required, weight));
        return kinds;
    }

    /** Reads one check; null: it is unusable, which was reported. */
    public static @Nullable Check read(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FIELDS, problems);
        Kind kind = fields.word("type", KINDS);
        boolean required = fields.flag("required", true);
        BigDecimal weight = fields.decimal("weight", WEIGHT);
        return kind == null ? null : kind.read(fields, required, weight);
    }

    /** The text to look for. Every response contains the empty text, so only {@code equals} takes it. */
    private static String value(FieldReader fields, boolean mayBeEmpty) {
        refuse(fields, "schema", "belongs to checks of type json only");
        String value = fields.anyText("value");
        if (value.isEmpty() && !mayBeEmpty && !fields.isWrong("value")) {
            fields.problem("value", "`value` must not be empty; every response would pass.");
        }
        return value;
    }

    private static String regex(FieldReader fields) {
        String regex = value(fields, false);
        try {
            GuardedPattern.compile(regex);
        } catch (PatternSyntaxException e) {
            String where = e.getIndex() < 0 ? "" : " at position " + e.getIndex();
            String what = Excerpt.of(e.getDescription());
            fields.problem(
                    "value",
                    "`value` cannot be used as a regular expression (Java syntax): " + what + where + "; correct it.");
        }
        return regex;
    }

    private static @Nullable JsonNode schema(FieldReader fields) {
        refuse(fields, "value", "is not used by checks of type json");
        JsonNode schema = fields.hasValue("schema") ? fields.node("schema") : null;
        String wrong = schema == null ? null : ResponseSchema.problem(schema);
        if (wrong != null) {
            fields.problem("schema", wrong);
        }
        return schema;
    }

    private static void refuse(FieldReader fields, String name, String why) {
        if (fields.has(name)) {
            fields.problem(name, "`" + name + "` " + why + "; remove it.");
        }
    }
}
