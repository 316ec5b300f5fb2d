package dev.assay.activities.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolException;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.tool.Toolset;
import dev.assay.work.compute.Computing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {

    private static final String KEY = "k3y+with/\"signs\"";

    /** Says whatever it is asked to, as a server may that echoes its headers. */
    private record Echo(String says, boolean fails) implements RunnableTool {

        @Override
        public ToolSpec spec() {
            JsonNode schema =
                    Json.mapper().createObjectNode().put("type", "object").put("title", says);
            return new ToolSpec("echo", "Says " + says, schema);
        }

        @Override
        public Duration timeout() {
            return Duration.ofSeconds(1);
        }

        @Override
        public boolean idempotent() {
            return true;
        }

        @Override
        public String run(JsonNode arguments, Consumer<String> updates) {
            updates.accept("Still " + says);
            if (fails) {
                throw new ToolException("HTTP 500: " + says);
            }
            return "You sent " + says;
        }
    }

    private static RunnableTool discreet(String says, boolean fails) {
        Secrets secrets = new Secrets();
        assertThat(secrets.add(KEY)).isEqualTo(KEY);
        secrets.add("k3y");
        return secrets.hiddenFrom(new Echo(says, fails));
    }

    @Test
    void shouldHideASecretWhereverAServerSaysItAgain() throws Exception {
        String coded = Base64.getEncoder().encodeToString(KEY.getBytes(StandardCharsets.UTF_8));
        for (String says : List.of(KEY, "a " + KEY + KEY, "k3y%2Bwith%2F%22signs%22", coded)) {
            List<String> updates = new ArrayList<>();
            RunnableTool tool = discreet(says, false);
            String everything = tool.run(Json.tree("{}"), updates::add) + updates + tool.spec();
            assertThat(everything).contains("[secret]").doesNotContain("signs", coded);
            assertThatThrownBy(() -> discreet(says, true).run(Json.tree("{}"), updates::add))
                    .isInstanceOf(ToolException.class)
                    .hasMessageStartingWith("HTTP 500: ")
                    .hasMessageContaining("[secret]")
                    .hasNoCause();
        }
    }

    @Test
    void shouldHideTheBeginningOfASecretWhereAnExcerptEndsInIt() throws Exception {
        for (int length = 4; length < KEY.length() - 1; length++) {
            String excerpt = Excerpt.of("You sent " + KEY, "You sent ".length() + length + 1);
            assertThat(discreet(excerpt, false).run(Json.tree("{}"), update -> {}))
                    .isEqualTo("You sent You sent [secret]…");
        }
    }

    @Test
    void shouldLeaveOtherTextAsItIs() throws Exception {
        assertThat(discreet("nothing", false).run(Json.tree("{}"), update -> {}))
                .isEqualTo("You sent nothing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sk-hidden\u200b", "sk-hidden\n", "sk-\u00fchidden", "sk-hidden\u0000", " ", ""})
    void shouldRefuseAVariableThatNoHeaderCanHoldWithoutSayingItsValue(String value) {
        try (ToolServer server = new ToolServer();
                Toolboxes toolboxes = new Toolboxes(server.policy(), Map.of("TOOL_KEY", value), Computing.HERE)) {
            Toolset toolset = new Toolset(
                    List.of(new Tool.Mcp(
                            "mini",
                            new Tool.McpServer.Http(server.url() + "/mcp", Map.of("X-Key", "Bearer ${key}")),
                            List.of(),
                            Duration.ofSeconds(5),
                            false)),
                    false);
            assertThatThrownBy(() -> toolboxes.open(toolset, Instant::now, "campaign"))
                    .isInstanceOfSatisfying(ToolboxException.class, refused -> {
                        assertThat(refused.failure().code()).isEqualTo(ErrorCode.TOOL_NOT_ALLOWED);
                        assertThat(refused.failure().message())
                                .contains("TOOL_KEY")
                                .doesNotContain("hidden");
                    });
        }
    }
}
