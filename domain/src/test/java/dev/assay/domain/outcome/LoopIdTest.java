package dev.assay.domain.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.agent.Thinking;
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

    private static void assertSegment(JsonNode input, JsonNode expected) {
        String thinking = input.get("thinking").textValue();
        String segment = LoopId.segment(
                input.get("id").textValue(),
                input.get("provider").textValue(),
                input.get("model").textValue(),
                thinking == null ? null : Thinking.valueOf(thinking.toUpperCase(Locale.ROOT)));

        assertThat(segment).isEqualTo(expected.textValue());
    }

    @Test
    void shouldReplaceEachCodePointOnceWhenModelHasSymbolsBeyondTheBasicPlane() {
        assertThat(LoopId.segment(null, "p", "a\uD83D\uDE00b_\uD835\uDC00", null))
                .isEqualTo("p.a-b-\uD835\uDC00");
    }

    @Test
    void shouldKeepEveryKindOfNumberWhenSluggingAModel() {
        assertThat(LoopId.segment(null, "p", "1\u0662\u2161\u00BD\u4E00", Thinking.OFF))
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
                    ids.add(LoopId.of(LoopId.sessionId(campaign, ordinal), segments.get(n - 1), n));
                    made++;
                }
            }
        }

        assertThat(ids).hasSize(made);
    }

    @Test
    void shouldRefuseACampaignIdWhenItHoldsASlash() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoopId.sessionId("a/1", 0))
                .withMessageContaining("a/1");
    }

    @Test
    void shouldNumberLoopsFromOneWhenNamingThem() {
        assertThat(LoopId.of("s", "small", 1)).isEqualTo("s.small.1");
        assertThatIllegalArgumentException().isThrownBy(() -> LoopId.of("s", "small", 0));
    }
}
