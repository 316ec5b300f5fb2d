package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.text.Excerpt;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Builds a tree from the events of a YAML parser. It works on events, not on the parser's own trees, so that depth, aliases
 * and names are bounded while the text is read.
 */
final class YamlTree {

    /** How many values all aliases together may stand for. A few lines can otherwise grow to billions of values. */
    private static final int MAX_ALIASED = 100_000;

    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setCodePointLimit(DocumentText.MAX_BYTES).build();

    /** Longest line in UTF-16 code units: the parser's time grows with the square of a line's length, here to seconds. */
    private static final int MAX_LINE = 2_000_000;

    private final Deque<Open> open = new ArrayDeque<>();
    private final Map<Anchor, JsonNode> anchors = new HashMap<>();
    private @Nullable JsonNode root;
    private int documents;
    private int aliased;

    /** An object or list whose end was not read yet. */
    private static final class Open {
        private final JsonNode node;
        private final Optional<Anchor> anchor;
        /** The name that waits for its value; null: a name comes next, or the node is a list. */
        private @Nullable String name;

        Open(JsonNode node, Optional<Anchor> anchor) {
            this.node = node;
            this.anchor = anchor;
        }
    }

    private YamlTree() {}

    /** @throws AssayException MALFORMED_INPUT */
    static JsonNode read(String text) {
        refuseLongLines(text);
        YamlTree tree = new YamlTree();
        try {
            for (Event event : new Parse(SETTINGS).parseString(text)) {
                tree.accept(event);
            }
        } catch (MarkedYamlEngineException e) {
            throw malformed(e.getProblemMark().or(e::getContextMark), sentence(e.getProblem()));
        } catch (ReaderException e) {
            throw malformed(text, e);
        } catch (YamlEngineException e) {
            throw DocumentText.malformed(sentence(e.getMessage()));
        }
        if (tree.root == null || tree.root.isNull()) {
            throw DocumentText.malformed("The document is empty; write at least one field.");
        }
        return tree.root;
    }

    private static void refuseLongLines(String text) {
        int line = 1;
        for (int start = 0; start < text.length(); line++) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            if (end - start > MAX_LINE) {
                String message =
                        "The line has more than 2,000,000 characters; break it, or write the document as JSON.";
                throw DocumentText.malformed(line, MAX_LINE + 1, message);
            }
            start = end + 1;
        }
    }

    private void accept(Event event) {
        switch (event.getEventId()) {
            case DocumentStart -> startDocument(event);
            case Scalar -> scalar((ScalarEvent) event);
            case Alias -> alias((AliasEvent) event);
            case SequenceStart -> start((CollectionStartEvent) event, JsonNodeFactory.instance.arrayNode());
            case MappingStart -> start((CollectionStartEvent) event, JsonNodeFactory.instance.objectNode());
            case SequenceEnd, MappingEnd -> end();
            case StreamStart, StreamEnd, DocumentEnd, Comment -> {}
        }
    }

    private void startDocument(Event event) {
        documents++;
        if (documents > 1) {
            throw malformed(event.getStartMark(), "A second YAML document begins here; keep one document in a file.");
        }
    }

    private void scalar(ScalarEvent event) {
        refuseTag(event.getTag(), event);
        Open parent = open.peek();
        if (parent != null && parent.node.isObject() && parent.name == null) {
            name(parent, event);
            return;
        }
        JsonNode value = YamlScalar.read(event);
        if (value == null) {
            throw malformed(
                    event.getStartMark(), "The number has too many digits; write another, or put it in quotes.");
        }
        event.getAnchor().ifPresent(anchor -> anchors.put(anchor, value));
        put(value);
    }

    private static void name(Open parent, ScalarEvent event) {
        String name = event.getValue();
        if (parent.node.has(name)) {
            String quoted = "`" + Excerpt.of(name, 60) + "`";
            throw malformed(event.getStartMark(), "The field " + quoted + " is given twice; keep one.");
        }
        parent.name = name;
    }

    private void alias(AliasEvent event) {
        refuseAsName(event);
        JsonNode original = anchors.get(event.getAlias());
        String quoted = "`*" + Excerpt.of(event.getAlias().getValue(), 60) + "`";
        if (original == null) {
            throw malformed(event.getStartMark(), "The alias " + quoted + " names no value before it.");
        }
        aliased += size(original, MAX_ALIASED - aliased);
        if (aliased >= MAX_ALIASED) {
            throw malformed(event.getStartMark(), "The aliases stand for too many values; write them out.");
        }
        put(original.deepCopy());
    }

    /** Values in {@code node}, counted up to {@code enough}. */
    private static int size(JsonNode node, int enough) {
        int size = 1;
        for (JsonNode child : node) {
            if (size >= enough) {
                break;
            }
            size += size(child, enough - size);
        }
        return size;
    }

    private void start(CollectionStartEvent event, JsonNode node) {
        refuseTag(event.getTag(), event);
        refuseAsName(event);
        if (open.size() > Storable.MAX_DEPTH) {
            String message =
                    "The document is nested more than " + Storable.MAX_DEPTH + " levels deep; make it flatter.";
            throw malformed(event.getStartMark(), message);
        }
        open.push(new Open(node, event.getAnchor()));
    }

    private void end() {
        Open closed = open.pop();
        closed.anchor.ifPresent(anchor -> anchors.put(anchor, closed.node));
        put(closed.node);
    }

    private void put(JsonNode value) {
        Open parent = open.peek();
        if (parent == null) {
            root = value;
        } else if (parent.node instanceof ObjectNode object && parent.name != null) {
            object.set(parent.name, value);
            parent.name = null;
        } else if (parent.node instanceof ArrayNode array) {
            array.add(value);
        }
    }

    private void refuseAsName(Event event) {
        Open parent = open.peek();
        if (parent != null && parent.node.isObject() && parent.name == null) {
            throw malformed(event.getStartMark(), "The name of a field must be plain text; write it out.");
        }
    }

    private static void refuseTag(Optional<String> tag, Event event) {
        if (tag.isPresent()) {
            String message = "The YAML tag `" + Excerpt.of(tag.get(), 60)
                    + "` is not allowed; remove it, and put texts in quotes.";
            throw malformed(event.getStartMark(), message);
        }
    }

    private static AssayException malformed(Optional<Mark> mark, String message) {
        return mark.map(m -> DocumentText.malformed(m.getLine() + 1, m.getColumn() + 1, message))
                .orElseGet(() -> DocumentText.malformed(message));
    }

    private static AssayException malformed(String text, ReaderException error) {
        int end = text.offsetByCodePoints(0, Math.min(error.getPosition(), text.codePointCount(0, text.length())));
        String before = text.substring(0, end);
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        int column = before.codePointCount(before.lastIndexOf('\n') + 1, end) + 1;
        String character = "U+%04X".formatted(error.getCodePoint());
        return DocumentText.malformed(
                line, column, "The character " + character + " is not allowed in YAML; remove it.");
    }

    private static String sentence(@Nullable String problem) {
        return problem == null || problem.isBlank() ? "This is not YAML." : Excerpt.of(problem) + ".";
    }
}
