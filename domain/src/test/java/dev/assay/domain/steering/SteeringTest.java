package dev.assay.domain.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.usage.Price;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users may ask of a campaign that exists. */
class SteeringTest {

    private static final CampaignDefinition DEFINITION = CampaignReader.readStored(document("""
        name: capitals
        branches:
          - {id: small, provider: openai, model: gpt-5-mini}
          - {id: told, kind: scripted, script: {answers: [Paris]}}
        strategy: {type: llm-judge, judge: {provider: anthropic, model: claude-opus-4-6}}
        """));

    private static JsonNode document(String text) {
        return CampaignDocument.parse(text);
    }

    private static LimitChange.Current current(String budgetUsd, String committedUsd) {
        return new LimitChange.Current(
                DEFINITION,
                1_000_000,
                5,
                budgetUsd.isEmpty() ? null : new BigDecimal(budgetUsd),
                new BigDecimal(committedUsd),
                Map.of(
                        "openai",
                        new ProviderInfo(
                                "openai",
                                true,
                                null,
                                10,
                                100,
                                Map.of(
                                        "*",
                                        new Price(BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE)))));
    }

    @ParameterizedTest
    @EnumSource(SteeringVerb.class)
    void shouldNeverMoveAStateThatIsAsItWants(SteeringVerb verb) {
        assertThat(verb.from()).doesNotContainAnyElementsOf(verb.content());
        assertThat(verb.content()).contains(verb.to());
    }

    @Test
    void shouldReadAnySubsetOfLimits() {
        assertThat(LimitChange.read(document("{maxConcurrent: 7, budgetUsd: 2.5, trials: 6}")))
                .isEqualTo(new LimitChange(7, new BigDecimal("2.5"), 6));
        assertThat(LimitChange.read(document("{trials: 6}"))).isEqualTo(new LimitChange(null, null, 6));
        assertThat(LimitChange.read(document("{}"))).isEqualTo(new LimitChange(null, null, null));
    }

    @Test
    void shouldNameEveryErrorOfAChangeWithItsPath() {
        assertThatThrownBy(() -> LimitChange.read(
                        document("{maxConcurrent: 0, budgetUsd: null, trials: 1.5, maxConcurrency: 5}")))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .extracting(FieldError::path)
                                .containsExactly("maxConcurrency", "maxConcurrent", "budgetUsd", "trials"))
                .hasMessageContaining("did you mean `maxConcurrent`?");
        assertThatThrownBy(() -> LimitChange.read(document("[]"))).hasMessageContaining("must be an object");
    }

    @ParameterizedTest
    @CsvSource({
        "{trials: 5}, 10, 0, ''",
        "{trials: 4}, 10, 0, trials",
        "{trials: 1000}, 10, 0, ''",
        "'{budgetUsd: 3}', 10, 3, ''",
        "'{budgetUsd: 2.99}', 10, 3, budgetUsd",
        "'{budgetUsd: 10}', 10, 10.5, ''",
        "'{budgetUsd: 11}', 10, 12, ''",
        "'{budgetUsd: 9}', '', 3, budgetUsd",
        "'{trials: 4, budgetUsd: 2}', 10, 3, trials budgetUsd",
    })
    void shouldAllowWhatLosesNoResultAndFitsWhatIsSpent(String change, String budget, String committed, String wrong) {
        LimitChange read = LimitChange.read(document(change));

        if (wrong.isEmpty()) {
            assertThatCode(() -> read.check(current(budget, committed))).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> read.check(current(budget, committed)))
                    .isInstanceOfSatisfying(
                            AssayException.class,
                            e -> assertThat(e.errors())
                                    .extracting(FieldError::path)
                                    .containsExactly(wrong.split(" ")));
        }
    }

    @Test
    void shouldNameTheModelsWithoutPriceWhenAFirstBudgetIsSet() {
        assertThatThrownBy(() -> LimitChange.read(document("{budgetUsd: 9}")).check(current("", "0")))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .singleElement()
                                .satisfies(error -> assertThat(error.message())
                                        .startsWith("Model claude-opus-4-6 of provider anthropic has no price")));
    }

    @Test
    void shouldRefuseMoreTrialsThanCellsCanBeNumbered() {
        LimitChange.Current many = new LimitChange.Current(DEFINITION, 100_000_000, 1, null, BigDecimal.ZERO, Map.of());

        assertThatThrownBy(() -> new LimitChange(null, null, 20).check(many))
                .hasMessageContaining("The campaign has 4000000000 cells");
    }

    @Test
    void shouldReadWhichCellsRunAgain() {
        assertThat(Rerun.read(document("{}"))).isEqualTo(new Rerun(Rerun.Only.ALL, List.of(), List.of()));
        assertThat(Rerun.read(document("{only: errored, cases: [france], branches: [small, told]}")))
                .isEqualTo(new Rerun(Rerun.Only.ERRORED, List.of("france"), List.of("small", "told")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{only: passed}", "{only: null}", "{only: [failed]}"})
    void shouldNameTheWordsWhenOnlyIsAnother(String text) {
        assertThatThrownBy(() -> Rerun.read(document(text)))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors()).singleElement().satisfies(error -> {
                            assertThat(error.path()).isEqualTo("only");
                            assertThat(error.message()).contains("failed, errored, all");
                        }));
    }

    @Test
    void shouldNameEveryErrorOfARerunWithItsPath() {
        assertThatThrownBy(() -> Rerun.read(document("{only: x, cases: [1, ''], branches: small, trials: 3}")))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .extracting(FieldError::path)
                                .containsExactly("trials", "only", "cases[0]", "cases[1]", "branches"));
    }
}
