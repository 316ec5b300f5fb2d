package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.JsonNumbers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bounds on values that no field of a document may hold, because they could not be stored or walked through. */
public final class DocumentLimits {

    /** The deepest nesting of objects and lists. */
    public static final int MAX_DEPTH = 100;

    private DocumentLimits() {}

    /** The place of a value. The path is written out only where something is wrong: it may be longer than the value. */
    private record Place(@Nullable Place parent, String name, int index) {

        static Place root(String path) {
            return new Place(null, path, 0);
        }

        Place field(String field) {
            return new Place(this, field, -1);
        }

        Place item(int item) {
            return new Place(this, "", item);
        }

        String path() {
            Deque<Place> places = new ArrayDeque<>();
            Place place = this;
            for (; place.parent != null; place = place.parent) {
                places.push(place);
            }
            StringBuilder path = new StringBuilder(place.name);
            for (Place next : places) {
                String step = next.index < 0 ? DocumentPath.field("", next.name) : DocumentPath.item("", next.index);
                path.append(path.isEmpty() || step.startsWith("[") ? "" : ".").append(step);
            }
            return path.toString();
        }
    }

    /** Whether {@code root} is nested at most {@value #MAX_DEPTH} levels deep; else reports where it is deeper. */
    public static boolean isShallow(JsonNode root, String path, Problems problems) {
        return isShallow(root, Place.root(path), 0, problems);
    }

    private static boolean isShallow(JsonNode node, Place place, int depth, Problems problems) {
        if (depth > MAX_DEPTH) {
            String message = "The document is nested more than " + MAX_DEPTH + " levels deep here; make it flatter.";
            problems.add(place.path(), message);
            return false;
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            JsonNode item = node.get(i);
            if (item.isContainerNode() && !isShallow(item, place.item(i), depth + 1, problems)) {
                return false;
            }
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            JsonNode value = field.getValue();
            if (value.isContainerNode() && !isShallow(value, place.field(field.getKey()), depth + 1, problems)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reports texts and names with U+0000 (PostgreSQL cannot store it) or with half a surrogate pair (no UTF-8 form). Also numbers
     * that cannot be written out. Paths at which an error was found already are left alone.
     */
    public static void check(JsonNode node, String path, Problems problems) {
        check(node, Place.root(path), problems);
    }

    private static void check(JsonNode node, Place place, Problems problems) {
        switch (node.getNodeType()) {
            case STRING -> report(wrong(node.textValue()), place, problems);
            case NUMBER -> report(wrong(node), place, problems);
            case ARRAY -> {
                for (int i = 0; i < node.size(); i++) {
                    check(node.get(i), place.item(i), problems);
                }
            }
            case OBJECT -> {
                for (Map.Entry<String, JsonNode> field : node.properties()) {
                    Place inner = place.field(field.getKey());
                    report(wrong(field.getKey()), inner, problems);
                    check(field.getValue(), inner, problems);
                }
            }
            case BOOLEAN, NULL, MISSING, BINARY, POJO -> {}
        }
    }

    private static void report(@Nullable String wrong, Place place, Problems problems) {
        if (wrong == null) {
            return;
        }
        if (problems.isFull()) {
            problems.addUnseen(1);
            return;
        }
        String path = place.path();
        if (!problems.foundAt(path)) {
            problems.add(path, wrong);
        }
    }

    private static @Nullable String wrong(String text) {
        if (text.indexOf('\0') >= 0) {
            return "The text holds the character U+0000, which cannot be stored; remove it.";
        }
        return hasHalf(text) ? "The text holds half of a surrogate pair, which is no character; remove it." : null;
    }

    private static boolean hasHalf(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int codePoint = text.codePointAt(i);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String wrong(JsonNode number) {
        return JsonNumbers.isReadable(number)
                ? null
                : "The number is not finite or has too many digits; write another.";
    }
}
