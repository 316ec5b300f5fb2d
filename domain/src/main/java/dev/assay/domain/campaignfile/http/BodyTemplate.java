package dev.assay.domain.campaignfile.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.json.Json;
import dev.assay.domain.template.Places;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The reader of the {@code body} of a system under test: JSON with places in its texts, or a text. */
final class BodyTemplate {

    private BodyTemplate() {}

    /** The body; null: there is none, or it is wrong, which was reported. */
    static @Nullable JsonNode read(FieldReader branch, Map<String, String> headers) {
        JsonNode body = branch.node("body");
        if (body == null || body.isNull()) {
            return null;
        }
        if (!body.isTextual() && !body.isContainerNode()) {
            branch.problem(
                    "body", "`body` must be an object, a list or a text, but is " + ActualValue.describe(body) + ".");
            return null;
        }
        JsonNode read = body.isTextual() && isJson(body.textValue(), headers) ? parsed(body.textValue(), branch) : body;
        String wrong = read == null ? null : problem(read);
        if (wrong != null) {
            branch.problem("body", "`body` " + wrong + ".");
        }
        return read;
    }

    private static boolean isJson(String text, Map<String, String> headers) {
        String type = headers.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase("Content-Type"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
        String begin = text.strip();
        boolean looksSo = begin.startsWith("[") || (begin.startsWith("{") && !begin.startsWith("{{"));
        return type.isEmpty() ? looksSo : type.toLowerCase(Locale.ROOT).contains("json");
    }

    private static @Nullable JsonNode parsed(String text, FieldReader branch) {
        try {
            return Json.mapper().readTree(quoted(text));
        } catch (JsonProcessingException e) {
            branch.problem(
                    "body",
                    "`body` is sent as JSON, but is none: " + e.getOriginalMessage()
                            + ". Write it as an object, or another `Content-Type` in `headers`.");
            return null;
        }
    }

    /** {@code text} with quotes around each place that stands outside of a JSON text. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder();
        Matcher place = Places.PLACE.matcher(text);
        boolean inText = false;
        int i = 0;
        while (i < text.length()) {
            char next = text.charAt(i);
            if (next == '{' && place.region(i, text.length()).lookingAt()) {
                quoted.append(inText ? place.group() : '"' + place.group() + '"');
                i = place.end();
                continue;
            }
            boolean escapes = inText && next == '\\' && i + 1 < text.length();
            inText ^= next == '"';
            quoted.append(text, i, escapes ? i + 2 : i + 1);
            i += escapes ? 2 : 1;
        }
        return quoted.toString();
    }

    private static @Nullable String problem(JsonNode node) {
        if (node.isTextual()) {
            return Places.problem(node.textValue());
        }
        for (JsonNode child : node) {
            String wrong = problem(child);
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }
}
