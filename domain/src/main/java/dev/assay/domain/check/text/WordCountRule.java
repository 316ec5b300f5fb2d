package dev.assay.domain.check.text;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.similarity.Words;
import java.math.BigDecimal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The number of words of the response: what stands between white space. */
public record WordCountRule(Range value) implements CheckRule {

    public static final CheckKind KIND = new CheckKind(
            "word-count", 1, Set.of("value"), WordCountRule.class, fields -> new WordCountRule(range(fields)));

    private static final NumberRule WORDS = NumberRule.whole(0, 1_000_000_000_000L);
    private static final Fields BOUNDS = Fields.of("wordCount", "min", "max");

    /**
     * A number of words. In JSON an exact one is a number, else an object.
     *
     * @param min the fewest; null: any
     * @param max the most; null: any
     */
    public record Range(@Nullable Long min, @Nullable Long max) {

        boolean has(long count) {
            return (min == null || count >= min) && (max == null || count <= max);
        }

        @JsonValue
        JsonNode json() {
            if (min != null && min.equals(max)) {
                return JsonNodeFactory.instance.numberNode(min);
            }
            var json = JsonNodeFactory.instance.objectNode();
            if (min != null) {
                json.put("min", min);
            }
            return max == null ? json : json.put("max", max);
        }

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Range of(JsonNode json) {
            return json.isNumber()
                    ? new Range(json.longValue(), json.longValue())
                    : new Range(bound(json.get("min")), bound(json.get("max")));
        }

        private static @Nullable Long bound(@Nullable JsonNode node) {
            return node == null ? null : (Long) node.longValue();
        }

        @Override
        public String toString() {
            if (min != null && min.equals(max)) {
                return "exactly " + min;
            }
            return min == null ? "at most " + max : max == null ? "at least " + min : min + " to " + max;
        }
    }

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        long count = Words.count(input.response());
        return Finding.of(
                value.has(count),
                "The response has " + count + " words, as expected.",
                "Expected " + value + " words, but the response has " + count + ".");
    }

    private static Range range(FieldReader fields) {
        JsonNode value = fields.required("value");
        if (value == null || !value.isObject()) {
            Long exact = value == null ? null : whole(fields.decimal("value", WORDS));
            return new Range(exact, exact);
        }
        FieldReader bounds = FieldReader.of(value, fields.path("value"), BOUNDS, fields.problems());
        Range range = new Range(whole(bounds.decimal("min", WORDS)), whole(bounds.decimal("max", WORDS)));
        if (range.min == null && range.max == null && !bounds.has("min") && !bounds.has("max")) {
            fields.problem("value", "`value` must be a number, or have `min`, `max` or both.");
        } else if (range.min != null && range.max != null && range.min > range.max) {
            bounds.problem("min", "`min` must not be more than `max`.");
        }
        return range;
    }

    private static @Nullable Long whole(@Nullable BigDecimal number) {
        return number == null ? null : (Long) number.longValueExact();
    }
}
