package dev.assay.standalone.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What others write reaches the log. */
class LogFormatTest {

    private static final String HOSTILE =
            "Unknown keyword x\r\n2026-11-22 ERROR [main] forged\u001b]52;c;x\u0007\u009b2J\u007f";

    private final LoggerContext context = new LoggerContext();

    private LoggingEvent event() {
        LoggingEvent event = new LoggingEvent(
                "",
                context.getLogger("dev.assay"),
                Level.WARN,
                "Said: {}",
                new IllegalStateException(HOSTILE),
                new Object[] {HOSTILE});
        event.setMDCPropertyMap(Map.of("campaign", "c-1", "case", HOSTILE, "branch", "a", "trial", "2"));
        return event;
    }

    @Test
    void shouldBeginOneLineForAnEventWhateverOthersWrite() {
        LogLines lines = new LogLines(context, "%level %msg%n%ex");
        lines.start();

        String text = lines.doLayout(event());

        assertThat(text.lines().skip(1)).isNotEmpty().allMatch(line -> line.startsWith("\t"));
        assertThat(text)
                .startsWith("WARN Said: ")
                .endsWith("\n")
                .contains("\n\t2026-11-22 ERROR", "\\u001b]52;c;x\\u0007");
        assertThat(text.chars().filter(unit -> unit != '\n' && unit != '\t').anyMatch(Character::isISOControl))
                .isFalse();
    }

    @Test
    void shouldWriteEachEventAsALineOfExactJson() {
        LogJson json = new LogJson(context);
        json.start();

        String text = new String(json.encode(event()), StandardCharsets.UTF_8);

        assertThat(text.strip()).doesNotContain("\n");
        assertThat(text.strip().chars().anyMatch(Character::isISOControl)).isFalse();
        JsonNode event = Json.tree(text);
        assertThat(event.get("level").asText()).isEqualTo("WARN");
        assertThat(event.get("formattedMessage").asText()).isEqualTo("Said: " + HOSTILE);
        assertThat(event.at("/throwable/message").asText()).isEqualTo(HOSTILE);
        assertThat(event.at("/mdc/campaign").asText()).isEqualTo("c-1");
        assertThat(event.at("/mdc/case").asText()).isEqualTo(HOSTILE);
    }

    @Test
    void shouldPassOverWhatLibrariesQuoteOfOthersAtEachLevel() {
        new Logging().configure(context);

        assertThat(context.getLogger("io.modelcontextprotocol.spec.McpClientSession")
                        .isErrorEnabled())
                .isFalse();
    }
}
