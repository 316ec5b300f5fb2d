package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.error.AssayException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Kinds that are no part of the product: two packages of the tests and a line in META-INF/services are all that they take. */
final class NewKindTest {

    private static final String CAMPAIGN = """
        name: parrots
        cases: [{id: a, prompt: Who?, vars: {name: Polly}, checks: [{type: icontains, value: polly}]}]
        branches:
          - {id: says-2, kind: parrot, phrase: "2"}
          - {id: says-hi, kind: parrot, phrase: Hi}
        strategy: {type: llm-judge, judge: {kind: parrot, phrase: "2"}, reading: first-number}
        """;

    @Test
    void shouldRunACampaignWhenItsBranchesAndItsJudgeAreOfAKindThatOnlyTestsKnow() throws InterruptedException {
        try (Engine engine = new Engine()) {
            engine.submit("parrots", CAMPAIGN, Map.of());

            assertThat(engine.awaitEnd("parrots").state()).isEqualTo(CampaignState.COMPLETED);
            assertThat(engine.store.query("SELECT status, passed, response FROM outcome ORDER BY branch_index"))
                    .containsExactly(
                            Map.of("status", "COMPLETED", "passed", true, "response", "2 \"Polly\""),
                            Map.of("status", "COMPLETED", "passed", true, "response", "Hi \"Polly\""));
            assertThat(engine.store.query("SELECT provider, model FROM campaign_branch"))
                    .containsOnly(Map.of("provider", "parrot", "model", "grey"));
            assertThat(engine.store.count("SELECT selected_index FROM trial")).isEqualTo(1);
            assertThat(engine.get("parrots").definition())
                    .isEqualTo(CampaignReader.read(CampaignDocument.parse(CAMPAIGN), Map.of())
                            .definition());
        }
    }

    @Test
    void shouldTakeTheBranchThatTheStrategyNamesWhenOnlyTestsKnowTheStrategy() throws InterruptedException {
        String campaign = """
            name: last
            cases: [{id: a, prompt: Who?}]
            branches:
              - {id: first, kind: scripted, script: {answers: [a]}}
              - {id: last, kind: scripted, script: {answers: [b]}}
            strategy: {type: last-answer, why: It came last.}
            """;
        try (Engine engine = new Engine()) {
            engine.submit("last", campaign, Map.of());

            assertThat(engine.awaitEnd("last").state()).isEqualTo(CampaignState.COMPLETED);
            assertThat(engine.store.query("SELECT strategy, selected_index, decided, reason FROM trial"))
                    .containsExactly(Map.of(
                            "strategy",
                            "last-answer",
                            "selected_index",
                            1,
                            "decided",
                            true,
                            "reason",
                            "It came last."));
            assertThat(engine.get("last").definition())
                    .isEqualTo(CampaignReader.read(CampaignDocument.parse(campaign), Map.of())
                            .definition());
        }
    }

    @Test
    void shouldRefuseFieldsOfOtherKindsWhenTheKindIsNew() {
        assertThatThrownBy(() -> CampaignReader.read(CampaignDocument.parse("""
            name: parrots
            cases: [{id: a, prompt: Who?}]
            branches:
              - {id: a, kind: parrot, phrase: Hi, model: m}
              - {id: b, kind: parrot, phrase: Hi, limits: {maxTurns: 2}}
              - {id: c, kind: scripted, script: {answers: [x]}, phrase: Hi}
            """), Map.of()))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .extracting(error -> error.path() + ": " + error.message())
                                .isEqualTo(List.of(
                                        "branches[0].model: `model` belongs to kind model or replay, but the kind is"
                                                + " parrot; remove it or write another `kind`.",
                                        "branches[1].limits: `limits` does not belong to kind parrot; remove it.",
                                        "branches[2].phrase: `phrase` belongs to kind parrot, but the kind is scripted;"
                                                + " remove it or write another `kind`.")));
    }
}
