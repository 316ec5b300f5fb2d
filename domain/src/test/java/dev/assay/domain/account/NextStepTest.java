package dev.assay.domain.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.account.CampaignAccount.Cells;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.CampaignHealth.Code;
import dev.assay.domain.health.CampaignHealth.Reason;
import dev.assay.domain.health.CampaignHealth.Status;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NextStepTest {

    private static final CampaignHealth WELL = new CampaignHealth(Status.OK, List.of());

    private static String next(CampaignState state, CampaignHealth health, Cells cells, long errors) {
        return new NextStep("c-1", true, state, health, cells, errors, null, null).command();
    }

    private static CampaignHealth held(Code code) {
        return new CampaignHealth(Status.STALLED, List.of(new Reason(code, "It waits.", null, null)));
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, 0, assay watch c-1",
        "RUNNING, 0, assay watch c-1",
        "RUNNING, 3, assay watch c-1",
        "PAUSED, 3, assay resume c-1",
        "CANCELLED, 0, assay resume c-1",
        "FAILED, 0, assay resume c-1",
        "COMPLETED, 0, assay show c-1",
        "COMPLETED, 3, assay rerun c-1 --errored",
    })
    void shouldFollowFromTheState(CampaignState state, long errors, String command) {
        assertThat(next(state, WELL, Cells.of(10, 5, 0, 0, 0), errors)).isEqualTo(command);
    }

    @ParameterizedTest
    @CsvSource({
        "NO_WORKER, assay worker",
        "NO_WORKER_FOR_PROVIDER, assay provider list",
        "PROVIDER_DOWN, assay provider list",
        "ENDED_IN_TEMPORAL, assay resume c-1",
        "WORKFLOW_MISSING, assay resume c-1",
        "RATE_LIMIT, assay watch c-1",
        "NO_PROGRESS, assay watch c-1",
    })
    void shouldMendWhatHoldsItUp(Code code, String command) {
        assertThat(next(CampaignState.RUNNING, held(code), Cells.of(10, 5, 0, 0, 0), 0))
                .isEqualTo(command);
    }

    /** A budget that covers all 6,000 cells at what those that are done cost, with a quarter more; two digits, rounded up. */
    @ParameterizedTest
    @CsvSource({
        "1245, 4755, 0.05, 0.05, 0.31",
        "1, 5999, 0.02, 0.01, 150",
        "0, 6000, 0, 0.01, 0.02",
        "0, 6000, , 2.00, 4",
        "5999, 1, 0.5, 1, 2",
        "3000, 3000, 100, 100, 250",
        "0, 6000, 0, 0, 0.01",
    })
    void shouldAskForABudgetThatCoversAllCells(
            long done, long skipped, @Nullable BigDecimal spent, BigDecimal budget, String larger) {
        NextStep step = new NextStep(
                "c-1",
                true,
                CampaignState.COMPLETED,
                WELL,
                Cells.of(done + skipped, done, 0, skipped, 0),
                7,
                spent,
                budget);

        assertThat(step.command()).isEqualTo("assay set c-1 --budget-usd " + larger);
    }

    @Test
    void shouldOnlyShowAnEvaluation() {
        NextStep step =
                new NextStep("c-1", false, CampaignState.CANCELLED, WELL, Cells.of(2, 1, 0, 0, 0), 1, null, null);

        assertThat(step.command()).isEqualTo("assay show c-1");
    }
}
