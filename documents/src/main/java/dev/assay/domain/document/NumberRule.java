package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.text.Excerpt;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The range of numbers that a field takes.
 *
 * @param minIncluded whether {@code min} itself is allowed
 * @param decimals digits after the point, at most; 0: whole numbers only, among which 3.0 counts
 * @param code stands before each error message, for rules with a stable name of their own; empty: none
 */
public record NumberRule(BigDecimal min, boolean minIncluded, BigDecimal max, int decimals, String code) {

    private static final int FINE = 20;

    /** Whole numbers from {@code min} to {@code max}. */
    public static NumberRule whole(long min, long max) {
        return new NumberRule(BigDecimal.valueOf(min), true, BigDecimal.valueOf(max), 0, "");
    }

    /** Numbers from {@code min} to {@code max}. */
    public static NumberRule between(long min, long max) {
        return new NumberRule(BigDecimal.valueOf(min), true, BigDecimal.valueOf(max), FINE, "");
    }

    /** Numbers above {@code min} and up to {@code max}. */
    public static NumberRule above(long min, long max) {
        return new NumberRule(BigDecimal.valueOf(min), false, BigDecimal.valueOf(max), FINE, "");
    }

    /** The same, with at most {@code digits} after the point. */
    public NumberRule withDecimals(int digits) {
        return new NumberRule(min, minIncluded, max, digits, code);
    }

    /** The same, with {@code stableCode} before each message. */
    public NumberRule withCode(String stableCode) {
        return new NumberRule(min, minIncluded, max, decimals, stableCode);
    }

    /**
     * Reads {@code node}, reporting what is wrong with it at {@code path}.
     *
     * @return the number in its plain form; null when it was wrong and reported
     */
    public @Nullable BigDecimal read(String name, JsonNode node, String path, Problems problems) {
        String wrong = wrong(node);
        if (wrong != null) {
            String prefix = code.isEmpty() ? "" : code + ": ";
            problems.add(path, prefix + "`" + name + "` must be " + expected() + ", but " + wrong + ".");
            return null;
        }
        return JsonNumbers.plain(node.decimalValue());
    }

    private @Nullable String wrong(JsonNode node) {
        if (!node.isNumber()) {
            return "is " + ActualValue.describe(node) + ActualValue.adviceForPlain(node);
        }
        if (!JsonNumbers.isReadable(node)) {
            return unreadable(node);
        }
        BigDecimal value = JsonNumbers.plain(node.decimalValue());
        if (value.scale() > decimals) {
            return decimals == 0 ? "is " + shown(value) : "has more than " + decimals + " digits after the point";
        }
        int toMin = value.compareTo(min);
        boolean inRange = (minIncluded ? toMin >= 0 : toMin > 0) && value.compareTo(max) <= 0;
        return inRange ? null : "is " + shown(value);
    }

    private static String unreadable(JsonNode node) {
        double value = node.doubleValue();
        if (Double.isNaN(value)) {
            return "is NaN, which is not a number";
        }
        return node.isBigDecimal() || node.isIntegralNumber() ? "has too many digits" : "is infinite";
    }

    private static String shown(BigDecimal value) {
        return Excerpt.of(value.toPlainString(), 40);
    }

    private String expected() {
        String kind = decimals == 0 ? "a whole number" : "a number";
        String least =
                minIncluded ? " from " + min.toPlainString() + " to " : " above " + min.toPlainString() + " and up to ";
        return kind + least + max.toPlainString();
    }
}
