package dev.assay.domain.grading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.suite.Case;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LostAnswersTest {

    private static final CampaignSubmission READ = CampaignReader.read(CampaignDocument.parse("""
        name: c
        cases:
          - id: a
            prompt: p
            checks: [{type: contains, value: x, metric: m}, {type: regex, value: x, required: false}]
        branches:
          - {id: whole, kind: scripted, script: {answers: [x]}}
          - {id: less, kind: scripted, script: {answers: [x]}, lost: 'providers[0].config.tools'}
        strategy: {type: pick-first}
        """), Map.of());

    @Test
    void shouldLeaveAllChecksOpenWhenTheBranchLostAPart() {
        Branch less = READ.definition().branches().get(1);
        Case one = READ.suite().cases().getFirst();

        assertThat(LostAnswers.areOf(less)).isTrue();
        List<CheckResult> results = LostAnswers.results(less, one);

        assertThat(results).extracting(CheckResult::type).containsExactly("contains", "regex");
        assertThat(results).extracting(CheckResult::required).containsExactly(true, false);
        assertThat(results).allSatisfy(result -> {
            assertThat(result.status()).isEqualTo(CheckResult.Status.UNSCORED);
            assertThat(result.lost()).isTrue();
            assertThat(result.reason()).startsWith("left out: providers[0].config.tools of the imported file");
        });
        assertThat(results.getFirst().metric()).isEqualTo("m");
    }

    @Test
    void shouldLeaveNothingOpenWhenTheBranchIsWhole() {
        Branch whole = READ.definition().branches().getFirst();

        assertThat(LostAnswers.areOf(whole)).isFalse();
        assertThat(LostAnswers.results(whole, READ.suite().cases().getFirst())).isNull();
    }
}
