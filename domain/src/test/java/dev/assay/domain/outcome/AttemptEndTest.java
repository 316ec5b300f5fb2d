package dev.assay.domain.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptEndTest {

    private static AttemptEnd of(ErrorCode code, int attempt) {
        return AttemptEnd.of(new Failure(code, "It failed."), attempt, 3, null, 7);
    }

    @Test
    void shouldTryAgainUpToTheLastAttemptWhenAssayItselfFailed() {
        assertThat(of(ErrorCode.INTERNAL, 1)).isInstanceOf(AttemptEnd.Retry.class);
        assertThat(of(ErrorCode.INTERNAL, 2)).isInstanceOf(AttemptEnd.Retry.class);
        assertThat(of(ErrorCode.INTERNAL, 3)).isEqualTo(new AttemptEnd.Close(OutcomeStatus.MODEL_ERROR));
    }

    @Test
    void shouldCloseAtOnceWhenWorkersWereLost() {
        assertThat(of(ErrorCode.WORKER_LOST, 1)).isEqualTo(new AttemptEnd.Close(OutcomeStatus.MODEL_ERROR));
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseAfterTheLastAttemptWhateverTheCode(ErrorCode code) {
        assertThat(of(code, 3)).isInstanceOf(AttemptEnd.Close.class);
    }
}
