package dev.assay.domain.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrintableTextTest {

    @Test
    void shouldEscapeEveryControlCharacterButTabAndLineFeed() {
        StringBuilder all = new StringBuilder();
        for (char unit = 0; unit <= 0x100; unit++) {
            all.append(unit);
        }

        String printable = PrintableText.of(all.toString());

        assertThat(printable.chars().filter(Character::isISOControl).toArray()).containsExactly('\t', '\n');
        assertThat(printable)
                .startsWith("\\u0000\\u0001")
                .contains("\\u001b")
                .contains("~\\u007f\\u0080")
                .contains("\\u009f\u00a0");
    }

    @Test
    void shouldLeaveOtherTextAsItIs() {
        String text = "Grüße\t\n\ud83d\ude00 \\u001b";

        assertThat(PrintableText.of(text)).isSameAs(text);
    }

    @Test
    void shouldKeepJsonExact() {
        Map<String, String> said = Map.of("a", "\u001b]52;c;x\u0007\u009b2J\u007f\r\n");

        assertThat(Json.tree(PrintableText.of(Json.write(said))).get("a").asText())
                .isEqualTo(said.get("a"));
    }
}
