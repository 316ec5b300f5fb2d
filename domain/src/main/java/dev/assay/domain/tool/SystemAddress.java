package dev.assay.domain.tool;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.template.Places;
import java.net.URI;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The address of a system under test: its places are filled as those of {@link UrlTemplate} are. */
public final class SystemAddress {

    private SystemAddress() {}

    /** The problem with {@code text}, as the end of a sentence; null: none. */
    public static @Nullable String problem(String text) {
        String wrong = Places.problem(text);
        String rest = Places.PLACE.matcher(text).replaceAll("");
        if (wrong == null && (rest.contains("{") || rest.contains("}"))) {
            return "has a brace that is no place such as {{prompt}}";
        }
        return wrong == null ? UrlTemplate.problem(numbered(text)) : wrong;
    }

    /** The address with a stand-in in every place, for comparison with an allow-list. */
    public static URI sample(String text) {
        return new UrlTemplate(numbered(text)).sample();
    }

    /**
     * The address.
     *
     * @throws ToolException when what fills it is too long, or would lead elsewhere
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when it is far too long
     */
    public static URI fill(String text, Places values) {
        ObjectNode arguments = JsonNodeFactory.instance.objectNode();
        Matcher place = Places.PLACE.matcher(text);
        for (int i = 0; place.find(); i++) {
            arguments.put("p" + i, values.fill(place.group(), value -> value));
        }
        return new UrlTemplate(numbered(text)).fill(arguments);
    }

    private static String numbered(String text) {
        StringBuilder numbered = new StringBuilder();
        Matcher place = Places.PLACE.matcher(text);
        for (int i = 0; place.find(); i++) {
            place.appendReplacement(numbered, "{p" + i + "}");
        }
        return place.appendTail(numbered).toString();
    }
}
