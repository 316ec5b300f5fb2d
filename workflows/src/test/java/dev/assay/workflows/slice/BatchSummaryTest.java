package dev.assay.workflows.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.OrdinalRange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BatchSummaryTest {

    private static final List<OrdinalRange> ONE = List.of(new OrdinalRange(1_201, 1_202));
    private static final List<OrdinalRange> MANY =
            List.of(new OrdinalRange(1_201, 1_211), new OrdinalRange(1_300, 1_330));

    private final BatchSummary labelled = new BatchSummary(Map.of(1_201, "lyon, trial 2"));
    private final BatchSummary bare = new BatchSummary(Map.of());

    @Test
    void shouldNameCaseBranchAndTrialWhenABatchHoldsOneCell() {
        assertThat(labelled.generation("haiku", ONE)).isEqualTo("lyon · haiku · trial 2");
        assertThat(bare.generation("haiku", ONE)).isEqualTo("haiku · trial number 1201");
    }

    @Test
    void shouldCountCellsAndNameTheFirstWhenABatchHoldsMany() {
        assertThat(labelled.generation("haiku", MANY)).isEqualTo("haiku · 40 cells from lyon, trial 2");
        assertThat(bare.generation("haiku", MANY)).isEqualTo("haiku · 40 cells from trial number 1201");
    }

    @Test
    void shouldNameTrialsWhenWinnersAreSelected() {
        assertThat(labelled.selection(ONE)).isEqualTo("select · lyon, trial 2");
        assertThat(labelled.selection(MANY)).isEqualTo("select · 40 trials from lyon, trial 2");
        assertThat(bare.selection(MANY)).isEqualTo("select · 40 trials from trial number 1201");
    }

    @Test
    void shouldNameJudgesAndTrialsWhenModelsReadAnswers() {
        TrialJudges judges = new TrialJudges("judges gpt-5, gpt-4", 2);

        assertThat(labelled.judging(judges, ONE)).isEqualTo("judges gpt-5, gpt-4 · lyon, trial 2");
        assertThat(labelled.judging(judges, MANY)).isEqualTo("judges gpt-5, gpt-4 · 40 trials from lyon, trial 2");
        assertThat(labelled.judging(new TrialJudges("🐘".repeat(100), 2), ONE).getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(BatchSummary.MOST_BYTES);
    }

    @Test
    void shouldKeepTheWholeCaseIdWhenItContainsACommaAndTheWordTrial() {
        BatchSummary odd = new BatchSummary(Map.of(1_201, "plea, trial by jury, trial 2"));

        assertThat(odd.generation("haiku", ONE)).isEqualTo("plea, trial by jury · haiku · trial 2");
    }

    @Test
    void shouldKeepALabelOfAnotherFormWhenItCannotBeCut() {
        assertThat(new BatchSummary(Map.of(1_201, "lyon")).generation("haiku", ONE))
                .isEqualTo("haiku · lyon");
    }

    @Test
    void shouldStayWithinTemporalsLimitWhenIdsAreLong() {
        String longId = "🐘".repeat(64);
        String summary = new BatchSummary(Map.of(1_201, longId + ", trial 2")).generation(longId, ONE);

        assertThat(summary.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(290, BatchSummary.MOST_BYTES);
        assertThat(summary).startsWith("🐘🐘").endsWith("🐘…");
    }
}
