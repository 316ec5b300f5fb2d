package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
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
 * The builder of a tree from the events of a YAML parser. It works on events, not on the parser's own trees, so that depth, aliases
 * and names are bounded while the text is read.
 */
final class YamlTree {

    /** The number of values that all aliases together may stand for. A few lines can otherwise grow to billions of values. */
    private static final int MAX_ALIASED = 100_000;

    /** Longest line in bytes of UTF-8. */
    private static final int MAX_LINE = 1024 * 1024;

    private final Deque<Open> open = new ArrayDeque<>();
    private final Map<Anchor, JsonNode> anchors = new HashMap<>();
    private @Nullable JsonNode root;
    private int documents;
    private int aliased;
    private final int maxNodes;
    private final Runnable onStep;
    private int nodes;

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

    private YamlTree(int maxNodes, Runnable onStep) {
        this.maxNodes = maxNodes;
        this.onStep = onStep;
    }

    /**
     * Reads {@code text}; one that says nothing is null.
     *
     * @param maxNodes how many values and names it may have
     * @param onStep called at every step; its exceptions end the reading
     * @throws AssayException MALFORMED_INPUT
     */
    static JsonNode read(String text, int maxNodes, Runnable onStep) {
        refuseLongLines(text);
        YamlTree tree = new YamlTree(maxNodes, onStep);
        try {
            for (Event event : new Parse(settings(text)).parseReader(new WholeCharacters(text))) {
                tree.accept(event);
            }
        } catch (MarkedYamlEngineException e) {
            throw malformed(e.getProblemMark().or(e::getContextMark), sentence(e.getProblem()));
        } catch (ReaderException e) {
            throw malformed(text, e);
        } catch (YamlEngineException e) {
            throw DocumentText.malformed(sentence(e.getMessage()));
        }
        return tree.root == null ? NullNode.instance : tree.root;
    }

    /** The parser copies what it has read of a line each time that its buffer is empty: one that holds a line copies once. */
    private static LoadSettings settings(String text) {
        return LoadSettings.builder()
                .setCodePointLimit(DocumentText.MAX_BYTES)
                .setBufferSize(Math.clamp(text.length() + 2L, 1024, MAX_LINE + 2))
                .build();
    }

    private static void refuseLongLines(String text) {
        int line = 1;
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            boolean breaks = unit == '\n' || unit == '\r';
            bytes = breaks ? 0 : bytes + DocumentText.bytes(unit);
            line += unit == '\n' ? 1 : 0;
            if (bytes > MAX_LINE) {
                String message = "The line has more than 1 MB; break it, or write the document as JSON.";
                throw DocumentText.malformed("Line " + line + ": " + message);
            }
        }
    }

    private void accept(Event event) {
        if (nodes > maxNodes) {
            throw DocumentText.tooManyNodes();
        }
        ReadingSteps.step();
        onStep.run();
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
        nodes++;
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
        int size = size(original, MAX_ALIASED - aliased);
        aliased += size;
        nodes += size;
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
        nodes++;
        if (open.size() > DocumentLimits.MAX_DEPTH) {
            String message =
                    "The document is nested more than " + DocumentLimits.MAX_DEPTH + " levels deep; make it flatter.";
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
