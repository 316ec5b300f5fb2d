package dev.assay.domain.judge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaignfile.strategy.StrategyKinds;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.verdicts.GoldenFile;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A vote that changes, and a prompt that does, are another judge's: its strategy gets another number. */
final class GoldenVotesTest {

    private static final int SHOWN = 3;

    private static final JudgePolicy POLICY = JudgePolicy.plain(
            new Judge(new Agent.Scripted(new Agent.Script(List.of("1"), Duration.ZERO, List.of(), null)), null), null);

    static Stream<String> codes() {
        return Stream.of(new Strategy.LlmJudge(POLICY), new Strategy.Pairwise(POLICY, null))
                .map(StrategyKinds::code);
    }

    @ParameterizedTest
    @MethodSource("codes")
    void shouldVoteTheSameAsEverUnderOneNumber(String code) {
        List<JsonNode> rows = GoldenFile.rows(code);

        assertThat(rows)
                .as("Votes of %s need rows in %s", code, GoldenFile.PATH)
                .isNotEmpty();
        for (JsonNode row : rows) {
            Integer chosen = chosen(row);
            assertThat(chosen == null ? "none" : chosen.toString())
                    .as("%s reads %s; raise its number in its kind", code, row)
                    .isEqualTo(row.get("chooses").asText());
        }
    }

    private static @Nullable Integer chosen(JsonNode row) {
        String reply = row.get("reply").textValue();
        if (row.has("structured")) {
            return StructuredReply.read(reply, SHOWN) instanceof StructuredReply.Valid valid
                    ? (Integer) (valid.index() + 1)
                    : null;
        }
        JudgeFormat.Reading reading =
                JudgeFormat.Reading.byWord().get(row.path("reading").asText("one-number"));
        return JudgeReply.read(reading, reply, SHOWN) instanceof JudgeReply.Choice.Of(int index)
                ? (Integer) (index + 1)
                : null;
    }

    @Test
    void shouldAskTheSameAsEverUnderOneNumber() {
        StringBuilder forms = new StringBuilder();
        for (boolean fenced : List.of(false, true)) {
            for (JudgeFormat.Reply reply : JudgeFormat.Reply.values()) {
                forms.append(JudgePrompt.build(new JudgeFormat(reply, fenced), "context", "query", List.of("a", "b")));
            }
        }
        forms.append(JudgePrompt.repair("", "reply", "problem"));

        assertThat(RequestKey.sha256(forms.toString()))
                .as("the words that judges read: where they change, raise the numbers of llm-judge and pairwise")
                .isEqualTo("181d1d182970ae414d5e1ce816de6be50593c29fe56a5dc2dad4237075fe9e08");
    }
}
