package dev.assay.domain.results.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.results.form.Warnings;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Texts of a sample: attachments in their place, and contents without what is no text. */
final class SampleText {

    private static final String ATTACHMENT = "attachment://";

    private SampleText() {}

    /** {@code value} with attachments in the place of their names; an unknown name stays. */
    static JsonNode resolved(JsonNode value, JsonNode attachments, Warnings warnings) {
        if (value.isTextual() && value.textValue().startsWith(ATTACHMENT)) {
            JsonNode found = attachments.get(value.textValue().substring(ATTACHMENT.length()));
            if (found == null) {
                warnings.add("A sample names an attachment that the log does not have: its name stands for it.");
            }
            return found == null ? value : found;
        }
        if (value.isArray()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode(value.size());
            value.forEach(item -> array.add(resolved(item, attachments, warnings)));
            return array;
        }
        if (value.isObject()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            value.properties()
                    .forEach(field -> object.set(field.getKey(), resolved(field.getValue(), attachments, warnings)));
            return object;
        }
        return value;
    }

    /** The text of a content: itself, or its blocks of text joined by LF. */
    static String of(@Nullable JsonNode content, Warnings warnings) {
        if (content == null || !content.isArray()) {
            return content == null ? "" : content.asText("");
        }
        return StreamSupport.stream(content.spliterator(), false)
                .filter(block -> isText(block, warnings))
                .map(block -> block.path("text").asText(""))
                .collect(Collectors.joining("\n"));
    }

    private static boolean isText(JsonNode block, Warnings warnings) {
        String type = block.path("type").asText("");
        if (type.equals("image") || type.equals("audio") || type.equals("video") || type.equals("document")) {
            warnings.add("A message holds " + type + ", which is left out.");
        }
        return type.equals("text");
    }
}
