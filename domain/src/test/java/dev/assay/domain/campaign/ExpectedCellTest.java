package dev.assay.domain.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.WorkerCapabilities;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExpectedCellTest {

    private static final String SCRIPTED = "{id: a, kind: scripted, script: {answers: [Paris]}}";

    private static OptionalDouble seconds(String branches) {
        return ExpectedCell.seconds(CampaignReader.read(
                        CampaignDocument.parse("""
                            name: n
                            cases: [{id: france, prompt: Capital?}]
                            branches: [%s]
                            """.formatted(branches)),
                        new WorkerCapabilities(
                                Map.of("openai", new ProviderInfo("openai", true, null, 10, 4_096, Map.of())),
                                null,
                                Set.of("mine")))
                .definition());
    }

    @Test
    void shouldExpectWhatTheSlowestScriptTakes() {
        assertThat(seconds(SCRIPTED)).hasValue(0.01);
        assertThat(seconds(SCRIPTED + ", {id: b, kind: scripted, script: {answers: [Paris], delayMs: 1500}}"))
                .hasValue(1.51);
    }

    @Test
    void shouldExpectNothingWhereAModelAnswers() {
        assertThat(seconds(SCRIPTED + ", {id: b, provider: openai, model: m}")).isEmpty();
    }
}
