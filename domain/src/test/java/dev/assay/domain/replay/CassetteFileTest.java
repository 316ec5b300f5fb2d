package dev.assay.domain.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class CassetteFileTest {

    private static CassetteEntry entry(int number, int trial) {
        return new CassetteEntry(
                "%064x".formatted(number),
                trial,
                "openai",
                "gpt",
                "Wie geht’s? 😀",
                Message.assistant("Line 1\nLine 2 \u2028 \u0085"),
                new Usage(10, 5, 2, 1, 0, 15),
                new BigDecimal("0.0012"),
                12);
    }

    private static List<String> errors(String text) {
        try {
            CassetteFile.read(text);
        } catch (AssayException e) {
            return e.errors().stream()
                    .map(error -> error.path() + ": " + error.message())
                    .toList();
        }
        throw new AssertionError("Accepted: " + text);
    }

    @Test
    void shouldReadTheSameCassetteWhenItWasWritten() {
        CassetteEntry blocks = new CassetteEntry(
                "%064x".formatted(9),
                1,
                "p",
                "m",
                "",
                new Message(
                        Role.ASSISTANT,
                        List.of(new Content.Thinking("hm"), new Content.Text(""), new Content.Text("b")),
                        null),
                Usage.NONE,
                null,
                0);
        Cassette cassette = CassetteFile.of(List.of(entry(1, 1), entry(1, 2), blocks));

        String text = CassetteFile.write(cassette);

        assertThat(text.split("\n")).hasSize(3);
        assertThat(CassetteFile.read(text)).isEqualTo(cassette);
        assertThat(CassetteFile.read("\n" + text.replace("\n", "\r\n\r\n"))).isEqualTo(cassette);
    }

    @Test
    void shouldHaveTheSameIdWhenOnlyTheWritingDiffers() {
        List<CassetteEntry> entries = new ArrayList<>(List.of(entry(1, 1), entry(2, 1), entry(1, 2)));
        String id = CassetteFile.of(entries).id();

        Collections.reverse(entries);

        assertThat(id).matches("[0-9a-f]{64}");
        assertThat(CassetteFile.of(entries).id()).isEqualTo(id);
        String spelled = CassetteFile.write(CassetteFile.of(entries))
                .replace("0.0012", "1.2e-3")
                .replace("{\"key\"", "{ \"key\"");
        assertThat(CassetteFile.read(spelled).id()).isEqualTo(id);
        assertThat(CassetteFile.of(List.of(entry(1, 1), entry(2, 1))).id()).isNotEqualTo(id);
    }

    @Test
    void shouldKeepTheFirstAnswerWhenAQuestionWasAnsweredTwice() {
        Cassette cassette = CassetteFile.of(List.of(entry(1, 1), entry(2, 1), entry(1, 1)));

        assertThat(cassette.entries()).containsExactly(entry(1, 1), entry(2, 1));
    }

    @Test
    void shouldNameEveryLineWhenAFileIsWrong() {
        String line = CassetteFile.write(CassetteFile.of(List.of(entry(1, 1)))).strip();

        assertThat(errors(String.join(
                        "\n",
                        line,
                        "not json",
                        line,
                        line.replace("\"trial\":1", "\"trial\":0"),
                        "[]",
                        line.replace("\"assistant\"", "\"user\""),
                        line.replace("Wie", "\\u0000"))))
                .satisfiesExactly(
                        error -> assertThat(error).startsWith("line 2: The line is not JSON: Line 1, column "),
                        error -> assertThat(error)
                                .isEqualTo("line 3: The line answers the same question in the same trial as line 1;"
                                        + " remove one."),
                        error -> assertThat(error)
                                .isEqualTo("line 4.trial: `trial` must be a whole number from 1 to 1000, but is 0."),
                        error -> assertThat(error).startsWith("line 5: `line 5` must be an object"),
                        error -> assertThat(error)
                                .isEqualTo("line 6.reply: `reply` must be a message of role assistant."),
                        error -> assertThat(error).startsWith("line 7.asked: The text holds the character U+0000"));
    }

    @Test
    void shouldKeepUnknownTokensUnknownWhenACassetteIsWrittenAndRead() {
        CassetteEntry half = new CassetteEntry(
                "%064x".formatted(1),
                1,
                "openai",
                "gpt",
                "Hi",
                Message.assistant("Hello"),
                new Usage(10L, null, null, 3L, null, null),
                null,
                12);
        Cassette cassette = CassetteFile.of(List.of(half));

        assertThat(CassetteFile.read(CassetteFile.write(cassette))).isEqualTo(cassette);
    }

    @Test
    void shouldNotKnowInputAndOutputWhenALineLeavesThemOut() {
        String line = CassetteFile.write(CassetteFile.of(List.of(entry(1, 1))))
                .replaceFirst("\"usage\":\\{[^}]*}", "\"usage\":{\"output\":5}");

        assertThat(CassetteFile.read(line).entries())
                .singleElement()
                .extracting(CassetteEntry::usage)
                .isEqualTo(new Usage(null, 5L, 0L, 0L, 0L, null));
    }

    @Test
    void shouldRefuseAFileWhenItIsEmpty() {
        assertThat(errors("\n\n")).containsExactly("line 1: The cassette holds no recorded answer; record one first.");
    }

    @Test
    void shouldNameEveryMissingFieldWhenALineIsAnEmptyObject() {
        assertThat(errors("{}"))
                .extracting(error -> error.substring(0, error.indexOf(':')))
                .contains("line 1.key", "line 1.trial", "line 1.reply", "line 1.usage", "line 1.latencyMs");
    }
}
