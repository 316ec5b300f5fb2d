package dev.assay.domain.results;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The number that a score of another tool stands for. */
public final class ScoreValue {

    private static final Map<String, Double> GRADES = Map.of("C", 1.0, "P", 0.5, "I", 0.0, "N", 0.0);
    private static final Map<String, Double> WORDS = Map.of("yes", 1.0, "true", 1.0, "no", 0.0, "false", 0.0);

    /** Digits that Python and Java read alike. More of them than a number has are read in vain. */
    private static final Pattern NUMBER =
            Pattern.compile("\\s*[+-]?([0-9]{1,400}\\.?[0-9]{0,400}|\\.[0-9]{1,400})([eE][+-]?[0-9]{1,9})?\\s*");

    private ScoreValue() {}

    /** The number, finite; null: it stands for none, as a list, an unknown word, or what is not a number. */
    public static @Nullable Double of(@Nullable JsonNode value) {
        if (value == null) {
            return null;
        }
        if (value.isBoolean()) {
            return value.booleanValue() ? 1.0 : 0.0;
        }
        if (value.isNumber()) {
            return finite(value.doubleValue());
        }
        return value.isTextual() ? ofText(value.textValue()) : null;
    }

    private static @Nullable Double ofText(String text) {
        Double grade = GRADES.get(text);
        Double word = grade == null ? WORDS.get(text.toLowerCase(Locale.ROOT)) : grade;
        if (word != null) {
            return word;
        }
        return NUMBER.matcher(text).matches() ? finite(Double.parseDouble(text.strip())) : null;
    }

    private static @Nullable Double finite(double number) {
        return Double.isFinite(number) ? (Double) number : null;
    }
}
