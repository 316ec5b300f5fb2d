package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.text.Excerpt;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reader of the fields of one object. It reports every error with its path.
 *
 * <p>A method that meets an error reports it and returns a stand-in: its fallback, an empty text or an empty list. So the reading
 * goes on and finds all errors. Nothing that was built from stand-ins survives: the reading ends with {@link Problems#throwIfAny}.
 *
 * <p>A field that is written as null counts as given. Only the methods named {@code nullable…} take null, as absence.
 */
public final class FieldReader {

    private final ObjectNode object;
    private final String path;
    private final Fields fields;
    private final Problems problems;

    private FieldReader(ObjectNode object, String path, Fields fields, Problems problems) {
        this.object = object;
        this.path = path;
        this.fields = fields;
        this.problems = problems;
    }

    /**
     * Begins to read the object {@code node}, and reports its unknown fields. When it is no object, that is reported once; the
     * reader then finds nothing and reports nothing more.
     */
    public static FieldReader of(JsonNode node, String path, Fields fields, Problems problems) {
        ReadingSteps.step();
        if (node instanceof ObjectNode object) {
            FieldReader reader = new FieldReader(object, path, fields, problems);
            reader.reportUnknown();
            return reader;
        }
        String subject = path.isEmpty() ? "The document" : "`" + path + "`";
        String advice = " with fields such as "
                + String.join(
                        ", ",
                        fields.names().subList(0, Math.min(2, fields.names().size())));
        problems.add(path, subject + " must be an object" + advice + ", but is " + ActualValue.describe(node) + ".");
        return new FieldReader(JsonNodeFactory.instance.objectNode(), path, fields, new Problems());
    }

    private void reportUnknown() {
        int unseen = 0;
        Iterator<String> names = object.fieldNames();
        while (names.hasNext()) {
            String name = names.next();
            if (fields.names().contains(name)) {
                continue;
            }
            if (problems.isFull()) {
                unseen++;
            } else {
                String unknown = "Unknown field `" + Excerpt.of(name, 60) + "`; ";
                String advice = fields.place(name)
                        .map(place -> "write it as `" + place + "`.")
                        .orElseGet(() -> Suggestion.of(name, fields.names(), "fields here"));
                problems.add(path(name), unknown + advice);
            }
        }
        problems.addUnseen(unseen);
    }

    /** The same fields, read without reporting anything. */
    public FieldReader silent() {
        return new FieldReader(object, path, fields, new Problems());
    }

    /** The path of the field {@code name}. */
    public String path(String name) {
        return DocumentPath.field(path, name);
    }

    public Problems problems() {
        return problems;
    }

    /** Reports an error of the field {@code name}. */
    public void problem(String name, String message) {
        problems.add(path(name), message);
    }

    /** Whether an error of the field {@code name} itself was reported. */
    public boolean isWrong(String name) {
        return problems.foundAt(path(name));
    }

    /** Whether the field is written, be it as null. */
    public boolean has(String name) {
        return object.has(name);
    }

    /** Whether the field is written and not null. */
    public boolean hasValue(String name) {
        return object.hasNonNull(name);
    }

    /** The field's value; null: it is not written. */
    public @Nullable JsonNode node(String name) {
        return object.get(name);
    }

    /** The field's value, which must be written; null: it is not, which was reported. */
    public @Nullable JsonNode required(String name) {
        JsonNode node = object.get(name);
        if (node == null) {
            problem(name, "`" + name + "` is missing; add it.");
        }
        return node;
    }

    /** A text that must be written; it may be empty. */
    public String anyText(String name) {
        JsonNode node = required(name);
        return node == null ? "" : textOf(name, node);
    }

    /** A text that must be written and not blank. */
    public String text(String name) {
        String text = anyText(name);
        if (text.isBlank() && !isWrong(name)) {
            problem(name, "`" + name + "` must not be blank; write a text.");
        }
        return text;
    }

    /** A text on one line that must be written: not blank, no control characters, at most {@code max} characters. */
    public String line(String name, int max) {
        String text = text(name);
        String wrong = TextRules.lineProblem(text, max);
        if (wrong != null && !isWrong(name)) {
            problem(name, "`" + name + "` " + wrong + ".");
        }
        return text;
    }

    /** A text that is not blank; null: not written, or written as null. */
    public @Nullable String nullableText(String name) {
        return hasValue(name) ? text(name) : null;
    }

    /** An id that must be written (see {@link IdRule}). */
    public String id(String name) {
        String id = anyText(name);
        String wrong = isWrong(name) ? null : IdRule.problem(id);
        if (wrong != null) {
            problem(name, "`" + name + "` " + wrong + "; choose another id.");
        }
        return id;
    }

    private String textOf(String name, JsonNode node) {
        if (node.isTextual()) {
            return node.textValue();
        }
        String found = ActualValue.describe(node) + ActualValue.adviceForText(node);
        problem(name, "`" + name + "` must be text, but is " + found + ".");
        return "";
    }

    /** {@code true} or {@code false}. */
    public boolean flag(String name, boolean fallback) {
        JsonNode node = object.get(name);
        if (node == null || node.isBoolean()) {
            return node == null ? fallback : node.booleanValue();
        }
        String found = ActualValue.describe(node) + ActualValue.adviceForPlain(node);
        problem(name, "`" + name + "` must be true or false, but is " + found + ".");
        return fallback;
    }

    /** One of {@code words}, which must be written; null: it is not or is another word, which was reported. */
    public <T> @Nullable T word(String name, Map<String, T> words) {
        JsonNode node = required(name);
        return node == null ? null : wordOf(name, node, words);
    }

    /** One of {@code words}; {@code fallback} when it is not written or, which is reported, another word. */
    public <T> T word(String name, Map<String, T> words, T fallback) {
        JsonNode node = object.get(name);
        T value = node == null ? null : wordOf(name, node, words);
        return value == null ? fallback : value;
    }

    private <T> @Nullable T wordOf(String name, JsonNode node, Map<String, T> words) {
        T value = node.isTextual() ? words.get(node.textValue()) : null;
        if (value == null) {
            String advice = node.isTextual() ? Suggestion.after(node.textValue(), words.keySet()) : ".";
            String known = String.join(", ", words.keySet());
            problem(name, "`" + name + "` must be one of " + known + ", but is " + ActualValue.describe(node) + advice);
        }
        return value;
    }

    /** A whole number; {@code rule} keeps it within the range of int. */
    public int integer(String name, NumberRule rule, int fallback) {
        BigDecimal value = decimal(name, rule);
        return value == null ? fallback : value.intValueExact();
    }

    /** A whole number; {@code rule} keeps it within the range of long. */
    public long longInteger(String name, NumberRule rule, long fallback) {
        BigDecimal value = decimal(name, rule);
        return value == null ? fallback : value.longValueExact();
    }

    /** A number of seconds, to the millisecond. */
    public Duration seconds(String name, NumberRule rule, Duration fallback) {
        BigDecimal value = decimal(name, rule.withDecimals(3));
        return value == null
                ? fallback
                : Duration.ofMillis(value.movePointRight(3).longValueExact());
    }

    /** A duration, such as {@code 6h} or {@code PT6H}; null: not written, written as null, or wrong, which was reported. */
    public @Nullable Duration nullableDuration(String name, Duration least, Duration most) {
        String text = nullableText(name);
        Duration duration = text == null || isWrong(name) ? null : WrittenDuration.of(text);
        if (duration != null && duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
            return duration;
        }
        if (text != null && !isWrong(name)) {
            String from = WrittenDuration.written(least);
            problem(
                    name,
                    "`%s` must be a duration from %s to %s, such as %s or %s, but is %s."
                            .formatted(
                                    name,
                                    from,
                                    WrittenDuration.written(most),
                                    from,
                                    least,
                                    Excerpt.of("\"" + text + "\"", 60)));
        }
        return null;
    }

    /** A number; null: not written, or wrong, which was reported. */
    public @Nullable BigDecimal decimal(String name, NumberRule rule) {
        JsonNode node = object.get(name);
        return node == null ? null : rule.read(name, node, path(name), problems);
    }

    /** A number; null: not written, written as null, or wrong, which was reported. */
    public @Nullable BigDecimal nullableDecimal(String name, NumberRule rule) {
        return hasValue(name) ? decimal(name, rule) : null;
    }

    /** An object; null: it is not written. */
    public @Nullable FieldReader object(String name, Fields known) {
        JsonNode node = object.get(name);
        return node == null ? null : of(node, path(name), known, problems);
    }

    /** An object of which every field has a default: when it is not written, the reader finds no field. */
    public FieldReader objectOrEmpty(String name, Fields known) {
        FieldReader reader = object(name, known);
        return reader == null
                ? new FieldReader(JsonNodeFactory.instance.objectNode(), path(name), known, problems)
                : reader;
    }

    /** Values under names that the user chooses; none when it is not written. */
    public Map<String, JsonNode> entries(String name) {
        Map<String, JsonNode> entries = new LinkedHashMap<>();
        JsonNode node = object.get(name);
        if (node != null && !node.isObject()) {
            problem(name, "`" + name + "` must be an object, but is " + ActualValue.describe(node) + ".");
        } else if (node != null) {
            node.properties().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
        }
        return entries;
    }

    /** Objects under names that the user chooses; none when it is not written, or written as null. */
    public Map<String, FieldReader> nullableObjects(String name, Fields known) {
        Map<String, FieldReader> readers = new LinkedHashMap<>();
        if (hasValue(name)) {
            entries(name)
                    .forEach((key, value) ->
                            readers.put(key, of(value, DocumentPath.field(path(name), key), known, problems)));
        }
        return readers;
    }

    /** A list; empty when it is not written. */
    public <T> List<T> list(String name, ItemReader<T> items) {
        JsonNode node = object.get(name);
        return node == null ? List.of() : itemsOf(name, node, items);
    }

    /** A list that must be written and have an item. */
    public <T> List<T> nonEmptyList(String name, ItemReader<T> items) {
        JsonNode node = required(name);
        if (node == null) {
            return List.of();
        }
        if (node.isArray() && node.isEmpty()) {
            problem(name, "`" + name + "` must have at least one item; it is an empty list.");
        }
        return itemsOf(name, node, items);
    }

    private <T> List<T> itemsOf(String name, JsonNode node, ItemReader<T> items) {
        if (!node.isArray()) {
            problem(name, "`" + name + "` must be a list, but is " + ActualValue.describe(node) + ".");
            return List.of();
        }
        List<T> values = new ArrayList<>(node.size());
        String list = path(name);
        for (int i = 0; i < node.size(); i++) {
            T value = items.read(node.get(i), DocumentPath.item(list, i), problems);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    /** The reader of one item of a list. */
    @FunctionalInterface
    public interface ItemReader<T> {
        /** The item; null: it is unusable, which was reported. */
        @Nullable
        T read(JsonNode node, String path, Problems problems);
    }
}
