package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Pairing;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.reducer.Reducer;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GateReaderTest {

    @Test
    void shouldReadEveryDemandWhenItIsWritten() {
        GatePolicy gate = gate("{suiteThreshold: 0.9, minAgreement: 0.8, errors: unknown, maxErrorRate: 0.1}");

        assertThat(gate.demands()).isEqualTo(new GateDemands(0.8, GateDemands.ErrorTreatment.UNKNOWN, 0.1));
        assertThat(gate.countsCases()).isTrue();
        assertThat(gate("{rule: {metric: trial-rate, threshold: 0.7, alpha: 0.01}}")
                        .rule())
                .isEqualTo(new RateRule(RateRule.Metric.TRIAL_RATE, 0.7, 0.01));
        assertThat(gate("{rule: {threshold: 1}}").rule())
                .isEqualTo(new RateRule(RateRule.Metric.TRIAL_RATE, 1, RateRule.DEFAULT_ALPHA));
        assertThat(gate("{baseline: {campaign: a-1, branch: small, maxDrop: 0}}")
                        .baseline())
                .isEqualTo(new BaselineRule("a-1", "small", 0));
        assertThat(gate("{baseline: {campaign: a-1}}").baseline()).isEqualTo(new BaselineRule("a-1", null, 0.02));
        assertThat(gate("{baseline: {campaign: a-1, pair: question}}").baseline())
                .isEqualTo(new BaselineRule("a-1", null, 0.02, Pairing.QUESTION));
        assertThat(gate("{rule: null, baseline: null, minAgreement: null, maxErrorRate: null}"))
                .isEqualTo(GatePolicy.DEFAULT);
    }

    @Test
    void shouldStoreNoneOfTheNewFieldsWhenNoneIsUsed() {
        assertThat(CampaignFile.full().read().document().at("/gate").properties())
                .as("builds that know no such fields read what makes no use of them")
                .extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrder("passThreshold", "suiteThreshold", "branches");
        assertThat(CampaignFile.full().read().document().has("reducers")).isFalse();
    }

    @Test
    void shouldCountNoCasesWhenSomethingElseDecides() {
        assertThat(gate("{rule: {threshold: 0.5}, suiteThreshold: 1}").countsCases())
                .isFalse();
        assertThat(gate("{baseline: {campaign: a-1}}").countsCases()).isFalse();
        assertThat(gate("{baseline: {campaign: a-1}, suiteThreshold: 1}").countsCases())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{minAgreement: 1.1} | gate.minAgreement",
                "{minAgreement: often} | gate.minAgreement",
                "{minAgreement: .nan} | gate.minAgreement",
                "{maxErrorRate: -0.1} | gate.maxErrorRate",
                "{errors: ignore} | gate.errors",
                "{errors: null} | gate.errors",
                "{rule: 0.7} | gate.rule",
                "{rule: {}} | gate.rule.threshold",
                "{rule: {threshold: null}} | gate.rule.threshold",
                "{rule: {threshold: 2}} | gate.rule.threshold",
                "{rule: {threshold: 0.5, alpha: 0}} | gate.rule.alpha",
                "{rule: {threshold: 0.5, alpha: 1}} | gate.rule.alpha",
                "{rule: {threshold: 0.5, metric: wins}} | gate.rule.metric",
                "{rule: {threshold: 0.5, level: 1}} | gate.rule.level",
                "{rule: {threshold: 0.5}, minAgreement: 0.9} | gate.minAgreement",
                "{baseline: a-1} | gate.baseline",
                "{baseline: {}} | gate.baseline.campaign",
                "{baseline: {campaign: 7}} | gate.baseline.campaign",
                "{baseline: {campaign: a/b}} | gate.baseline.campaign",
                "{baseline: {campaign: a-1, maxDrop: 2}} | gate.baseline.maxDrop",
                "{baseline: {campaign: a-1, branch: ''}} | gate.baseline.branch",
                "{baseline: {campaign: a-1}, minAgreement: 0.9} | gate.minAgreement",
            })
    void shouldNameThePlaceWhenADemandIsWrong(String gate, String path) {
        assertThat(CampaignFile.errors(
                        CampaignFile.minimal().with("/gate", gate).document()))
                .singleElement()
                .asString()
                .startsWith(path + ": ");
    }

    @Test
    void shouldReadReducersInTheirOrderWhenTheTrialsAreEnough() {
        assertThat(CampaignFile.minimal()
                        .with("/trials", "5")
                        .with("/reducers", "[pass_at_5, median, pass_k_2, at_least_3, at_least_3_of_5]")
                        .read()
                        .definition()
                        .reducers())
                .extracting(Reducer::name)
                .isEqualTo(List.of("pass_at_5", "median", "pass_k_2", "at_least_3", "at_least_3_of_5"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pass_at_6",
                "at_least_6",
                "at_least_4_of_6",
                "at_least_4_of_3",
                "pass_at_0",
                "pass@5",
                "PASS_AT_1",
                "pass_at_1_of_2",
                "pass_at_99999999999",
                "\"pass_at_1\\0\"",
                "''",
                "5",
                "null",
            })
    void shouldNameThePlaceWhenAReducerCannotBe(String reducer) {
        assertThat(CampaignFile.errors(CampaignFile.minimal()
                        .with("/trials", "5")
                        .with("/reducers", "[mean, " + reducer + "]")
                        .document()))
                .isNotEmpty()
                .allSatisfy(error -> assertThat(error).startsWith("reducers[1]"));
    }

    @Test
    void shouldRefuseReducersThatAreNamedTwiceOrAreTooMany() {
        assertThat(CampaignFile.errors(CampaignFile.minimal()
                        .with("/reducers", "[mean, max, mean]")
                        .document()))
                .containsExactly("reducers[2]: Reducer `mean` is named twice; remove one.");
        List<String> many =
                IntStream.rangeClosed(1, 21).mapToObj(k -> "pass_at_" + k).toList();
        assertThat(CampaignFile.errors(CampaignFile.minimal()
                        .with("/trials", "100")
                        .with("/reducers", many.toString())
                        .document()))
                .containsExactly("reducers[20]: A campaign names at most 20 reducers.");
        assertThat(CampaignFile.errors(
                        CampaignFile.minimal().with("/reducers", "mean").document()))
                .singleElement()
                .asString()
                .startsWith("reducers: ");
    }

    private static GatePolicy gate(String yaml) {
        return CampaignFile.minimal().with("/gate", yaml).read().definition().gate();
    }
}
