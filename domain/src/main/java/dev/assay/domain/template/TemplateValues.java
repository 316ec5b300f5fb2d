package dev.assay.domain.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values of templates: JSON as they see it, and as it is written into the text. */
final class TemplateValues {

    /** Above this a double no longer holds every whole number. */
    private static final double EXACT = 1L << 53;

    private TemplateValues() {}

    /** {@code node} as maps, lists, texts, longs, doubles and truth values; null: JSON's null. */
    static @Nullable Object of(JsonNode node) {
        return switch (node.getNodeType()) {
            case STRING -> node.textValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> number(node.decimalValue());
            case ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>(node.size());
                node.forEach(item -> list.add(of(item)));
                yield list;
            }
            case OBJECT, POJO -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                node.properties().forEach(field -> map.put(field.getKey(), of(field.getValue())));
                yield map;
            }
            case NULL, MISSING, BINARY -> null;
        };
    }

    /** A whole number is a long where it fits, as {@code 1.0} is 1 in JSON. */
    private static Object number(BigDecimal value) {
        boolean isWhole = value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
        return isWhole && value.abs().compareTo(BigDecimal.valueOf(EXACT)) <= 0
                ? (Object) value.longValueExact()
                : (Object) value.doubleValue();
    }

    /** The text that nunjucks writes for numbers and lists; an object as JSON. Null: {@code value} has the same text everywhere. */
    static @Nullable String text(@Nullable Object value) {
        return switch (value) {
            case Double number
            when number == Math.rint(number) && Math.abs(number) <= EXACT -> Long.toString(number.longValue());
            case Collection<?> list ->
                list.stream().map(TemplateValues::written).collect(Collectors.joining(","));
            case Map<?, ?> map -> Json.write(map);
            case null, default -> null;
        };
    }

    /** {@code item} as it is written into a text; nothing for null. */
    static String written(@Nullable Object item) {
        String text = text(item);
        return text != null ? text : item == null ? "" : item.toString();
    }
}
