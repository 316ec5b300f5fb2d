package dev.assay.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.DecimalNode;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProvenanceTest {

    private static final ModelChoice CHOICE = new ModelChoice(
            "anthropic", "claude", Thinking.XHIGH, Map.of("temperature", DecimalNode.valueOf(new BigDecimal("0.5"))));

    private static final Served SERVED = new Served("claude-1", null, "flex");

    @Test
    void shouldSayWhatTheUserAskedForWhenAModelIsAsked() {
        Provenance said = new Provenance(null, Json.tree("{\"max_tokens\":5}"), SERVED);

        for (Agent agent : List.of(new Agent.Model(CHOICE), new Agent.Replay(CHOICE, "c"))) {
            Provenance provenance = said.requestedOf(agent);

            assertThat(provenance.requested()).isEqualTo(Json.tree("""
                {"provider":"anthropic","model":"claude","thinking":"xhigh","parameters":{"temperature":0.5}}\
                """));
            assertThat(provenance.effective()).isEqualTo(said.effective());
            assertThat(provenance.served()).isEqualTo(SERVED);
        }
    }

    @Test
    void shouldSayNothingWhenAScriptAnswers() {
        Agent.Script script = new Agent.Script(List.of("A"), Duration.ZERO, List.of(), null);

        assertThat(Provenance.NONE.requestedOf(new Agent.Scripted(script))).isEqualTo(Provenance.NONE);
    }

    @Test
    void shouldBeReadBackWhenItIsWritten() {
        for (Provenance provenance :
                List.of(Provenance.NONE, new Provenance(null, Json.tree("{\"top_p\":0.10}"), SERVED))) {
            assertThat(Json.read(Json.write(provenance), Provenance.class)).isEqualTo(provenance);
        }
        assertThat(Json.read("{}", Provenance.class)).isEqualTo(Provenance.NONE);
    }

    @Test
    void shouldKeepOneBoundedLineWhenAnEndpointSaysAnything() {
        Served served = new Served("\u0000\n", "a\u0000b\uD800", "x".repeat(100_000));

        assertThat(served.model()).isNull();
        assertThat(served.fingerprint()).isEqualTo("a b\uFFFD");
        assertThat(served.serviceTier()).hasSize(200).endsWith("…");
    }
}
