package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CampaignWarning.Code;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CampaignWarningTest {

    private static final String BRANCH = "{id: %s, kind: scripted, script: {answers: [a]}}";

    private static CampaignSubmission read(String branches, String strategy) {
        return CampaignReader.read(CampaignDocument.parse("""
            name: warned
            cases: [{id: one, prompt: Hi}]
            branches: [%s]
            strategy: {%s}
            """.formatted(branches, strategy)), Map.of());
    }

    private static String two() {
        return BRANCH.formatted("a") + ", " + BRANCH.formatted("b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "type: llm-judge, judge: {kind: scripted, script: {answers: [first]}}",
                "type: llm-judge, judge: {kind: scripted, script: {answers: [first]}}, reply: plain",
                "type: pairwise, judge: {kind: scripted, script: {answers: [first]}}"
            })
    void shouldWarnWhenAPlainJudgeReadsAnswersAndNothingIsSaidOfAFence(String strategy) {
        CampaignSubmission submission = read(two(), strategy);

        assertThat(submission.warnings()).containsExactly(Code.JUDGE_UNFENCED);
        assertThat(submission.warnings().getFirst().warning().text())
                .isEqualTo("JUDGE_UNFENCED: An answer may hold the text `Response 2:`; `fence: true` marks where each"
                        + " begins.");
        assertThat(submission.document().at("/strategy/fence").booleanValue())
                .as("the prompt stays")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"'', true", "', fence: false', false", "', reply: structured', false"})
    void shouldWarnOfAnEvaluationAsOfACampaign(String rest, boolean warns) {
        EvaluationSubmission evaluation =
                EvaluationReader.read(CampaignDocument.parse("""
                    prompts: [Why?]
                    branches: [%s]
                    strategy: {type: llm-judge, judge: {kind: scripted, script: {answers: [first]}}%s}
                    """.formatted(two(), rest)), CampaignFile.OFFER);

        assertThat(evaluation.campaign().warnings()).isEqualTo(warns ? List.of(Code.JUDGE_UNFENCED) : List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "type: llm-judge, judge: {kind: scripted, script: {answers: [first]}}, fence: false",
                "type: llm-judge, judge: {kind: scripted, script: {answers: [first]}}, fence: true",
                "type: llm-judge, judge: {kind: scripted, script: {answers: [first]}}, reply: structured",
                "type: token-efficient"
            })
    void shouldBeSilentWhenAFenceIsMeantOrNotNeeded(String strategy) {
        assertThat(read(two(), strategy).warnings()).isEmpty();
    }
}
