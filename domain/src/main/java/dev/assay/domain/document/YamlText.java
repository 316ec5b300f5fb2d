package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Trees as YAML that people read and change, by the schema of {@link DocumentText#parse}. */
public final class YamlText {

    private static final DumpSettings SETTINGS = DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setSchema(new OneResolver())
            .setWidth(120)
            .build();

    private YamlText() {}

    /** {@code tree} as a document of YAML that is read back as the same tree. */
    public static String write(JsonNode tree) {
        return new Dump(SETTINGS, new Texts()).dumpToString(Json.mapper().convertValue(tree, Object.class));
    }

    /** The core schema of YAML 1.2. The library's own makes a resolver with all its patterns for each value that is written. */
    private static final class OneResolver extends CoreSchema {

        private final ScalarResolver resolver = super.getScalarResolver();

        @Override
        public ScalarResolver getScalarResolver() {
            return resolver;
        }
    }

    /** Several lines stand in quotes where they begin or end with white space: no reader takes such a block. */
    private static final class Texts extends StandardRepresenter {

        Texts() {
            super(SETTINGS);
            representers.put(String.class, text -> represent((String) text));
        }

        private Node represent(String text) {
            boolean isOneLine = text.indexOf('\n') < 0 && text.indexOf('\r') < 0;
            boolean isBlock = !isOneLine && text.equals(text.strip());
            return representScalar(
                    Tag.STR,
                    text,
                    isOneLine ? ScalarStyle.PLAIN : isBlock ? ScalarStyle.LITERAL : ScalarStyle.DOUBLE_QUOTED);
        }
    }
}
