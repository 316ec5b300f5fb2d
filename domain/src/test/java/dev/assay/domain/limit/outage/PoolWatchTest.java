package dev.assay.domain.limit.outage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolWatchTest {

    private static final Instant NOW = Instant.parse("2026-11-26T02:00:00Z");

    private final PoolWatch watch = new PoolWatch();

    private void failed(int cells, OutageSignal signal, int inFlight) {
        for (int i = 0; i < cells; i++) {
            watch.failed("cell-" + i, signal, inFlight, NOW);
        }
    }

    private boolean hasRun() {
        return watch.sight("w", null, NOW).runFor() != null;
    }

    @ParameterizedTest
    @CsvSource({
        "4, 1, false",
        "5, 1, true",
        "5, 10, true",
        "5, 11, false",
        "6, 11, true",
        "199, 400, false",
        "200, 400, true"
    })
    void shouldHaveARunWhenHalfOfTheCallsInFlightEndedInSignals(int signals, int inFlight, boolean run) {
        failed(signals, OutageSignal.SERVER_ERROR, inFlight);

        assertThat(hasRun()).isEqualTo(run);
    }

    @Test
    void shouldHaveNoRunWhenFourCellsFailAgainAndAgain() {
        for (int i = 0; i < 20; i++) {
            failed(4, OutageSignal.SERVER_ERROR, 4);
        }

        assertThat(hasRun()).isFalse();
        assertThat(watch.holdsBack()).isTrue();
    }

    @Test
    void shouldHaveARunOfOneCellWhenNothingListens() {
        for (int i = 0; i < 5; i++) {
            watch.failed("only", OutageSignal.UNREACHABLE, 1, NOW);
        }

        assertThat(hasRun()).isTrue();
    }

    @Test
    void shouldHaveNoRunOfOneCellWhenSomethingListened() {
        for (int i = 0; i < 9; i++) {
            watch.failed("only", i == 7 ? OutageSignal.BROKEN : OutageSignal.UNREACHABLE, 1, NOW);
        }

        assertThat(hasRun()).isFalse();
    }

    @Test
    void shouldEndTheRunWhenAnAnswerComes() {
        failed(4, OutageSignal.SILENT, 4);
        watch.answered("other", NOW);
        watch.failed("new", OutageSignal.SILENT, 4, NOW);

        assertThat(hasRun()).isFalse();
        assertThat(watch.holdsBack()).isFalse();
    }

    /** Of 200 cells ten always fail; they are the last that are left. */
    @Test
    void shouldSeeNoOutageWhenOnlyCellsFailThatFailedBetweenAnswers() {
        for (int i = 0; i < 10; i++) {
            watch.failed("cell-" + i, OutageSignal.SERVER_ERROR, 100, NOW);
            watch.answered("good-" + i, NOW);
        }

        failed(10, OutageSignal.SERVER_ERROR, 10);
        failed(10, OutageSignal.SERVER_ERROR, 10);

        assertThat(hasRun()).isFalse();
        assertThat(watch.isFaulty("cell-3")).isTrue();
        assertThat(watch.isFaulty("good-3")).isFalse();
    }

    @Test
    void shouldCountACellAgainWhenItHadAnAnswer() {
        watch.failed("cell-0", OutageSignal.SERVER_ERROR, 1, NOW);
        watch.answered("other", NOW);
        watch.answered("cell-0", NOW);

        assertThat(watch.isFaulty("cell-0")).isFalse();
    }

    @Test
    void shouldMarkNoCellWhenItsSignalsWereAnOutage() {
        failed(5, OutageSignal.SERVER_ERROR, 5);
        watch.wentDown();
        watch.answered("probe", NOW);

        assertThat(watch.isFaulty("cell-0")).isFalse();
        assertThat(hasRun()).isFalse();
    }

    @Test
    void shouldLeaveCellsOutWhenAnotherWorkerMarkedThem() {
        for (int i = 0; i < 10; i++) {
            watch.markFaulty("cell-" + i);
        }
        failed(10, OutageSignal.SERVER_ERROR, 10);
        assertThat(hasRun()).isFalse();

        watch.forget("cell-0");
        assertThat(watch.isFaulty("cell-0")).isFalse();
    }

    @Test
    void shouldTellTimesSinceWhatItSaw() {
        assertThat(watch.sight("w", null, NOW)).isEqualTo(new WorkerSight("w", null, null, null, null));

        watch.answered("other", NOW);
        failed(5, OutageSignal.BROKEN, 5);

        assertThat(watch.sight("w", NOW.minusSeconds(3), NOW.plusSeconds(2)))
                .isEqualTo(new WorkerSight(
                        "w",
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(5)));
    }

    @ParameterizedTest
    @CsvSource({
        "500, true",
        "502, true",
        "503, true",
        "504, true",
        "529, true",
        "501, false",
        "408, false",
        "409, false",
        "425, false",
        "429, false",
        "400, false",
        "401, false",
        "200, false"
    })
    void shouldKnowASignalByItsStatus(int status, boolean isSignal) {
        assertThat(OutageSignal.ofStatus(status) == OutageSignal.SERVER_ERROR).isEqualTo(isSignal);
    }

    @ParameterizedTest
    @CsvSource({"false, false, true", "true, false, false", "false, true, false"})
    void shouldKnowSilenceFromASlowModel(boolean began, boolean hostAnswered, boolean isSignal) {
        assertThat(OutageSignal.ofTimeout(began, hostAnswered) == OutageSignal.SILENT)
                .isEqualTo(isSignal);
    }
}
