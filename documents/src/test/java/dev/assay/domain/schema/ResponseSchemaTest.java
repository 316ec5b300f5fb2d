package dev.assay.domain.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.CpuTime;
import dev.assay.domain.json.Json;
import dev.assay.domain.schema.SchemaVerdict.Invalid;
import dev.assay.domain.schema.SchemaVerdict.Undecided;
import dev.assay.domain.schema.SchemaVerdict.Valid;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseSchemaTest {

    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static SchemaVerdict apply(JsonNode schema, JsonNode document) {
        return CpuTime.within(LONGEST, () -> ResponseSchema.apply(schema, document));
    }

    private static SchemaVerdict apply(String schema, String document) {
        return apply(Json.tree(schema), Json.tree(document));
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
                Arguments.of("deep", nested(101, "not"), NODES.objectNode()),
                Arguments.of(
                        "slow on many",
                        Json.tree("{\"items\":{\"pattern\":\"(.*a){25}b\"}}"),
                        texts(1_000, "a".repeat(16))),
                Arguments.of("large", NODES.objectNode().set("enum", texts(30_000, "a")), NODES.textNode("b")));
    }

    private static ArrayNode texts(int count, String text) {
        ArrayNode texts = NODES.arrayNode();
        IntStream.range(0, count).forEach(i -> texts.add(text + i));
        return texts;
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

    @Test
    void shouldDecideWhenNamesAreEmpty() {
        assertThat(ResponseSchema.problem(Json.tree("{\"properties\":{\"\":1}}")))
                .startsWith("It is not a JSON Schema: $.properties['']: ");
        assertThat(apply("{\"additionalProperties\":false}", "{\"\":1}"))
                .isInstanceOfSatisfying(
                        Invalid.class,
                        invalid -> assertThat(invalid.violation()).startsWith("$: "));
        assertThat(apply("{\"properties\":{\"\":{\"type\":\"string\"}}}", "{\"\":1}"))
                .isInstanceOfSatisfying(
                        Invalid.class,
                        invalid -> assertThat(invalid.violation()).startsWith("$['']: "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"items":{"type":"string"}}                   | [1]                 | $[0]: integer found, string expected
        {"properties":{"a":{"type":"string"}}}        | {"a":1}             | $.a: integer found, string expected
        {"properties":{"a b":{"type":"string"}}}      | {"a b":1}           | $['a b']: integer found, string expected
        {"type":"string"}                             | 1                   | $: integer found, string expected
        """)
    void shouldNameThePlaceAsJsonPathWhenADocumentIsInvalid(String schema, String document, String violation) {
        assertThat(apply(schema, document)).isEqualTo(new Invalid(violation));
    }

    @Test
    void shouldTellThreeErrorsWhenThereAreMany() {
        SchemaVerdict verdict = apply(Json.tree("{\"items\":{\"type\":\"integer\"}}"), texts(50_000, "a"));

        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Invalid.class,
                        invalid -> assertThat(invalid.violation().split("; ")).hasSize(3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "classpath:draft/../schemas/campaign.json",
                "classpath:draft/2020-12/../../x",
                "classpath:draft/2020-12/%2e%2e/x",
                "classpath:logback.xml",
                "https://json-schema.org/draft/2019-09/schema",
                "https://json-schema.org/draft/2020-12/../x",
                "file:///etc/hostname",
                "jar:file:///x.jar!/y",
                "#/$defs/none",
                "\u0000",
                "::",
                "http://["
            })
    void shouldFetchNothingWhenAReferenceLeavesTheDraft(String reference) {
        JsonNode schema = NODES.objectNode().put("$ref", reference);

        assertThat(apply(schema, NODES.objectNode())).isInstanceOf(Undecided.class);
        assertThat(ResponseSchema.problem(schema)).isNotNull();
    }

    @Test
    void shouldKnowTheDraftWhenASchemaRefersToIt() {
        JsonNode schema = NODES.objectNode().put("$ref", SchemaLibrary.DRAFT);

        assertThat(ResponseSchema.problem(schema)).isNull();
        assertThat(apply(schema, Json.tree("{\"type\":\"string\"}"))).isEqualTo(new Valid());
        assertThat(apply(schema, Json.tree("{\"type\":\"strin\"}"))).isInstanceOf(Invalid.class);
    }

    @Test
    void shouldComparePlainlyWhenItemsMustBeUnique() {
        JsonNode schema = Json.tree("{\"uniqueItems\":true}");

        assertThat(apply(schema, texts(100_000, "a"))).isEqualTo(new Valid());
        assertThat(apply(schema, sameHash(65_536))).isEqualTo(new Valid());
        assertThat(apply(schema, Json.tree("[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1.0}]")))
                .isInstanceOf(Invalid.class);
        assertThat(apply(schema, Json.tree("[\"a\",[\"a\"],\"1\",1,null,\"null\",{},[],true,\"true\"]")))
                .isEqualTo(new Valid());
        assertThat(apply(Json.tree("{\"uniqueItems\":false}"), Json.tree("[1,1]")))
                .isEqualTo(new Valid());
    }

    /** Texts that all have one hash code. */
    private static ArrayNode sameHash(int count) {
        ArrayNode texts = NODES.arrayNode();
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder();
            for (int bit = 0; bit < 16; bit++) {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            texts.add(text.toString());
        }
        return texts;
    }

    @Test
    void shouldComeToAVerdictWhenSchemaOrDocumentIsDeep() {
        for (String keyword :
                new String[] {"not", "items", "additionalProperties", "unevaluatedProperties", "propertyNames"}) {
            JsonNode deep = nested(100, keyword);
            var _ = CpuTime.within(LONGEST, () -> Optional.ofNullable(ResponseSchema.problem(deep)));
            apply(deep, nested(900, "a"));
            apply(
                    Json.tree("{\"$dynamicAnchor\":\"a\",\"" + keyword + "\":{\"$dynamicRef\":\"#a\"}}"),
                    nested(900, "a"));
        }
    }

    @Test
    void shouldDecideWhenASchemaIsOrdinary() {
        JsonNode schema = Json.tree("""
            {"type":"object","required":["city","days"],"additionalProperties":false,
             "properties":{"city":{"type":"string","minLength":1,"pattern":"^[A-Z]"},
              "days":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/day"}}},
             "$defs":{"day":{"type":"object","properties":{"t":{"type":"number"}},"unevaluatedProperties":false}}}
            """);
        ObjectNode document = NODES.objectNode().put("city", "Paris");
        ArrayNode days = document.putArray("days");
        IntStream.range(0, 5_000).forEach(i -> days.addObject().put("t", i));

        assertThat(ResponseSchema.problem(schema)).isNull();
        assertThat(apply(schema, document)).isEqualTo(new Valid());
        days.addObject().put("x", 1);
        assertThat(apply(schema, document)).isInstanceOf(Invalid.class);
    }
}
