package dev.assay.domain.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A field in which the definitions of two campaigns differ. The names are those of its JSON.
 *
 * @param path such as {@code branch.model}, {@code trials} or {@code gate.passThreshold}
 * @param a what the first has: a text as it is, anything else as JSON; null: nothing
 * @param b what the second has; null: nothing
 */
public record DefinitionDifference(
        String path, @Nullable String a, @Nullable String b) {

    /** The fields of two documents that differ, by path. Lists differ as a whole. */
    public static List<DefinitionDifference> of(JsonNode a, JsonNode b) {
        List<DefinitionDifference> differences = new ArrayList<>();
        add("", a, b, differences);
        return differences;
    }

    private static void add(
            String path, @Nullable JsonNode a, @Nullable JsonNode b, List<DefinitionDifference> differences) {
        if (a != null && b != null && a.isObject() && b.isObject()) {
            Set<String> names = new TreeSet<>();
            a.fieldNames().forEachRemaining(names::add);
            b.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                add(path.isEmpty() ? name : path + "." + name, a.get(name), b.get(name), differences);
            }
        } else if (!isSame(a, b)) {
            differences.add(new DefinitionDifference(path, value(a), value(b)));
        }
    }

    /** Numbers are the same when their values are, however they are written. */
    private static boolean isSame(@Nullable JsonNode a, @Nullable JsonNode b) {
        if (a == null || b == null) {
            return a == null && b == null;
        }
        return a.equals(
                (one, other) -> one.isNumber() && other.isNumber()
                        ? one.decimalValue().compareTo(other.decimalValue())
                        : one.equals(other) ? 0 : 1,
                b);
    }

    private static @Nullable String value(@Nullable JsonNode node) {
        if (node == null || node.isNull()) {
            return null;
        }
        return node.isTextual() ? node.textValue() : node.toString();
    }
}
