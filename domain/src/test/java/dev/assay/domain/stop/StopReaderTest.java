package dev.assay.domain.stop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.plan.OrderRule;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StopReaderTest {

    private static CampaignSubmission read(String stopAndGate) {
        return CampaignReader.read(CampaignDocument.parse("""
            name: early
            cases: [{id: a, prompt: Hello}]
            branches: [{id: b, kind: scripted, script: {answers: [Hi]}}]
            %s
            """.formatted(stopAndGate)), Map.of());
    }

    @Test
    void shouldAskEveryCellUnlessTheFileSaysOtherwise() {
        assertThat(read("").stop()).isEqualTo(StopRule.NONE);
        assertThat(read("stop: none").stop()).isEqualTo(StopRule.NONE);
        assertThat(read("stop: settled").stop()).isEqualTo(StopRule.SETTLED);
        assertThat(read("stop: sure\ngate: {rule: {threshold: 0.8}}").stop()).isEqualTo(StopRule.SURE);
    }

    @Test
    void shouldDrawTheOrderOnlyWhereTheFirstRoundsDecideUnlessTheFileSaysOtherwise() {
        assertThat(read("").order()).isEqualTo(OrderRule.GIVEN);
        assertThat(read("stop: settled").order()).isEqualTo(OrderRule.GIVEN);
        assertThat(read("order: drawn").order()).isEqualTo(OrderRule.DRAWN);
        assertThat(read("stop: sure\ngate: {rule: {threshold: 0.8}}").order()).isEqualTo(OrderRule.DRAWN);
        assertThat(read("order: given\nstop: sure\ngate: {rule: {threshold: 0.8}}")
                        .order())
                .isEqualTo(OrderRule.GIVEN);
        assertThat(read("order: drawn").document()).isEqualTo(read("").document());
    }

    @Test
    void shouldNameTheOrdersThatThereAre() {
        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> read("order: random"))
                .satisfies(e -> assertThat(e.errors())
                        .singleElement()
                        .satisfies(error -> assertThat(error.path()).isEqualTo("order"))
                        .satisfies(error -> assertThat(error.message()).contains("given", "drawn")));
    }

    /** The build before reads what is stored, and asks every cell. */
    @Test
    void shouldLeaveTheStoredDocumentAsItIsWithoutTheRule() {
        assertThat(read("stop: settled").document()).isEqualTo(read("").document());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{minAgreement: 0.9}                                     | settled | gate.minAgreement",
                "{maxErrorRate: 0.5}                                     | settled | gate.maxErrorRate",
                "{rule: {threshold: 0.5}}                                | settled | gate.rule",
                "{baseline: {campaign: x}}                               | settled | gate.baseline",
                "{passThreshold: 0.5}                                    | sure    | gate.rule",
                "{rule: {threshold: 0.5}, baseline: {campaign: x}}       | sure    | gate.baseline",
            })
    void shouldRefuseToStopBeforeAGateHasWhatItNeeds(String gate, String stop, String named) {
        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> read("stop: " + stop + "\ngate: " + gate))
                .satisfies(e -> assertThat(e.errors())
                        .singleElement()
                        .satisfies(error -> assertThat(error.message()).contains(named))
                        .extracting(FieldError::path)
                        .isEqualTo("stop"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop: early", "stop: true", "stop: [settled]", "stop: null", "stop: \"sett\\0led\""})
    void shouldRefuseAnotherWord(String written) {
        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> read(written))
                .satisfies(
                        e -> assertThat(e.errors()).extracting(FieldError::path).contains("stop"));
    }
}
