package dev.assay.domain.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.WorkerCapabilities;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrialJudgesTest {

    private static final WorkerCapabilities OFFER = new WorkerCapabilities(
            Map.of("openai", new ProviderInfo("openai", true, null, 10, 4_096, Map.of())), null, Set.of("mine"));
    private static final String TWO = "{id: a, provider: openai, model: m}, {id: b, provider: openai, model: n}";
    private static final String GRADED =
            "checks: [{type: rubric, value: Polite}]\ngrader: {provider: openai, model: gpt-5-mini}";

    private static Optional<TrialJudges> of(String branches, String rest) {
        return TrialJudges.of(CampaignReader.read(CampaignDocument.parse("""
            name: n
            cases: [{id: france, prompt: Capital?}]
            branches: [%s]
            %s
            """.formatted(branches, rest)), OFFER)
                .definition());
    }

    private static String judge(String model) {
        return "{provider: openai, model: " + model + "}";
    }

    @Test
    void shouldNameTheJudgeWhichNeedsTwoAnswers() {
        assertThat(of(TWO, "strategy: {type: llm-judge, judge: " + judge("gpt-5") + "}"))
                .contains(new TrialJudges("judge gpt-5", 2));
        assertThat(of(TWO, "strategy: {type: pairwise, judge: " + judge("gpt-5") + "}"))
                .contains(new TrialJudges("judge gpt-5", 2));
    }

    @Test
    void shouldNameEachModelOfAPanelOnce() {
        assertThat(of(
                        TWO,
                        "strategy: {type: llm-judge, panel: [%s, %s, %s]}"
                                .formatted(judge("gpt-5"), judge("gpt-4"), judge("gpt-5"))))
                .contains(new TrialJudges("judges gpt-5, gpt-4", 2));
    }

    @Test
    void shouldNameGradersAndStrategiesThatReadASingleAnswer() {
        assertThat(of("{id: a, provider: openai, model: m}", GRADED)).contains(new TrialJudges("grader gpt-5-mini", 1));
        assertThat(of(TWO, GRADED + "\nstrategy: {type: llm-judge, judge: " + judge("gpt-5") + "}"))
                .contains(new TrialJudges("grader gpt-5-mini, judge gpt-5", 1));
        assertThat(of(TWO, "strategy: {type: custom, name: mine, maxAsks: 1, models: {x: " + judge("gpt-5") + "}}"))
                .contains(new TrialJudges("strategy mine", 1));
    }

    @Test
    void shouldBeNoneWhenNoModelReadsAnswers() {
        assertThat(of(TWO, "strategy: {type: token-efficient}")).isEmpty();
        assertThat(of(TWO, "strategy: {type: custom, name: mine}")).isEmpty();
    }

    @Test
    void shouldStayShortWhenNamesAreLong() {
        String names = of(TWO, "strategy: {type: llm-judge, judge: " + judge("g".repeat(120)) + "}")
                .orElseThrow()
                .names();

        assertThat(names)
                .hasSize(TrialJudges.LONGEST_NAMES)
                .startsWith("judge ggg")
                .endsWith("g…");
    }

    @Test
    void shouldRefuseNamesThatNobodyCanReadAndCountsThatNoTrialHas() {
        assertThatThrownBy(() -> new TrialJudges(" ", 1)).hasMessageContaining("names has 1 to 100 characters");
        assertThatThrownBy(() -> new TrialJudges("g".repeat(101), 1))
                .hasMessageContaining("names has 1 to 100 characters");
        assertThatThrownBy(() -> new TrialJudges("judge", 3)).hasMessage("fewestAnswers is 1 or 2, not 3");
        assertThatThrownBy(() -> new TrialJudges("judge", 0)).hasMessage("fewestAnswers is 1 or 2, not 0");
    }
}
