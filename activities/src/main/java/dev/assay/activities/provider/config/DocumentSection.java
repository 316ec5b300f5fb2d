package dev.assay.activities.provider.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.FieldError;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.jspecify.annotations.Nullable;

/** An object of a document that a user wrote. Collects what is wrong with its fields, each with its path. */
public final class DocumentSection {

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_-]+");
    private static final LevenshteinDistance DISTANCE = new LevenshteinDistance(3);

    /** More than any price has; bounds the arithmetic. */
    private static final int MAX_DECIMALS = 12;

    private final JsonNode node;
    private final String path;
    private final List<FieldError> errors;

    private DocumentSection(JsonNode node, String path, List<FieldError> errors) {
        this.node = node;
        this.path = path;
        this.errors = errors;
    }

    /** The section at {@code path}; null, with an error, when {@code node} is no object. */
    static @Nullable DocumentSection of(JsonNode node, String path, List<FieldError> errors) {
        if (node.isObject()) {
            return new DocumentSection(node, path, errors);
        }
        errors.add(new FieldError(path, "This must be a mapping of names to values."));
        return null;
    }

    String pathOf(String field) {
        if (!PLAIN_NAME.matcher(field).matches()) {
            return path + "[\"" + field + "\"]";
        }
        return path.isEmpty() ? field : path + "." + field;
    }

    void error(String field, String message) {
        errors.add(new FieldError(pathOf(field), message));
    }

    boolean has(String field) {
        return node.hasNonNull(field);
    }

    void rejectUnknown(List<String> known) {
        node.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                error(field, "There is no field " + field + " here" + suggestion(field, known));
            }
        });
    }

    /** The sections below {@code field}, by name; empty when it is absent. */
    Map<String, DocumentSection> sections(String field) {
        Map<String, DocumentSection> sections = new LinkedHashMap<>();
        if (!has(field)) {
            return sections;
        }
        DocumentSection parent = of(node.get(field), pathOf(field), errors);
        if (parent != null) {
            parent.node.properties().forEach(entry -> {
                DocumentSection child = of(entry.getValue(), parent.pathOf(entry.getKey()), errors);
                if (child != null) {
                    sections.put(entry.getKey(), child);
                }
            });
        }
        return sections;
    }

    /** The text; null when it is absent or, with an error, is no text. */
    @Nullable
    String text(String field) {
        if (!has(field)) {
            return null;
        }
        JsonNode value = node.get(field);
        if (!value.isTextual() || value.textValue().isBlank()) {
            error(field, "This must be a text that is not blank.");
            return null;
        }
        return value.textValue().strip();
    }

    boolean flag(String field) {
        if (!has(field)) {
            return false;
        }
        if (!node.get(field).isBoolean()) {
            error(field, "This must be true or false.");
        }
        return node.get(field).asBoolean();
    }

    /** The number; {@code absent} when it is absent or, with an error, is no whole number from 1 to {@code max}. */
    int count(String field, int absent, int max) {
        if (!has(field)) {
            return absent;
        }
        JsonNode value = node.get(field);
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1 || value.intValue() > max) {
            error(field, "This must be a whole number from 1 to " + max + ".");
            return absent;
        }
        return value.intValue();
    }

    /** The amount; null when it is absent or, with an error, is no number from 0 to {@code max}. */
    @Nullable
    BigDecimal amount(String field, BigDecimal max) {
        if (!has(field)) {
            return null;
        }
        JsonNode value = node.get(field);
        BigDecimal amount = value.isNumber() ? value.decimalValue() : null;
        if (amount == null || amount.signum() < 0 || amount.compareTo(max) > 0 || amount.scale() > MAX_DECIMALS) {
            error(
                    field,
                    "This must be a number from 0 to %s with at most %d decimals."
                            .formatted(max.toPlainString(), MAX_DECIMALS));
            return null;
        }
        return amount;
    }

    /** How a sentence ends that refuses {@code word} where only {@code known} words are allowed. */
    public static String suggestion(String word, List<String> known) {
        String nearest = null;
        int least = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = DISTANCE.apply(word, candidate);
            if (distance >= 0 && distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest != null ? "; did you mean " + nearest + "?" : "; use one of " + String.join(", ", known) + ".";
    }
}
