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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"enum":[1],"type":"string"}                                | true | $: does not have a value in the enumeration [1]; $: boolean found, string expected
        {"type":"string","enum":[1]}                                | true | $: boolean found, string expected; $: does not have a value in the enumeration [1]
        {"anyOf":[{"const":"a","type":"string"},{"type":"null"}]}   | 5    | $: integer found, string expected; $: integer found, null expected
        {"anyOf":[{"const":"a","type":["null","string"]}]}          | 5    | $: must be the constant value 'a'; $: integer found, [null, string] expected
        {"oneOf":[{"const":"a","type":"string"}]}                   | 5    | $: must be valid to one and only one schema, but 0 are valid; $: must be the constant value 'a'; $: integer found, string expected
        """)
    void shouldNameErrorsInTheOrderOfTheSchemaAndOnlyTheTypeOfAnAlternative(
            String schema, String document, String violation) {
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
        JsonNode dynamic = Json.tree(schema.toString().replace("$ref", "$dynamicRef"));
        assertThat(ResponseSchema.problem(dynamic)).isNotNull();
    }

    @Test
    void shouldSayWhereAReferenceLeadsToNothing() {
        JsonNode schema = Json.tree("{\"properties\":{\"a\":{\"$ref\":\"#/properties/b\"}}}");

        assertThat(ResponseSchema.problem(schema))
                .isEqualTo("The JSON Schema cannot be used: /properties: Reference /properties/b cannot be resolved.");
    }

    @Test
    void shouldResolveAReferenceFromTheIdBesideIt() {
        JsonNode schema = Json.tree("""
            {"properties":{"a":{"$id":"https://example.com/base.json","$ref":"number.json",
             "$defs":{"n":{"$id":"number.json","type":"number"}}}}}
            """);

        assertThat(ResponseSchema.problem(schema)).isNull();
        assertThat(apply(schema, Json.tree("{\"a\":1}"))).isEqualTo(new Valid());
        assertThat(apply(schema, Json.tree("{\"a\":\"x\"}")))
                .isEqualTo(new Invalid("$.a: string found, number expected"));
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
        assertThat(apply(schema, Json.tree("[1,1.0]"))).isInstanceOf(Invalid.class);
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
