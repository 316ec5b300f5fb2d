package dev.assay.domain.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.CpuTime;
import dev.assay.domain.json.Json;
import dev.assay.domain.schema.SchemaVerdict.Undecided;
import dev.assay.domain.schema.SchemaVerdict.Valid;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Schemas that would be applied for hours, or for ever. */
class SchemaStepsTest {

    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static SchemaVerdict apply(JsonNode schema, JsonNode document) {
        return CpuTime.within(LONGEST, () -> ResponseSchema.apply(schema, document));
    }

    /** Each part applies the next one twice. */
    private static JsonNode doubling(int depth, String keyword) {
        ObjectNode schema = NODES.objectNode();
        ObjectNode parts = schema.putObject("$defs");
        for (int i = 0; i < depth; i++) {
            ArrayNode twice = parts.putObject("p" + i).putArray(keyword);
            twice.addObject().put("$ref", "#/$defs/p" + (i + 1));
            twice.addObject().put("$ref", "#/$defs/p" + (i + 1));
        }
        parts.putObject("p" + depth).put("type", "integer");
        return schema.put("$ref", "#/$defs/p0");
    }

    /** Many properties that are noted for {@code unevaluatedProperties}, and then many alternatives that fail. */
    private static JsonNode notes(int depth, int chain) {
        ObjectNode schema = NODES.objectNode();
        ObjectNode parts = schema.putObject("$defs");
        parts.setAll((ObjectNode) doubling(depth, "allOf").get("$defs"));
        parts.putObject("p" + depth).putObject("properties").put("a", true);
        doubling(depth, "oneOf")
                .get("$defs")
                .properties()
                .forEach(part -> parts.set(
                        "q" + part.getKey(),
                        Json.tree(part.getValue().toString().replace("#/$defs/", "#/$defs/q"))));
        for (int i = 0; i < chain; i++) {
            parts.putObject("c" + i).put("$ref", "#/$defs/c" + (i + 1));
        }
        ArrayNode both = parts.putObject("c" + chain).putArray("allOf");
        both.addObject().put("$ref", "#/$defs/p0");
        both.addObject().putObject("not").put("$ref", "#/$defs/qp0");
        return schema.put("$ref", "#/$defs/c0").put("unevaluatedProperties", false);
    }

    /** References to one part, each spelled differently: the library reads the part again for each. */
    private static JsonNode spellings() {
        ObjectNode schema = NODES.objectNode();
        ObjectNode part = schema.putObject("$defs").putObject("abcdefghi");
        ObjectNode properties = part.putObject("properties");
        IntStream.range(0, 4_000)
                .forEach(
                        i -> properties.putObject("n" + i).put("type", "string").put("minLength", 1));
        ArrayNode references = schema.putArray("allOf");
        for (int i = 0; i < 512; i++) {
            StringBuilder name = new StringBuilder();
            for (int letter = 0; letter < 9; letter++) {
                name.append((i >> letter & 1) == 0 ? "" + (char) ('a' + letter) : "%6" + (1 + letter));
            }
            references.addObject().put("$ref", "#/$defs/" + name);
        }
        return schema;
    }

    /** Another draft for a part, in which each part applies the next one twice. */
    private static JsonNode otherDraft() {
        ObjectNode schema = (ObjectNode) doubling(40, "allOf");
        schema.get("$defs")
                .forEach(part -> ((ObjectNode) part).put("$schema", "http://json-schema.org/draft-07/schema#"));
        return schema;
    }

    private static JsonNode mutual(int parts) {
        ObjectNode schema = NODES.objectNode();
        ObjectNode all = schema.putObject("$defs");
        for (int i = 0; i < parts; i++) {
            ObjectNode properties = all.putObject("p" + i).putObject("properties");
            for (int j = 0; j < parts; j++) {
                properties.putObject("n" + j).put("$ref", "#/$defs/p" + j);
            }
        }
        return schema.put("$ref", "#/$defs/p0");
    }

    private static JsonNode nested(int depth, String keyword) {
        ObjectNode root = NODES.objectNode();
        ObjectNode at = root;
        for (int i = 0; i < depth; i++) {
            at = at.putObject(keyword);
        }
        return root;
    }

    private static ArrayNode texts(int count, String text) {
        ArrayNode texts = NODES.arrayNode();
        IntStream.range(0, count).forEach(i -> texts.add(text + i));
        return texts;
    }

    static Stream<Arguments> undecided() {
        return Stream.of(
                Arguments.of("allOf doubling", doubling(60, "allOf"), NODES.numberNode(1)),
                Arguments.of("anyOf doubling", doubling(60, "anyOf"), NODES.textNode("x")),
                Arguments.of("oneOf doubling", doubling(60, "oneOf"), NODES.numberNode(1)),
                Arguments.of("itself", Json.tree("{\"$ref\":\"#\"}"), NODES.objectNode()),
                Arguments.of(
                        "itself by anchor",
                        Json.tree("{\"$dynamicAnchor\":\"a\",\"$dynamicRef\":\"#a\"}"),
                        NODES.objectNode()),
                Arguments.of(
                        "each other",
                        Json.tree(
                                "{\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}},\"$ref\":\"#/$defs/a\"}"),
                        NODES.objectNode()),
                Arguments.of("another draft", otherDraft(), NODES.numberNode(1)),
                Arguments.of("notes", notes(14, 0), Json.tree("{\"a\":1}")),
                Arguments.of("notes far down", notes(11, 900), Json.tree("{\"a\":1}")),
                Arguments.of("spellings of a reference", spellings(), NODES.objectNode()),
                Arguments.of("deep", nested(101, "not"), NODES.objectNode()),
                Arguments.of(
                        "slow on many",
                        Json.tree("{\"items\":{\"pattern\":\"(.*a){25}b\"}}"),
                        texts(1_000, "a".repeat(16))),
                Arguments.of("large", NODES.objectNode().set("enum", texts(30_000, "a")), NODES.textNode("b")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("undecided")
    void shouldBeUndecidedSoonWhenASchemaHasNoEnd(String name, JsonNode schema, JsonNode document) {
        assertThat(apply(schema, document)).isInstanceOf(Undecided.class);
        var _ = CpuTime.within(LONGEST, () -> Optional.ofNullable(ResponseSchema.problem(schema)));
    }

    @Test
    void shouldSayWhichBoundWasMetWhenStepsRunOut() {
        assertThat(apply(doubling(60, "allOf"), NODES.numberNode(1)))
                .isEqualTo(new Undecided("it takes more than 1000000 steps"));
    }

    @Test
    void shouldDecideWhenPartsReferToEachOther() {
        JsonNode schema = mutual(15);

        assertThat(CpuTime.within(LONGEST, () -> Optional.ofNullable(ResponseSchema.problem(schema))))
                .isEmpty();
        assertThat(apply(schema, Json.tree("{\"n3\":{\"n9\":{}}}"))).isEqualTo(new Valid());
    }
}
