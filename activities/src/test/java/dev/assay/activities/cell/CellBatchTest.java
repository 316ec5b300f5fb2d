package dev.assay.activities.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.error.Failure;
import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.Claims;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CellBatchTest {

    private static final CellResult COUNTED = new CellResult.Retry(Duration.ofSeconds(1));

    private final RunningCell cell = new RunningCell(new CellKey("c", 0, CellKind.BRANCH, 0), 1);
    private final List<Failure> counted = new ArrayList<>();
    private int givenBack;

    private CellResult run(Runnable attempt) {
        return CellBatch.runOne(cell, new Claims.Claimed(0, 0, 0, 0, 0), new CellBatch.Work() {
            @Override
            public CellResult run(RunningCell running, Claims.Claimed claimed) {
                attempt.run();
                return new CellResult.Closed(1);
            }

            @Override
            public CellResult unexpected(RunningCell running, Claims.Claimed claimed, Failure failure) {
                counted.add(failure);
                return COUNTED;
            }

            @Override
            public void stopped(RunningCell running, Claims.Claimed claimed) {
                givenBack++;
            }

            @Override
            public void cancelled(RunningCell running, Claims.Claimed claimed) {
                throw new AssertionError("Only a release cancels");
            }
        });
    }

    @Test
    void shouldCountTheAttemptWhenItThrowsWhatIsNotExpected() {
        CellResult result = run(() -> {
            throw new StackOverflowError("planted");
        });

        assertThat(result).isEqualTo(COUNTED);
        assertThat(counted).hasSize(1);
        assertThat(givenBack).isZero();
    }

    @Test
    void shouldCountTheAttemptWhenAStoppedCellThrowsAnError() {
        CellResult result = run(() -> {
            cell.stop(StopReason.PAUSED);
            assertThat(Thread.interrupted()).isTrue();
            throw new StackOverflowError("planted");
        });

        assertThat(result).isEqualTo(COUNTED);
        assertThat(counted).hasSize(1);
        assertThat(givenBack).isZero();
    }

    /** What a cell waits for need not throw an InterruptedException: the pool of connections does not. */
    @ParameterizedTest
    @EnumSource(StopReason.class)
    void shouldCountNoAttemptWhenTheInterruptOfAStopMakesItThrow(StopReason reason) {
        CellResult result = run(() -> {
            cell.stop(reason);
            assertThat(Thread.interrupted()).isTrue();
            throw new IllegalStateException("Interrupted during connection acquisition");
        });

        assertThat(result)
                .isEqualTo(
                        reason == StopReason.NO_PERMIT
                                ? new CellResult.NoPermit()
                                : new CellResult.Stopped(reason == StopReason.SHUTDOWN));
        assertThat(counted).isEmpty();
    }
}
