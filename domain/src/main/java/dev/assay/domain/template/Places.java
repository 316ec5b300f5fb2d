package dev.assay.domain.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.text.Excerpt;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fills the places in a request to a system under test: {@code {{prompt}}}, {@code {{messages}}} and {@code {{vars.name}}}. What
 * fills a place is not filled again. A var that is not there is an empty text.
 */
public record Places(String prompt, JsonNode messages, Map<String, JsonNode> vars) {

    /** A place, with what it names as group 1. */
    public static final Pattern PLACE =
            Pattern.compile("\\{\\{-? *(prompt|messages|vars(?:\\.[^\\s{}|.]{1,128}){1,20}) *-?}}");

    /** Characters that may be sent once all is filled. */
    public static final int MAX_FILLED = 4 * 1024 * 1024;

    private static final String VARS = "vars.";

    public Places {
        vars = Map.copyOf(vars);
    }

    /** The problem with {@code text}, as the end of a sentence; null: none. */
    public static @Nullable String problem(String text) {
        String rest = PLACE.matcher(text).replaceAll("");
        int begin = rest.indexOf("{{") >= 0 ? rest.indexOf("{{") : rest.indexOf("{%");
        return begin < 0
                ? null
                : "has a place that is not known, at \"" + Excerpt.of(rest.substring(begin), 40)
                        + "\"; places are {{prompt}}, {{messages}} and {{vars.name}}";
    }

    /**
     * {@code body} with every place filled. A text that is a place and nothing else becomes its value, be it a list, an object or a
     * number.
     *
     * @throws AssayException INVALID_INPUT when that is more than {@value #MAX_FILLED} characters
     */
    public JsonNode fill(JsonNode body) {
        return new Filling().node(body);
    }

    /** {@code text} with every place filled by {@code written} of its value; bounded as {@link #fill}. */
    public String fill(String text, UnaryOperator<String> written) {
        return new Filling().text(text, written);
    }

    private JsonNode value(String named) {
        return switch (named) {
            case "prompt" -> TextNode.valueOf(prompt);
            case "messages" -> messages;
            default -> variable(named.substring(VARS.length()).split("\\."));
        };
    }

    private JsonNode variable(String[] names) {
        JsonNode value = vars.getOrDefault(names[0], MissingNode.getInstance());
        for (int i = 1; i < names.length; i++) {
            value = value.isArray() && names[i].matches("\\d{1,9}")
                    ? value.path(Integer.parseInt(names[i]))
                    : value.path(names[i]);
        }
        return value.isMissingNode() ? TextNode.valueOf("") : value;
    }

    private static String written(JsonNode value) {
        return value.isContainerNode() ? value.toString() : TemplateValues.written(TemplateValues.of(value));
    }

    /** Counts what is filled: a long var may stand in many places. */
    private final class Filling {

        private long left = MAX_FILLED;

        JsonNode node(JsonNode node) {
            if (node.isTextual()) {
                Matcher only = PLACE.matcher(node.textValue());
                return only.matches() ? whole(value(only.group(1))) : TextNode.valueOf(text(node.textValue(), s -> s));
            }
            if (node.isArray()) {
                ArrayNode filled = JsonNodeFactory.instance.arrayNode(node.size());
                node.forEach(item -> filled.add(node(item)));
                return filled;
            }
            if (node.isObject()) {
                ObjectNode filled = JsonNodeFactory.instance.objectNode();
                node.properties().forEach(field -> filled.set(field.getKey(), node(field.getValue())));
                return filled;
            }
            return node;
        }

        private JsonNode whole(JsonNode value) {
            count(
                    value.isTextual()
                            ? value.textValue().length()
                            : value.toString().length());
            return value;
        }

        String text(String text, UnaryOperator<String> written) {
            String filled = PLACE.matcher(text).replaceAll(place -> Matcher.quoteReplacement(place(place, written)));
            count(text.length());
            return filled;
        }

        private String place(MatchResult place, UnaryOperator<String> written) {
            String value = written(value(place.group(1)));
            count(value.length());
            return written.apply(value);
        }

        private void count(int characters) {
            left -= characters;
            if (left < 0) {
                throw new AssayException(
                        ErrorCode.INVALID_INPUT, "The request has more than " + MAX_FILLED + " characters; say less.");
            }
        }
    }
}
