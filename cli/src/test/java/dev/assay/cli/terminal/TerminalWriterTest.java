package dev.assay.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TerminalWriterTest {

    private static final String HOSTILE = "\u001b]52;c;x\u0007\u009b2J\r";
    private static final String SHOWN = "\\u001b]52;c;x\\u0007\\u009b2J\\u000d";

    @Test
    void shouldPassNoControlCharacterHoweverItIsPrinted() {
        StringWriter text = new StringWriter();
        TerminalWriter out = new TerminalWriter(text);

        out.print(HOSTILE);
        out.println(HOSTILE);
        out.println(new StringBuilder(HOSTILE));
        out.println(HOSTILE.toCharArray());
        out.print('\u001b');
        out.printf("%s", HOSTILE);
        out.append(HOSTILE);
        out.write(HOSTILE);
        new IllegalStateException(HOSTILE).printStackTrace(out);

        assertThat(text.toString().chars().filter(unit -> unit != '\n' && unit != '\t'))
                .noneMatch(Character::isISOControl);
        assertThat(text.toString())
                .startsWith(SHOWN + SHOWN + "\n" + SHOWN + "\n" + SHOWN + "\n\\u001b" + SHOWN + SHOWN + SHOWN);
    }
}
