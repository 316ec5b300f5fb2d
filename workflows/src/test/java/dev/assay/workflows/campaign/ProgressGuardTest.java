package dev.assay.workflows.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressGuardTest {

    private final ProgressGuard guard = new ProgressGuard();

    private void round(int trialsDone, boolean waiting) {
        guard.slice(0, false);
        guard.slice(trialsDone, waiting);
        guard.slice(0, false);
        guard.roundEnded();
    }

    @Test
    void shouldBeStuckWhenThreeRoundsInSuccessionFinishNothing() {
        round(0, false);
        round(0, false);
        assertThat(guard.stuck()).isFalse();
        round(0, false);
        assertThat(guard.stuck()).isTrue();
    }

    @Test
    void shouldStartCountingAnewWhenATrialIsDone() {
        round(0, false);
        round(0, false);
        round(1, false);
        round(0, false);
        round(0, false);
        assertThat(guard.stuck()).isFalse();
    }

    @Test
    void shouldNotCountARoundWhenTrialsWaitForTheirTime() {
        for (int i = 0; i < 10; i++) {
            round(0, true);
        }
        assertThat(guard.stuck()).isFalse();
    }

    @Test
    void shouldForgetWhenTheCampaignIsResumed() {
        round(0, false);
        round(0, false);
        guard.reset();
        round(0, false);
        assertThat(guard.stuck()).isFalse();
    }

    @Test
    void shouldBeStuckWithinARoundWhenManySlicesFinishNothing() {
        for (int slice = 0; slice < ProgressGuard.SLICES; slice++) {
            assertThat(guard.stuck()).isFalse();
            guard.slice(0, false);
        }
        assertThat(guard.stuck()).isTrue();
    }
}
