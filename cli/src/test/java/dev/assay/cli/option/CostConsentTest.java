package dev.assay.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.cli.report.CampaignSize;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.error.AssayException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CostConsentTest {

    private static CampaignSize campaign(int cases, String branches, String limits) {
        String all = IntStream.range(0, cases)
                .mapToObj(i -> "{id: c" + i + ", prompt: x}")
                .collect(Collectors.joining(", "));
        CampaignSubmission submission = CampaignReader.readForServer(CampaignDocument.parse(
                "name: n\ncases: [" + all + "]\nbranches: [" + branches + "]\nlimits: {" + limits + "}\n"));
        return CampaignSize.of(submission, Map.of());
    }

    private static String warned(CampaignSize campaign) {
        StringWriter err = new StringWriter();
        assertThat(new CostConsent().given(campaign, new PrintWriter(err))).isTrue();
        return err.toString();
    }

    @Test
    void costWarningEvalCostWarningIsSaidFromAHundredCallsOn() {
        String paid = "{id: a, provider: p, model: m}";
        assertThat(warned(campaign(99, paid, "")))
                .isEqualTo("99 cases × 1 branch × 1 trial = 99 cells: 99 calls, tokens unknown, cost unknown. Each may"
                        + " cost money." + System.lineSeparator());
        assertThat(warned(campaign(100, paid, "")))
                .startsWith("EVAL_COST_WARNING: 100 cases × 1 branch × 1 trial = 100 cells: 100 calls, tokens unknown");
    }

    @Test
    void shouldSayThatNothingIsPaidWhenAllAnswersAreScriptedOrReplayed() {
        String scripted = "{id: a, kind: scripted, script: {answers: [x], usage: {input: 3, output: 2}}}";
        assertThat(warned(campaign(1_000, scripted, "")))
                .isEqualTo("1,000 cases × 1 branch × 1 trial = 1,000 cells: 1,000 calls, all replayed or scripted:"
                        + " nothing is paid." + System.lineSeparator());
        assertThat(warned(campaign(100, scripted + ", {id: b, provider: p, model: m}", "")))
                .startsWith("EVAL_COST_WARNING: ");
    }

    @Test
    void shouldSayWhatLimitsDeclareOrThatNobodyKnows() {
        String bounded =
                "{id: a, provider: p, model: m, parameters: {maxOutputTokens: 50}, limits: {maxCostUsd: 0.25}}";
        assertThat(campaign(10, bounded, "").calls()).contains("tokens by declared limits, cost at most $2.50");
        String open = "{id: a, provider: p, model: m}";
        assertThat(campaign(10, open, "").calls()).contains("10 calls, tokens unknown, cost unknown");
        assertThat(campaign(10, open, "budgetUsd: 2").calls())
                .contains("tokens unknown, cost at most $2.00 by the budget");
    }

    @Test
    void shouldWarnFromAnotherNumberWhenTheVariableNamesOne() {
        assertThat(CostConsent.from(null)).isEqualTo(100);
        assertThat(CostConsent.from("")).isEqualTo(100);
        assertThat(CostConsent.from(" 7 ")).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "many", "1.5", "99999999999999999999"})
    void shouldRefuseWhenTheVariableIsNoNumberOfCalls(String variable) {
        assertThatThrownBy(() -> CostConsent.from(variable))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("ASSAY_COST_WARNING");
    }
}
