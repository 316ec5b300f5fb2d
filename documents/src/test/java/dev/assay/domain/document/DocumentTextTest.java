package dev.assay.domain.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentTextTest {

    private static String messageOf(String text) {
        try {
            DocumentText.parse(text);
        } catch (AssayException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_INPUT);
            return e.failure().message();
        }
        throw new AssertionError("Accepted: " + text);
    }

    @Test
    void shouldGiveTheSameTreeWhenADocumentIsWrittenAsYamlOrJson() {
        JsonNode yaml = DocumentText.parse("""
            name: capitals   # a comment
            list: [1, 2.5, true, null, "5"]
            text: |
              two
              lines
            nested: {a: {b: []}}
            """);

        assertThat(yaml).isEqualTo(DocumentText.parse("""
            {"name": "capitals", "list": [1, 2.5, true, null, "5"], "text": "two\\nlines\\n",
            \t"nested": {"a": {"b": []}}}
            """));
    }

    @ParameterizedTest
    @CsvSource({
        "off, '\"off\"'",
        "no, '\"no\"'",
        "yes, '\"yes\"'",
        "on, '\"on\"'",
        "true, true",
        "FALSE, false",
        "~, null",
        "'', null",
        "12, 12",
        "-0, 0",
        "0x1F, 31",
        "0o17, 15",
        "017, 17",
        "1_000, '\"1_000\"'",
        "1.50, 1.5",
        "1e3, 1000",
        "1:30, '\"1:30\"'",
        "2024-01-01, '\"2024-01-01\"'",
        "'\"12\"', '\"12\"'",
        "'''12''', '\"12\"'",
        "<<, '\"<<\"'",
        "99999999999999999999, 99999999999999999999"
    })
    void shouldReadPlainWordsByTheCoreSchemaWhenTheyAreYaml(String word, String json) {
        assertThat(DocumentText.parse("value: " + word).get("value")).isEqualTo(Json.tree(json));
    }

    @ParameterizedTest
    @CsvSource({".nan, NaN", ".NaN, NaN", ".inf, Infinity", "-.inf, -Infinity"})
    void shouldKeepNumbersThatAreNoneWhenTheReaderShouldNameThem(String word, Double expected) {
        assertThat(DocumentText.parse("value: " + word).get("value").doubleValue())
                .isEqualTo(expected);
    }

    @Test
    void shouldIgnoreTheByteOrderMarkWhenThereIsOne() {
        assertThat(DocumentText.parse("\uFEFFname: a").path("name").asText()).isEqualTo("a");
        assertThat(DocumentText.parse("\uFEFF{\"name\": \"a\"}").path("name").asText())
                .isEqualTo("a");
    }

    @Test
    void shouldGiveLineAndColumnWhenYamlIsMalformed() {
        assertThat(messageOf("name: a\nbranches: [a, b\ntrials: 5"))
                .isEqualTo("Line 3, column 7: expected ',' or ']', but got :.");
        assertThat(messageOf("name: a\n  trials: b: c")).startsWith("Line 2, column 9: ");
        assertThat(messageOf("a: 1\n\tb: 2")).startsWith("Line 2, column 1: ");
        assertThat(messageOf("a: \"open")).startsWith("Line 1, column 9: ");
    }

    @Test
    void shouldGiveLineAndColumnWhenJsonIsMalformed() {
        assertThat(messageOf("{\"name\": \"a\",\n \"trials\" 5}")).startsWith("Line 2, column 11: ");
        assertThat(messageOf("{\"name\": \"a\"} x")).startsWith("Line 1, column 15: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a: 1\nb: 2\na: 3", "{a: 1, b: 2, a: 3}", "{\"a\": 1, \"b\": 2, \"a\": 3}", "a: 1\n\"a\": 3"})
    void shouldRefuseAFieldWhenItIsGivenTwice(String text) {
        assertThat(messageOf(text)).startsWith("Line ").contains("a");
    }

    @Test
    void shouldNameTheFieldWhenItIsGivenTwice() {
        assertThat(messageOf("a:\n  b: 1\n  b: 2"))
                .isEqualTo("Line 3, column 3: The field `b` is given twice; keep one.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  \n", "# only a comment", "---", "--- ~", "null"})
    void shouldRefuseADocumentWhenItIsEmpty(String text) {
        assertThat(messageOf(text)).isEqualTo("The document is empty; write at least one field.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# only a comment", "null", "{}"})
    void shouldHaveNoFieldsWhenAnOptionalDocumentIsEmpty(String text) {
        assertThat(DocumentText.parseOptional(text)).isEqualTo(Json.tree("{}"));
    }

    @Test
    void shouldRefuseASecondDocumentWhenThereIsOne() {
        assertThat(messageOf("a: 1\n---\na: 2"))
                .isEqualTo("Line 2, column 1: A second YAML document begins here; keep one document in a file.");
        assertThat(DocumentText.parse("---\na: 1\n...\n").path("a").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: !!javax.script.ScriptEngineManager [x]",
                "a: !!str 5",
                "!local {a: 1}",
                "a: !!binary aGk=",
                "!!map {a: 1}",
                "? !x a\n: b"
            })
    void shouldRefuseTagsWhenThereAreAny(String text) {
        assertThat(messageOf(text)).contains("The YAML tag `").contains("` is not allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"? [a]\n: b", "? {a: b}\n: c", "a: &x 1\n*x : 2"})
    void shouldRefuseNamesWhenTheyAreNoText(String text) {
        assertThat(messageOf(text)).contains("The name of a field must be plain text");
    }

    @Test
    void shouldCopyValuesWhenAliasesNameThem() {
        JsonNode tree = DocumentText.parse("a: &x {k: [1]}\nb: *x\nc: [*x, &y text, *y]");

        assertThat(tree.get("b")).isEqualTo(tree.get("a")).isNotSameAs(tree.get("a"));
        assertThat(tree.at("/c/2").asText()).isEqualTo("text");
    }

    @Test
    void shouldRefuseAliasesWhenTheyNameNothingOrThemselves() {
        assertThat(messageOf("a: *x")).isEqualTo("Line 1, column 4: The alias `*x` names no value before it.");
        assertThat(messageOf("a: &x [*x]")).isEqualTo("Line 1, column 8: The alias `*x` names no value before it.");
    }

    @Test
    void shouldRefuseAliasesWhenTheyGrowWithoutBound() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 40; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]%n".formatted(i, i, i - 1, i - 1));
        }

        assertThat(messageOf(bomb.toString())).contains("The aliases stand for too many values");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- "})
    void shouldRefuseADocumentWhenItIsNestedTooDeeply(String open) {
        assertThat(messageOf(open.repeat(200_000))).containsAnyOf("nested more than 100 levels", "nesting depth");
    }

    @Test
    void shouldRefuseADocumentWhenItIsLargerThan64Megabytes() {
        String large = "a: " + "é".repeat(DocumentText.MAX_BYTES / 2);

        assertThat(messageOf(large)).isEqualTo("The document is larger than 64 MB; split it.");
        assertThat(messageOf("x".repeat(DocumentText.MAX_BYTES + 1))).contains("larger than 64 MB");
    }

    @Test
    void shouldReadALongTextWhenItIsWithinTheLimit() {
        String words = "word ".repeat(200_000).strip();
        String text = "x".repeat(5_000_000);

        assertThat(DocumentText.parse("a: " + words).path("a").asText()).isEqualTo(words);
        assertThat(DocumentText.parse("{\"a\": \"" + text + "\"}").path("a").asText())
                .isEqualTo(text);
        assertThat(messageOf("b: 1\na: " + text))
                .isEqualTo("Line 2: The line has more than 1 MB; break it, or write the document as JSON.");
    }

    @Test
    void shouldRefuseNumbersWhenTheyHaveTooManyDigits() {
        assertThat(messageOf("a: " + "9".repeat(100_000)))
                .startsWith("Line 1, column 4: The number has too many digits");
        assertThat(messageOf("a: 1e999999999999")).startsWith("Line 1, column 4: The number has too many digits");
    }

    @Test
    void shouldNameTheCharacterWhenYamlForbidsIt() {
        assertThat(messageOf("a: 1\nb: x\u0007y"))
                .isEqualTo("Line 2, column 5: The character U+0007 is not allowed in YAML; remove it.");
    }

    @Test
    void shouldJoinSurrogatesWhenJsonEscapesThem() {
        assertThat(DocumentText.parse("{\"a\": \"\\ud83d\\ude00\"}").path("a").asText())
                .isEqualTo("😀");
    }

    @Test
    void shouldReadOrRefuseWhenAnyTextIsGiven() {
        String pieces = "{}[]:,-?&*!|>'\"%@`#\n \t~ab1.e<\\é\u0000\uD83D";
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(30); n >= 0; n--) {
                text.append(pieces.charAt(random.nextInt(pieces.length())));
            }
            readOrRefuse(text.toString());
        }
    }

    private static void readOrRefuse(String text) {
        try {
            assertThat(DocumentText.parse(text)).isNotNull();
        } catch (AssayException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_INPUT);
            assertThat(e.failure().message()).isNotBlank();
        } catch (RuntimeException | Error e) {
            throw new AssertionError("Parsing failed on <" + text + ">", e);
        }
    }

    @Test
    void shouldRefuseYamlWhenOnlyJsonIsAllowed() {
        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> DocumentText.parseJsonOnly("a: 1"))
                .withMessageStartingWith("Line 1, column ");
    }
}
