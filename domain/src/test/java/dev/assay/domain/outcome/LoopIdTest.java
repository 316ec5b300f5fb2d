package dev.assay.domain.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.tool.Toolset;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class LoopIdTest {

    @TestFactory
    Stream<DynamicTest> segments() {
        return Vectors.tests(
                "judge-basics.json",
                Map.of("loopSegment", LoopIdTest::assertSegment),
                "estimateTokens",
                "tailLines",
                "firstAndLastParagraph",
                "limit",
                "parseSelection",
                "loopSegment");
    }

    private static Agent model(String provider, String model, Thinking thinking) {
        return new Agent.Model(new ModelChoice(provider, model, thinking, Map.of()));
    }

    private static void assertSegment(JsonNode input, JsonNode expected) {
        String thinking = input.get("thinking").textValue();
        String id = input.get("id").textValue();
        Agent agent = model(
                input.get("provider").textValue(),
                input.get("model").textValue(),
                thinking == null ? Thinking.OFF : Thinking.valueOf(thinking.toUpperCase(Locale.ROOT)));
        String segment = new Branch(
                        id == null ? "made-up" : id,
                        id != null,
                        agent,
                        null,
                        AgentLimits.DEFAULT,
                        Toolset.NONE,
                        List.of(),
                        null,
                        DeliveryWish.LIVE)
                .segment();

        assertThat(segment).isEqualTo(expected.textValue());
    }

    @Test
    void shouldReplaceEachCodePointOnceWhenModelHasSymbolsBeyondTheBasicPlane() {
        assertThat(model("p", "a\uD83D\uDE00b_\uD835\uDC00", Thinking.OFF).segment())
                .isEqualTo("p.a-b-\uD835\uDC00");
    }

    @Test
    void shouldKeepEveryKindOfNumberWhenSluggingAModel() {
        assertThat(model("p", "1\u0662\u2161\u00BD\u4E00", Thinking.OFF).segment())
                .isEqualTo("p.1\u0662\u2161\u00BD\u4E00");
    }

    @Test
    void shouldNeverShareALoopIdWhenIdsAreChosenToCollide() {
        List<String> campaigns = List.of("a", "a-0", "a.b", "a-0.x", "a.1", "a.1.b");
        List<String> segments = List.of("x", "1.b", "x-5.y", "b/0.x", "");
        Set<String> ids = new HashSet<>();
        int made = 0;
        for (String campaign : campaigns) {
            for (int ordinal = 0; ordinal < 13; ordinal++) {
                for (int n = 1; n <= segments.size(); n++) {
                    ids.add(new LoopId(LoopId.sessionOf(campaign, ordinal), segments.get(n - 1), n).text());
                    made++;
                }
            }
        }

        assertThat(ids).hasSize(made);
    }

    @Test
    void shouldRefuseACampaignIdWhenItHoldsASlash() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoopId.sessionOf("a/1", 0))
                .withMessageContaining("a/1");
    }

    @Test
    void shouldNumberLoopsFromOneWhenNamingThem() {
        assertThat(new LoopId("s", "small", 1).text()).isEqualTo("s.small.1");
        assertThatIllegalArgumentException().isThrownBy(() -> new LoopId("s", "small", 0));
    }
}
