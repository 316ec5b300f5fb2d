package dev.assay.domain.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How many calls of a group may be in flight, as a person sets it.
 *
 * @param min fewest, at least 1
 * @param max most; with as many as {@code min} their number is fixed
 */
public record CallBounds(int min, int max) {

    private static final Fields FIELDS = Fields.of("bounds of calls", "min", "max");

    public CallBounds {
        if (min < 1 || max < min) {
            throw new IllegalArgumentException("1 ≤ min ≤ max does not hold: " + min + ", " + max);
        }
    }

    /**
     * Reads a number, which is fixed, or {@code {min, max}}. Null: they are taken back, or wrong, which is told to the reader's problems.
     */
    static @Nullable CallBounds read(FieldReader fields, String field) {
        JsonNode node = fields.node(field);
        if (node == null || node.isNull()) {
            return null;
        }
        if (node.isNumber()) {
            int number = fields.integer(field, ProviderSettingsReader.CONCURRENT, 1);
            return new CallBounds(number, number);
        }
        if (!node.isObject()) {
            fields.problem(
                    field,
                    "`" + field + "` must be a whole number from 1 to 100000, {min, max}, or null to take it back.");
            return null;
        }
        FieldReader range = fields.objectOrEmpty(field, FIELDS);
        int min = range.integer("min", ProviderSettingsReader.CONCURRENT, 1);
        BigDecimal max = range.decimal("max", ProviderSettingsReader.CONCURRENT);
        if (max == null) {
            range.required("max");
            return null;
        }
        if (range.isWrong("min")) {
            return null;
        }
        if (min > max.intValueExact()) {
            range.problem("min", "`min` is " + min + ", more than `max`, which is " + max + ".");
            return null;
        }
        return new CallBounds(min, max.intValueExact());
    }

    /** The range within these bounds. It begins where {@code configured} does, as far as they allow. */
    public ConcurrencyRange of(ConcurrencyRange configured) {
        return new ConcurrencyRange(min, Math.clamp(configured.start(), min, max), max);
    }

    /** As in {@code 5} or {@code 2-100}. */
    public String text() {
        return min == max ? String.valueOf(max) : min + "-" + max;
    }
}
