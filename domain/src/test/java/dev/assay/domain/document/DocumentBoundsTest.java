package dev.assay.domain.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.CpuTime;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No document takes more time or memory than its size allows. */
@Tag("slow")
@Timeout(120)
class DocumentBoundsTest {

    private static final int MILLION = 1_000_000;

    private static String malformed(String text) {
        AssayException refusal = assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> DocumentText.parse(text))
                .actual();
        assertThat(refusal.code()).isEqualTo(ErrorCode.MALFORMED_INPUT);
        return refusal.failure().message();
    }

    private static AssayException invalidCampaign(JsonNode document) {
        return assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> CampaignReader.read(document, Map.of()))
                .actual();
    }

    @Test
    void shouldRefuseJsonWhenItHasMoreThanEightMillionValues() {
        String tooMany = "{\"cases\": [" + "{},".repeat(DocumentText.MAX_NODES) + "{}]}";
        String enough = "[" + "1,".repeat(DocumentText.MAX_NODES - 2) + "1]";

        assertThat(malformed(tooMany)).isEqualTo("The document has more than 8,000,000 values and names; split it.");
        assertThat(DocumentText.parse(enough)).hasSize(DocumentText.MAX_NODES - 1);
    }

    @Test
    void shouldRefuseYamlWhenItHasMoreValuesAndNamesThanAllowed() {
        // A list, an anchor with two items, a field with its name, and aliases for three values each.
        String text = "- &a [1, 2]\n- b: 1\n- *a\n- *a\n";

        assertThat(YamlTree.read(text, 13, () -> {})).hasSize(4);
        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> YamlTree.read(text, 12, () -> {}))
                .withMessageContaining("more than 8,000,000 values");
    }

    @Test
    void shouldEndTheReadingOfYamlWhenAStepThrows() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> DocumentText.parse("a: 1", () -> {
                    throw new IllegalStateException("enough");
                }));
    }

    @Test
    void shouldGiveUpWhenThereAreMoreThanTwoMillionErrors() {
        Problems problems = new Problems();
        IntStream.range(0, 2_000_000).forEach(i -> problems.add("a", "b"));

        assertThat(problems.count()).isEqualTo(2_000_000);
        assertThatExceptionOfType(AssayException.class).isThrownBy(() -> problems.add("a", "b"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x23, 0xE9, 0x4E2D, 0x1F600})
    void shouldRefuseYamlWhenALineHasMoreThanOneMegabyte(int codePoint) {
        String character = Character.toString(codePoint);
        int bytes = character.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        int fitting = (1024 * 1024 - 2) / bytes;

        assertThat(DocumentText.parse("a: 1\n# " + character.repeat(fitting) + "\r# " + character.repeat(fitting))
                        .path("a")
                        .asInt())
                .isOne();
        assertThat(malformed("a: 1\n# " + character.repeat(fitting + 1)))
                .isEqualTo("Line 2: The line has more than 1 MB; break it, or write the document as JSON.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#", "'", "\"", "a", "- ", "&a ", "[", "a b ", "!", "? ", "\\", "%"})
    void shouldReadInLinearTimeWhenLinesAreLong(String piece) {
        // At two million characters the parser copied for seconds; now it takes tens of milliseconds.
        String text = "a: 1\n" + piece.repeat(1_000_000 / piece.length()) + "\n";

        Duration time = CpuTime.of(() -> readOrRefuse(text.repeat(4)));

        assertThat(time).isLessThan(Duration.ofSeconds(4));
    }

    private static void readOrRefuse(String text) {
        try {
            DocumentText.parse(text);
        } catch (AssayException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_INPUT);
        }
    }

    @Test
    void shouldReadInLinearTimeWhenThereAreManyCommentsAnchorsOrLongKeys() {
        String comments = "a: 1\n" + "# comment\n".repeat(400_000);
        String anchors =
                IntStream.range(0, 200_000).mapToObj(i -> "- &a" + i + " x\n").collect(Collectors.joining());
        String keys = IntStream.range(0, 4_000)
                .mapToObj(i -> "? " + i + "k".repeat(1_000) + "\n: 1\n")
                .collect(Collectors.joining());

        assertThat(List.of(comments, anchors, keys))
                .allSatisfy(text ->
                        assertThat(CpuTime.of(() -> DocumentText.parse(text))).isLessThan(Duration.ofSeconds(8)));
    }

    @Test
    void shouldRefuseJsonWhenItIsTooDeepOrHasTooManyDigits() {
        String deep = "[".repeat(1_001) + "]".repeat(1_001);

        assertThat(malformed(deep)).isNotBlank();
        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> DocumentText.parseJsonOnly(deep))
                .withMessageContaining("depth");
        for (String number :
                List.of("9".repeat(1_001), "1e99999999999", "10e2147483647", "1e-2147483648", "0e-2147483648")) {
            assertThatExceptionOfType(AssayException.class)
                    .as(number)
                    .isThrownBy(
                            () -> CampaignReader.read(DocumentText.parseJsonOnly("{\"a\": " + number + "}"), Map.of()));
        }
    }

    @Test
    void shouldReadYamlWhenACharacterOfTwoHalvesStandsAtTheEndOfTheParsersBuffer() {
        for (int before = 1_010; before < 1_030; before++) {
            String text = "x".repeat(before) + "\uD83D\uDE00" + "y".repeat(3_000);

            assertThat(DocumentText.parse("a: " + text).path("a").asText()).isEqualTo(text);
        }
    }

    @Test
    void shouldRefuseAnEmptyTextWhenOnlyJsonIsAllowed() {
        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> DocumentText.parseJsonOnly(" "))
                .withMessageStartingWith("The document is empty");
    }

    @Test
    void shouldCountAllAndKeepTheFirstWhenAMillionFieldsAreUnknown() {
        String fields = IntStream.range(0, MILLION)
                .mapToObj(i -> "\"tril" + i + "\":1")
                .collect(Collectors.joining(",", "{", "}"));
        JsonNode document = Json.tree(fields);

        Duration time = CpuTime.of(() -> {
            AssayException invalid = invalidCampaign(document);
            assertThat(invalid.errors()).hasSize(Problems.KEPT);
            // All of them, and the three fields that are missing.
            assertThat(invalid.errors().size() + invalid.moreErrors()).isGreaterThan(MILLION);
        });
        assertThat(time).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void shouldNotCompareWithKnownNamesWhenANameIsLong() {
        String name = "cases".repeat(200_000);
        JsonNode document = Json.mapper().createObjectNode().put(name, 1);

        Duration time = CpuTime.of(() -> {
            FieldError error = invalidCampaign(document).errors().getFirst();
            assertThat(error.path()).hasSizeLessThan(300);
            assertThat(error.message()).hasSizeLessThan(400).startsWith("Unknown field `casescases");
        });
        assertThat(time).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void shouldKeepPathsShortWhenErrorsAreDeepUnderLongNames() {
        String name = "n".repeat(190);
        JsonNode inner = Json.tree("[" + "\"\\u0000\",".repeat(20_000) + "1]");
        for (int i = 0; i < 90; i++) {
            inner = Json.mapper().createObjectNode().set(name, inner);
        }
        JsonNode document = Json.mapper().createObjectNode().set("x", inner);

        AssayException invalid = invalidCampaign(document);

        assertThat(invalid.errors())
                .hasSize(Problems.KEPT)
                .allSatisfy(error -> assertThat(error.path()).hasSizeLessThanOrEqualTo(1_000));
    }

    @Test
    void shouldReadInTimeWhenMillionsOfCasesAreWrong() {
        JsonNode document = DocumentText.parse("{\"cases\": [" + "{},".repeat(2_000_000) + "{}]}");

        Duration time =
                CpuTime.of(() -> assertThat(invalidCampaign(document).errors()).hasSize(Problems.KEPT));

        assertThat(time).isLessThan(Duration.ofSeconds(8));
    }
}
