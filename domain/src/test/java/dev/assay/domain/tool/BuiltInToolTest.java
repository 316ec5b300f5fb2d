package dev.assay.domain.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.CpuTime;
import dev.assay.domain.json.Json;
import dev.assay.domain.schema.ResponseSchema;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltInToolTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:30:00Z");

    private static String calculate(String expression) {
        JsonNode arguments = Json.mapper().createObjectNode().put("expression", expression);
        return BuiltInTool.CALCULATOR.run(arguments, NOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 + 2 * 3 | 7",
                "(1+2)*3 | 9",
                "0.1 + 0.2 | 0.3",
                "10 / 4 | 2.5",
                "1/3 | 0.3333333333333333333333333333333333",
                "7 % 3 | 1",
                "2^3^2 | 512",
                "-2^2 | -4",
                "2^-1 | 0.5",
                "1e3 + 1.5E-1 | 1000.15",
                "- - 3 | 3",
                "ROUND(10/3, 2) | 3.33",
                "ROUND(1234, -2) | 1200",
                "round(2.5) | 3",
                "SQRT(2) | 1.414213562373095048801688724209698",
                "MAX(1, 2, 3) - MIN(4, 5) + SUM(1,2) + ABS(-1) | 3",
                "FLOOR(-1.5) + CEILING(1.2) | 0",
                "10^900 / 10^900 | 1",
                "0 * 5 | 0",
            })
    void shouldComputeDecimalsWhenAnExpressionIsRight(String expression, String result) {
        assertThat(calculate(expression)).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 / 0 | The expression divides by zero.",
                "5 % (1-1) | The expression divides by zero.",
                "0^-1 | The expression divides by zero.",
                "1 + | The expression ends too early.",
                "1 2 | The expression is wrong at character 3 (2).",
                "(1 | The expression ends too early.",
                "1..2 | \"1..2\" in the expression is no number.",
                "SQRT(-1) | There is no square root of a negative number.",
                "2^0.5 | An exponent must be a whole number from -1000 to 1000; use SQRT for roots.",
                "9^9^9 | An exponent must be a whole number from -1000 to 1000; use SQRT for roots.",
                "1e999999999 | A number of the expression has more than 1000 digits.",
                "1e-999999999 | A number of the expression has more than 1000 digits.",
                "10^999*10^999 | A number of the expression has more than 1000 digits.",
                "ROUND(1, 999999999) | ROUND takes a number and how many digits after the point, as in ROUND(10/3, 2).",
                "SQRT(1, 2) | SQRT takes one number.",
                "java.lang.Runtime() | The expression is wrong at character 5 (.).",
                "FACT(5) | There is no function FACT; there are ABS, CEILING, FLOOR, MAX, MIN, ROUND, SQRT and SUM.",
            })
    @Timeout(5)
    void shouldSayWhyWhenAnExpressionHasNoValue(String expression, String message) {
        assertThatThrownBy(() -> calculate(expression))
                .isInstanceOf(ToolException.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseWhenAnExpressionIsTooLongOrTooDeep() {
        assertThatThrownBy(() -> calculate("1+".repeat(600) + "1")).hasMessageContaining("1000 characters");
        assertThatThrownBy(() -> calculate("(".repeat(200) + "1" + ")".repeat(200)))
                .hasMessageContaining("100 deep");
        assertThatThrownBy(() -> calculate("2^".repeat(200) + "1")).hasMessageContaining("100 deep");
    }

    @Test
    void shouldTellTheTimeOfTheCaseInAnyZone() {
        assertThat(BuiltInTool.CURRENT_TIME.run(Json.tree("{}"), NOW)).isEqualTo("2026-03-01T12:30:00Z");
        assertThat(BuiltInTool.CURRENT_TIME.run(Json.tree("{\"timeZone\":\"Europe/Paris\"}"), NOW))
                .isEqualTo("2026-03-01T13:30:00+01:00");
        assertThatThrownBy(() -> BuiltInTool.CURRENT_TIME.run(Json.tree("{\"timeZone\":\"Mars/Base\"}"), NOW))
                .hasMessage("There is no time zone Mars/Base; use a name such as Europe/Paris.");
    }

    private static String find(String json, String path) {
        JsonNode arguments = Json.mapper()
                .createObjectNode()
                .put("path", path)
                .set("json", Json.mapper().createObjectNode().textNode(json));
        return BuiltInTool.JSON_PATH.run(arguments, NOW);
    }

    @Test
    void shouldFindValuesWhenTheDocumentIsTextOrTree() {
        assertThat(find("{\"a\":[{\"b\":1},{\"b\":2}]}", "$.a[1].b")).isEqualTo("2");
        assertThat(find("{\"a\":[{\"b\":1},{\"b\":2}]}", "$..b")).isEqualTo("[1,2]");
        assertThat(find("{\"a\":[{\"b\":1},{\"b\":2}]}", "$.a[?(@.b > 1)]")).isEqualTo("[{\"b\":2}]");
        assertThat(BuiltInTool.JSON_PATH.run(Json.tree("{\"json\":{\"x\":\"y\"},\"path\":\"$.x\"}"), NOW))
                .isEqualTo("\"y\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$.missing", "$[", "$..*..*", "$.a[?(@.b =~ /(a+)+$/)]", "nonsense("})
    void shouldSayWhyWhenAPathFindsNothingOrIsNotTaken(String path) {
        assertThatThrownBy(() -> find("{\"a\":[{\"b\":\"aaaa!\"}]}", path)).isInstanceOf(ToolException.class);
    }

    @Test
    void shouldRefuseWhenADocumentIsNoneOrTooLarge() {
        assertThatThrownBy(() -> find("nonsense", "$")).hasMessageContaining("no JSON");
        assertThatThrownBy(() -> find("\"" + "x".repeat(300_000) + "\"", "$")).hasMessageContaining("characters");
        assertThatThrownBy(() -> find("{\"a\":1e999999999}", "$.a")).hasMessageContaining("too many digits");
    }

    @ParameterizedTest
    @EnumSource(BuiltInTool.class)
    void shouldDeclareAnObjectSchemaWhenOfferedToAModel(BuiltInTool tool) {
        assertThat(ResponseSchema.problem(tool.spec().parameters())).isNull();
        assertThat(tool.spec().parameters().path("type").asText()).isEqualTo("object");
        assertThat(new Toolset(java.util.List.of(new Tool.BuiltIn(tool, Duration.ofSeconds(1))), false).declared())
                .containsExactly(tool.spec());
    }

    @ParameterizedTest
    @MethodSource("hostilePaths")
    void shouldEndSoonWhenAPathIsHostile(String document, String path) {
        String said = CpuTime.within(Duration.ofSeconds(3), () -> {
            try {
                return find(document, path);
            } catch (ToolException e) {
                assertThat(e.getMessage()).hasSizeLessThan(2_000);
                return "";
            }
        });
        assertThat(said).hasSizeLessThan(1_100_000);
    }

    static Stream<Arguments> hostilePaths() {
        String deep = "[".repeat(60) + "1,2" + "]".repeat(60);
        String wide = "[" + "{\"a\":1},".repeat(9_000) + "1]";
        return Stream.of(
                Arguments.of(deep, "$" + "[0,0]".repeat(60)),
                Arguments.of("[".repeat(900) + "]".repeat(900), "$" + "[0,0,0]".repeat(60)),
                Arguments.of(wide, "$[?($[?($[?(1)])])]"),
                Arguments.of(wide, "$[?(@ in $)]"),
                Arguments.of(wide, "$[?($[?(@.a==1)])].a"),
                Arguments.of(wide, "$" + "[*,*]".repeat(2) + "[" + "*,".repeat(100) + "*]"),
                Arguments.of("[" + "1,".repeat(60_000) + "1]", "$[" + "*,".repeat(100) + "*]"),
                Arguments.of("[\"" + "x".repeat(200_000) + "\"]", "$[0,0,0,0,0,0,0,0]"),
                Arguments.of("{\"\":{\"\":1}}", "$[''].x"),
                Arguments.of("[]", "$[99999999999999999999]"),
                Arguments.of("[]", "$" + "[?(".repeat(100) + "1" + ")]".repeat(100)));
    }

    @Test
    void shouldSayWhichBoundWasMetWhenAPathTakesTooManySteps() {
        String document = "[".repeat(60) + "1" + "]".repeat(60);

        assertThatThrownBy(() -> CpuTime.within(Duration.ofSeconds(3), () -> find(document, "$" + "[0,0]".repeat(60))))
                .isInstanceOf(ToolException.class)
                .hasMessage("The path takes more than 1000000 steps on this document.");
    }
}
