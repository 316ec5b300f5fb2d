package dev.assay.domain.evaluator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.TiePolicy;
import dev.assay.domain.selection.Strategy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class JudgeEvaluatorTest {

    private static final String ENDPOINT = "https://api.anthropic.com/v1";

    private static Judge judge(String model) {
        return new Judge(new Agent.Model(new ModelChoice("anthropic", model, Thinking.OFF, Map.of())), null);
    }

    private static JudgePolicy policy(@Nullable String systemPrompt, JudgeFormat format, Judge... judges) {
        return new JudgePolicy(List.of(judges), systemPrompt, format, false, 1, false, TiePolicy.UNDECIDED);
    }

    private static Evaluator of(Strategy strategy, Judge judge) {
        JudgePolicy policy = java.util.Objects.requireNonNull(strategy.judging());
        return JudgeEvaluator.of(strategy, policy, judge, UsedCode.NONE, ENDPOINT);
    }

    @Test
    void shouldNameStrategyModelAndPrompt() {
        Judge judge = judge("claude-opus-5");
        JsonNode definition = Json.tree(of(new Strategy.LlmJudge(policy(null, JudgeFormat.PLAIN, judge)), judge)
                .definition());

        assertThat(definition.path("kind").textValue()).isEqualTo("judge");
        assertThat(definition.path("code").textValue()).isEqualTo("llm-judge/1");
        assertThat(definition.path("model").path("model").textValue()).isEqualTo("claude-opus-5");
        assertThat(definition.path("model").path("endpoint").textValue()).isEqualTo(ENDPOINT);
        assertThat(definition.path("systemPrompt").textValue()).matches("[0-9a-f]{64}");
        assertThat(definition.path("strategy").path("reply").textValue()).isEqualTo("plain");
        assertThat(definition.path("strategy").has("judge")).isFalse();
    }

    @Test
    void shouldBeAnotherWhenItMayChooseOtherwise() {
        Judge judge = judge("a");
        assertThat(Stream.of(
                                of(new Strategy.LlmJudge(policy(null, JudgeFormat.PLAIN, judge)), judge),
                                of(new Strategy.LlmJudge(policy(null, JudgeFormat.PLAIN, judge)), judge("b")),
                                of(new Strategy.LlmJudge(policy("Be strict.", JudgeFormat.PLAIN, judge)), judge),
                                of(new Strategy.LlmJudge(policy(null, JudgeFormat.PLAIN.structured(), judge)), judge),
                                of(new Strategy.Pairwise(policy(null, JudgeFormat.PLAIN, judge), null), judge),
                                of(new Strategy.Pairwise(policy(null, JudgeFormat.PLAIN, judge), 3), judge))
                        .map(Evaluator::hash))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldBeTheSameJudgeWhoeverElseSitsInThePanel() {
        Judge judge = judge("a");
        assertThat(of(new Strategy.LlmJudge(policy(null, JudgeFormat.PLAIN, judge, judge("b"))), judge))
                .isEqualTo(of(new Strategy.LlmJudge(policy(null, JudgeFormat.PLAIN, judge, judge("c"))), judge));
    }
}
