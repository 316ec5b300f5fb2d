package dev.assay.domain.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.usage.Price;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
                CampaignState.RUNNING,
                false,
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
        assertThat(verb.from()).noneMatch(state -> verb.isContentWith(state, true));
        assertThat(verb.isContentWith(verb.to(), false)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "PAUSE,  PENDING,   MOVES", "PAUSE,  RUNNING,   MOVES", "PAUSE,  PAUSED,    CONTENT",
        "PAUSE,  COMPLETED, REFUSED", "PAUSE,  CANCELLED, REFUSED", "PAUSE,  FAILED,    REFUSED",
        "RESUME, PENDING,   CONTENT", "RESUME, RUNNING,   CONTENT", "RESUME, PAUSED,    MOVES",
        "RESUME, COMPLETED, CONTENT", "RESUME, CANCELLED, MOVES", "RESUME, FAILED,    MOVES",
        "CANCEL, PENDING,   MOVES", "CANCEL, RUNNING,   MOVES", "CANCEL, PAUSED,    MOVES",
        "CANCEL, COMPLETED, REFUSED", "CANCEL, CANCELLED, CONTENT", "CANCEL, FAILED,    REFUSED",
    })
    void shouldAnswerEachStateAsTheTableSaysWhenNothingWasSkipped(
            SteeringVerb verb, CampaignState from, String answer) {
        String said = verb.isContentWith(from, false) ? "CONTENT" : verb.from().contains(from) ? "MOVES" : "REFUSED";

        assertThat(said).isEqualTo(answer);
    }

    @Test
    void shouldMoveACompletedCampaignWhenItIsResumedAndTrialsWereSkipped() {
        assertThat(SteeringVerb.RESUME.isContentWith(CampaignState.COMPLETED, true))
                .isFalse();
        assertThat(SteeringVerb.RESUME.from()).contains(CampaignState.COMPLETED);
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING,   trials, false", "RUNNING,   trials, false", "PAUSED,    trials, false",
        "COMPLETED, trials, true", "CANCELLED, trials, true", "FAILED,    trials, true",
        "PENDING,   budget, false", "RUNNING,   budget, false", "PAUSED,    budget, false",
        "COMPLETED, budget, false", "CANCELLED, budget, false", "FAILED,    budget, false",
        "COMPLETED, calls,  false", "CANCELLED, calls,  false", "RUNNING,   calls,  false",
    })
    void shouldGoOnAsTheTableSaysWhenLimitsChangeAndNothingWasSkipped(
            CampaignState state, String what, boolean goesOn) {
        assertThat(raised(what).effect(standing(state, false)).goesOn()).isEqualTo(goesOn);
    }

    @Test
    void shouldRunWhatWasSkippedWhenTheBudgetOfACompletedCampaignIsRaised() {
        LimitChange.Current skipped = standing(CampaignState.COMPLETED, true);

        assertThat(raised("budget").effect(skipped)).isEqualTo(new LimitChange.Effect(false, true));
        assertThat(raised("calls").effect(skipped).goesOn()).isFalse();
        assertThat(new LimitChange(null, BigDecimal.TEN, null, null)
                        .effect(skipped)
                        .goesOn())
                .as("the same budget again")
                .isFalse();
        assertThat(new LimitChange(null, null, 5, null).effect(skipped).goesOn())
                .as("the same trials again")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, true",
        "RUNNING, true",
        "PAUSED, false",
        "COMPLETED, false",
        "CANCELLED, false",
        "FAILED, false"
    })
    void shouldReopenWhatWasSkippedLaterWhenTheBudgetOfACampaignThatGoesOnIsRaised(CampaignState state, boolean later) {
        assertThat(raised("budget").effect(standing(state, false)).reopensSkipped())
                .isEqualTo(later);
        assertThat(raised("trials").effect(standing(state, false)).reopensSkipped())
                .isFalse();
    }

    private static LimitChange raised(String what) {
        return switch (what) {
            case "trials" -> new LimitChange(null, null, 6, null);
            case "budget" -> new LimitChange(null, new BigDecimal("10.01"), null, null);
            default -> new LimitChange(50, null, null, null);
        };
    }

    private static LimitChange.Current standing(CampaignState state, boolean hasSkipped) {
        return new LimitChange.Current(state, hasSkipped, DEFINITION, 3, 5, BigDecimal.TEN, BigDecimal.ONE, Map.of());
    }

    @Test
    void shouldReadAnySubsetOfLimits() {
        assertThat(LimitChange.read(document("{maxConcurrent: 7, budgetUsd: 2.5, trials: 6, maxOutage: PT90S}")))
                .isEqualTo(new LimitChange(7, new BigDecimal("2.5"), 6, Duration.ofSeconds(90)));
        assertThat(LimitChange.read(document("{maxOutage: PT0S}")).maxOutage()).isEqualTo(Duration.ZERO);
        assertThat(LimitChange.read(document("{trials: 6}"))).isEqualTo(new LimitChange(null, null, 6, null));
        assertThat(LimitChange.read(document("{}"))).isEqualTo(new LimitChange(null, null, null, null));
    }

    @Test
    void shouldNameEveryErrorOfAChangeWithItsPath() {
        assertThatThrownBy(() -> LimitChange.read(document(
                        "{maxConcurrent: 0, budgetUsd: null, trials: 1.5, maxConcurrency: 5, maxOutage: P8D}")))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .extracting(FieldError::path)
                                .containsExactly("maxConcurrency", "maxConcurrent", "budgetUsd", "trials", "maxOutage"))
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
        LimitChange.Current many = new LimitChange.Current(
                CampaignState.RUNNING, false, DEFINITION, 100_000_000, 1, null, BigDecimal.ZERO, Map.of());

        assertThatThrownBy(() -> new LimitChange(null, null, 20, null).check(many))
                .hasMessageContaining("The campaign has 4000000000 cells");
    }

    @Test
    void shouldReadWhichCellsRunAgain() {
        assertThat(Rerun.read(document("{}"))).isEqualTo(new Rerun(Rerun.Only.ALL, List.of(), List.of()));
        assertThat(Rerun.read(document("{only: errored, cases: [france], branches: [small, told]}")))
                .isEqualTo(new Rerun(Rerun.Only.ERRORED, List.of("france"), List.of("small", "told")));
    }

    @ParameterizedTest
    @CsvSource({
        "FAILED,  '',    COMPLETED,                             ''",
        "ERRORED, '',    MODEL_ERROR TIMED_OUT LIMIT,           MODEL_ERROR TIMED_OUT LIMIT",
        "ALL,     '',    COMPLETED MODEL_ERROR TIMED_OUT LIMIT, MODEL_ERROR TIMED_OUT LIMIT",
        "ERRORED, small, MODEL_ERROR TIMED_OUT LIMIT,           ''",
        "ALL,     small, COMPLETED MODEL_ERROR TIMED_OUT LIMIT, ''",
    })
    void shouldOpenWhatFailedOrErroredAndAskJudgesAgainOnlyWithoutBranches(
            Rerun.Only only, String branch, String outcomes, String judgeCalls) {
        List<String> branches = branch.isEmpty() ? List.of() : List.of(branch);
        Rerun.Cells cells = new Rerun(only, List.of(), branches).cells("c", List.of("france"), List.of("small"));

        assertThat(cells.outcomes()).isEqualTo(statuses(outcomes));
        assertThat(cells.judgeCalls()).isEqualTo(statuses(judgeCalls));
    }

    private static Set<OutcomeStatus> statuses(String names) {
        return Arrays.stream(names.split(" "))
                .filter(name -> !name.isEmpty())
                .map(OutcomeStatus::valueOf)
                .collect(Collectors.toSet());
    }

    @Test
    void shouldOpenOnlyTheCasesAndBranchesThatAreNamed() {
        List<String> cases = List.of("france", "spain", "italy");
        List<String> branches = List.of("small", "told");

        Rerun.Cells some =
                new Rerun(Rerun.Only.ALL, List.of("italy", "france"), List.of("told")).cells("c", cases, branches);
        Rerun.Cells all = new Rerun(Rerun.Only.ALL, List.of(), List.of()).cells("c", cases, branches);

        assertThat(some.cases()).containsExactly(2, 0);
        assertThat(some.branches()).containsExactly(1);
        assertThat(all.cases()).isNull();
        assertThat(all.branches()).isNull();
    }

    @Test
    void shouldNameEveryCaseAndBranchThatTheCampaignDoesNotHave() {
        Rerun rerun = new Rerun(Rerun.Only.ALL, List.of("france", "mars"), List.of("huge"));

        assertThatThrownBy(() -> rerun.cells("c-1", List.of("france"), List.of("small")))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .containsExactly(
                                        new FieldError("cases[1]", "The campaign has no `mars` among its cases"),
                                        new FieldError("branches[0]", "The campaign has no `huge` among its branches")))
                .hasMessageContaining("campaign c-1");
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

    @Test
    void shouldReadAWholeRerunOfSomeBranches() {
        assertThat(Rerun.read(document("{whole: true, branches: [small]}"))).isEqualTo(Rerun.whole(List.of("small")));
        assertThat(Rerun.read(document("{whole: false, only: failed}")).whole()).isFalse();
        Rerun.Cells cells = Rerun.whole(List.of()).cells("c", List.of("france"), List.of("small"));
        assertThat(cells.cases()).isNull();
        assertThat(cells.outcomes()).isEmpty();
        assertThat(cells.judgeCalls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{whole: true, cases: [france]}             | cases",
                "{whole: true, only: failed}                | only",
                "{whole: true, only: all, cases: [a]}       | only cases",
                "{whole: 1}                                 | whole",
            })
    void shouldRefuseAWholeRerunOfSomeCells(String text, String paths) {
        assertThatThrownBy(() -> Rerun.read(document(text)))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors()).extracting(FieldError::path).containsExactly(paths.split(" ")));
    }
}
