package dev.assay.domain.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.check.structure.JsonRule;
import dev.assay.domain.check.text.ContainsIgnoringCaseRule;
import dev.assay.domain.check.text.ContainsRule;
import dev.assay.domain.check.text.EqualsRule;
import dev.assay.domain.check.text.RegexRule;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksTest {

    private static CheckResult evaluate(Check check, String response) {
        return check.evaluate(CheckInput.of(response));
    }

    private static Status regex(String pattern, String response) {
        return evaluate(new Check(new RegexRule(pattern), true), response).status();
    }

    private static CheckResult json(String schema, String response) {
        return evaluate(new Check(new JsonRule(Json.tree(schema)), true), response);
    }

    @Test
    void shouldKeepOrderTypeAndRequiredWhenSeveralChecksAreEvaluated() {
        List<CheckResult> results = Stream.of(
                        new Check(new EqualsRule("Paris"), true),
                        new Check(new ContainsRule("Rome"), false),
                        new Check(new ContainsIgnoringCaseRule("PARIS"), true),
                        new Check(new RegexRule("^P"), true),
                        new Check(new JsonRule(null), false))
                .map(check -> evaluate(check, "Paris"))
                .toList();

        assertThat(results)
                .containsExactly(
                        new CheckResult("equals", Status.PASSED, 1.0, "The response is \"Paris\".", true),
                        new CheckResult(
                                "contains",
                                Status.FAILED,
                                0.0,
                                "Expected a response that contains \"Rome\", but found \"Paris\".",
                                false),
                        new CheckResult(
                                "icontains",
                                Status.PASSED,
                                1.0,
                                "The response contains \"PARIS\", in upper or lower case.",
                                true),
                        new CheckResult("regex", Status.PASSED, 1.0, "The response matches the pattern \"^P\".", true),
                        new CheckResult(
                                "json",
                                Status.FAILED,
                                0.0,
                                "Expected a JSON document, but found an error at line 1, column 1 of: Paris",
                                false));
    }

    @ParameterizedTest
    @CsvSource({
        "Paris, Paris, true",
        "Paris, '  Paris\n', true",
        "' Paris ', Paris, true",
        "Paris, paris, false",
        "Paris, Paris., false",
        "'', '  ', true",
        "'a  b', 'a b', false",
        "Paris, '\u00a0Paris\u2003', true"
    })
    void shouldIgnoreSurroundingWhiteSpaceWhenTextsAreCompared(String value, String response, boolean passes) {
        assertThat(evaluate(new Check(new EqualsRule(value), true), response).status())
                .isEqualTo(passes ? Status.PASSED : Status.FAILED);
    }

    @ParameterizedTest
    @CsvSource({
        "paris, It is PARIS!, true", "STRASSE, in der Straße 5, true", "straße, STRASSE, true",
                "istanbul, İSTANBUL, true",
        "I, ı, true", "σας, ΣΑΣ ΣΑΣΑ, true", "ΑΣ, ασα, true", "paris, Rome, false"
    })
    void shouldFindTextInEveryScriptWhenCaseDiffers(String value, String response, boolean passes) {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(evaluate(new Check(new ContainsIgnoringCaseRule(value), true), response)
                            .status())
                    .isEqualTo(passes ? Status.PASSED : Status.FAILED);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void shouldFindAPatternAnywhereWhenItIsNotAnchored() {
        assertThat(regex("b+", "aabbcc")).isEqualTo(Status.PASSED);
        assertThat(regex("^b+$", "aabbcc")).isEqualTo(Status.FAILED);
        assertThat(regex("(?i)PARIS", "paris")).isEqualTo(Status.PASSED);
        assertThat(regex("(a+)\\1", "aa")).isEqualTo(Status.PASSED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(.*a){25}b", "^(a+)+b\\1", "^(a|aa)+$\\1", "(a*)(a*)(a*)(a*)(a*)(a*)(a*)(a*)b"})
    void shouldLeaveUnscoredWhenAPatternBacktracksWithoutEnd(String pattern) {
        CheckResult result = evaluate(new Check(new RegexRule(pattern), true), "a".repeat(64) + "!");

        assertThat(result.status()).isEqualTo(Status.UNSCORED);
        assertThat(result.score()).isNull();
        assertThat(result.reason()).startsWith("The pattern took too long on this response: ");
    }

    @Test
    void shouldLeaveUnscoredWhenAPatternNeedsMoreStackThanThereIs() {
        assertThat(regex("^(a|b|c)*$", "abc".repeat(1_000_000))).isEqualTo(Status.UNSCORED);
    }

    @Test
    void shouldDecideWhenALongResponseIsSearchedByAHarmlessPattern() {
        assertThat(regex("needle\\d", "hay ".repeat(500_000) + "needle7")).isEqualTo(Status.PASSED);
        assertThat(regex("[a-z]+\\s[0-9]+", "hay ".repeat(500_000))).isEqualTo(Status.FAILED);
    }

    @Test
    void shouldLeaveUnscoredWhenAStoredPatternIsNoRegularExpression() {
        assertThat(regex("a(", "a")).isEqualTo(Status.UNSCORED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[1, 2]", "5", "\"text\"", "true", "null", " \n{\"a\": 1}\n ", "1e999999999"})
    void shouldPassWhenTheResponseIsAJsonDocument(String response) {
        Status expected = response.startsWith("1e") ? Status.UNSCORED : Status.PASSED;

        assertThat(evaluate(new Check(new JsonRule(null), true), response).status())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{a: 1}",
                "{'a': 1}",
                "{\"a\": 1} and more",
                "```json\n{}\n```",
                "NaN",
                "[1,]",
                "{} {}",
                "// c\n{}"
            })
    void shouldFailWhenTheResponseIsNotJustAJsonDocument(String response) {
        CheckResult result = evaluate(new Check(new JsonRule(null), true), response);

        assertThat(result.status()).isEqualTo(Status.FAILED);
        assertThat(result.reason()).startsWith("Expected a JSON document, but ");
    }

    @Test
    void shouldLeaveUnscoredWhenTheDocumentIsNestedTooDeeply() {
        String deep = "[".repeat(5_000) + "]".repeat(5_000);

        assertThat(evaluate(new Check(new JsonRule(null), true), deep).status()).isEqualTo(Status.UNSCORED);
    }

    @Test
    void shouldSayWhereWhenTheDocumentViolatesTheSchema() {
        String schema =
                "{\"type\": \"object\", \"required\": [\"city\"], \"properties\": {\"n\": {\"type\": \"integer\"}}}";

        assertThat(json(schema, "{\"city\": \"Paris\", \"n\": 3}").status()).isEqualTo(Status.PASSED);
        CheckResult result = json(schema, "{\"n\": \"x\"}");
        assertThat(result.status()).isEqualTo(Status.FAILED);
        assertThat(result.reason())
                .contains("$.n: string found, integer expected")
                .contains("required property 'city' not found")
                .endsWith("in: {\"n\": \"x\"}");
    }

    @Test
    void shouldFollowReferencesWhenTheyStayInTheSchema() {
        String schema = "{\"$defs\": {\"n\": {\"type\": \"integer\"}}, \"items\": {\"$ref\": \"#/$defs/n\"}}";

        assertThat(json(schema, "[1, 2]").status()).isEqualTo(Status.PASSED);
        assertThat(json(schema, "[1, \"2\"]").status()).isEqualTo(Status.FAILED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$ref\": \"http://127.0.0.1:1/schema.json\"}",
                "{\"$ref\": \"file:///etc/hostname\"}",
                "{\"$ref\": \"classpath:schemas/campaign.json\"}",
                "{\"$ref\": \"#/$defs/none\"}"
            })
    void shouldLeaveUnscoredWhenAReferenceLeavesTheSchema(String schema) {
        CheckResult result = json(schema, "{}");

        assertThat(result.status()).isEqualTo(Status.UNSCORED);
        assertThat(result.reason()).startsWith("The JSON Schema could not be applied: ");
    }

    @Test
    void shouldFetchNothingWhenAReferenceNamesAFileThatExists(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("schema.json"), "{\"type\": \"object\"}");

        CheckResult result = json("{\"$ref\": \"" + file.toUri() + "\"}", "{}");

        assertThat(result.status()).isEqualTo(Status.UNSCORED);
        assertThat(result.reason()).contains("is not allowed to be loaded");
    }

    @Test
    void shouldLeaveUnscoredWhenASchemaCannotBeDecided() {
        assertThat(json("{\"$ref\": \"#\"}", "{}").status()).isEqualTo(Status.UNSCORED);
        assertThat(json("{\"pattern\": \"(.*a){25}b\"}", "\"" + "a".repeat(64) + "!\"")
                        .status())
                .isEqualTo(Status.UNSCORED);
    }

    @Test
    void shouldDecideAlikeWhenTwoSchemasHaveTheSameId() {
        String first = "{\"$id\": \"https://example.com/s\", \"type\": \"string\"}";
        String second = "{\"$id\": \"https://example.com/s\", \"type\": \"integer\"}";

        assertThat(json(first, "\"a\"").status()).isEqualTo(Status.PASSED);
        assertThat(json(second, "\"a\"").status()).isEqualTo(Status.FAILED);
        assertThat(json(first, "\"a\"").status()).isEqualTo(Status.PASSED);
    }

    @Test
    void shouldSpeakEnglishWhenTheMachineDoesNot() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);
            assertThat(json("{\"type\": \"integer\"}", "\"x\"").reason()).contains("string found, integer expected");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void shouldShowAShortExcerptWhenTheResponseIsLong() {
        String reason = evaluate(new Check(new ContainsRule("x"), true), "😀\n".repeat(1_000_000))
                .reason();

        assertThat(reason).hasSizeLessThan(300).doesNotContain("\n").endsWith("…\".");
        assertThatCode(() -> Json.write(reason)).doesNotThrowAnyException();
    }

    @Test
    void shouldReadBackWhenAnyCheckIsStored() {
        List<Check> checks = List.of(
                new Check(new EqualsRule("a"), true),
                new Check(new ContainsRule("a"), false),
                new Check(new ContainsIgnoringCaseRule("a"), true),
                new Check(new RegexRule("a"), true),
                new Check(new JsonRule(Json.tree("{\"type\": \"object\"}")), true),
                new Check(new JsonRule(null), false));

        for (Check check : checks) {
            String stored = Json.write(check);
            assertThat(Json.read(stored, Check.class)).isEqualTo(check);
            assertThat(Json.tree(stored).path("type").asText()).isEqualTo(check.type());
        }
    }

    @Test
    void shouldKeepTheJsonOfStoredChecksWhateverHoldsThemInCode() {
        assertThat(Json.write(new Check(new EqualsRule("a"), true)))
                .isEqualTo("{\"type\":\"equals\",\"value\":\"a\",\"required\":true}");
        CheckRole role = new CheckRole(false, new BigDecimal("2.50"), null, false, null);
        assertThat(Json.write(new Check(new JsonRule(Json.tree("{\"a\":1}")), role)))
                .isEqualTo("{\"type\":\"json\",\"schema\":{\"a\":1},\"required\":false,\"weight\":2.50}");
        assertThat(Json.write(new Check(new JsonRule(null), false)))
                .isEqualTo("{\"type\":\"json\",\"required\":false}");
        CheckRole whole = new CheckRole(true, BigDecimal.TWO, "tone", true, "As it is");
        assertThat(Json.write(new Check(new EqualsRule("a"), whole)))
                .isEqualTo(
                        "{\"type\":\"equals\",\"value\":\"a\",\"required\":true,\"weight\":2,\"metric\":\"tone\",\"not\":true,\"description\":\"As"
                            + " it is\"}");
    }

    @Test
    void shouldNameTheTypeWhenAStoredCheckIsOfNoKnownKind() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.read("{\"type\":\"nope\",\"required\":true}", Check.class))
                .havingRootCause()
                .withMessage("There is no check of type nope");
    }
}
