package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ImplicitTuple;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** The writer of trees as YAML that people read and change, by the schema of {@link DocumentText#parse}. */
public final class YamlText {

    private static final DumpSettings SETTINGS = DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setWidth(120)
            .build();

    /** Tells which type a reader takes a text without quotes for. */
    private static final ScalarResolver RESOLVER = new CoreSchema().getScalarResolver();

    private final List<Event> events = new ArrayList<>();

    private YamlText() {}

    /** {@code tree} as a document of YAML that is read back as the same tree. */
    public static String write(JsonNode tree) {
        YamlText text = new YamlText();
        text.events.add(new StreamStartEvent());
        text.events.add(new DocumentStartEvent(false, Optional.empty(), Map.of()));
        text.add(tree);
        text.events.add(new DocumentEndEvent(false));
        text.events.add(new StreamEndEvent());
        return new Present(SETTINGS).emitToString(text.events.iterator());
    }

    private void add(JsonNode node) {
        switch (node.getNodeType()) {
            case OBJECT -> {
                events.add(new MappingStartEvent(Optional.empty(), Optional.empty(), true, FlowStyle.BLOCK));
                node.properties().forEach(field -> {
                    addText(field.getKey());
                    add(field.getValue());
                });
                events.add(new MappingEndEvent());
            }
            case ARRAY -> {
                events.add(new SequenceStartEvent(Optional.empty(), Optional.empty(), true, FlowStyle.BLOCK));
                node.forEach(this::add);
                events.add(new SequenceEndEvent());
            }
            case NUMBER -> addScalar(node.isIntegralNumber() ? Tag.INT : Tag.FLOAT, node.asText(), ScalarStyle.PLAIN);
            case BOOLEAN -> addScalar(Tag.BOOL, node.asText(), ScalarStyle.PLAIN);
            case STRING -> addText(node.textValue());
            default -> addScalar(Tag.NULL, "null", ScalarStyle.PLAIN);
        }
    }

    /** Several lines stand in quotes where they begin or end with white space: no reader takes such a block. */
    private void addText(String text) {
        boolean isOneLine = text.indexOf('\n') < 0 && text.indexOf('\r') < 0;
        boolean isBlock = !isOneLine && text.equals(text.strip());
        addScalar(
                Tag.STR,
                text,
                isOneLine ? ScalarStyle.PLAIN : isBlock ? ScalarStyle.LITERAL : ScalarStyle.DOUBLE_QUOTED);
    }

    /** The writer leaves the type out where a reader finds it, and puts a text in quotes that would be read as another type. */
    private void addScalar(Tag tag, String value, ScalarStyle style) {
        boolean plain = tag.equals(RESOLVER.resolve(value, true));
        boolean quoted = tag.equals(RESOLVER.resolve(value, false));
        events.add(new ScalarEvent(
                Optional.empty(), Optional.of(tag.getValue()), new ImplicitTuple(plain, quoted), value, style));
    }
}
