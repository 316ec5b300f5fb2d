package dev.assay.workflows.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.plan.OrdinalRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandstillTest {

    private static final List<OrdinalRange> TRIAL = List.of(new OrdinalRange(0, 1));
    private static final BatchResult NOTHING = new BatchResult(TRIAL, 1_000, false, Pace.UNKNOWN, true);
    private static final BatchResult AT_ONCE = new BatchResult(TRIAL, 0, false, Pace.UNKNOWN);
    private static final BatchResult WAITS = new BatchResult(TRIAL, 1, false, Pace.UNKNOWN);
    private static final BatchResult FINISHED = new BatchResult(TRIAL, 1_000, false, new Pace(1, 0), true);
    private static final BatchResult CLOSED_BEFORE = new BatchResult(List.of(), 0, false, Pace.UNKNOWN);

    private final Standstill standstill = new Standstill(true);

    private void tried(BatchResult... results) {
        standstill.note(List.of(results));
        standstill.settled(0);
    }

    @Test
    void shouldEndWhenFourTriesInSuccessionFinishNothing() {
        for (int tries = 1; tries < 4; tries++) {
            tried(NOTHING);
            assertThat(standstill.isReached()).isFalse();
        }
        tried(AT_ONCE);
        assertThat(standstill.isReached()).isTrue();
    }

    @Test
    void shouldNotTakeCellsThatWereOnRecordForProgress() {
        BatchResult recorded = new BatchResult(List.of(), 0, false, Pace.ofRecorded(50));
        for (int tries = 1; tries <= 4; tries++) {
            tried(recorded, NOTHING);
        }
        assertThat(standstill.isReached()).isTrue();
    }

    @Test
    void shouldCountBatchesThatWereUnderWayTogetherOnce() {
        for (int batch = 0; batch < 100; batch++) {
            standstill.note(List.of(NOTHING));
        }
        assertThat(standstill.isSuspected()).isTrue();
        standstill.settled(0);
        standstill.settled(0);
        tried(NOTHING);
        tried(NOTHING);
        assertThat(standstill.isReached()).isFalse();
    }

    @Test
    void shouldWaitLongerThanARenewalOfALeaseTakesBeforeItEnds() {
        standstill.note(List.of(NOTHING));
        standstill.settled(10_000);
        assertThat(standstill.nextTryMs()).isEqualTo(11_000);
        standstill.note(List.of(NOTHING));
        standstill.settled(11_000);
        assertThat(standstill.nextTryMs()).isEqualTo(13_000);
        standstill.note(List.of(NOTHING));
        standstill.settled(13_000);
        assertThat(standstill.nextTryMs()).isEqualTo(17_000);
    }

    @Test
    void shouldStartCountingAnewWhenACellIsFinished() {
        tried(NOTHING);
        tried(NOTHING);
        tried(NOTHING);
        tried(NOTHING, FINISHED);
        assertThat(standstill.isSuspected()).isFalse();
        tried(NOTHING);
        assertThat(standstill.isReached()).isFalse();
    }

    @Test
    void shouldNotEndWhenACellWaitsForAStatedReason() {
        for (int tries = 0; tries < 10; tries++) {
            tried(NOTHING, WAITS);
            assertThat(standstill.isSuspected()).isFalse();
        }
    }

    /** Its trials are selected next, and that says more. */
    @Test
    void shouldNeitherCountNorForgetWhenEveryCellWasClosedBefore() {
        tried(NOTHING);
        tried(CLOSED_BEFORE);
        assertThat(standstill.isSuspected()).isTrue();
        tried(NOTHING, CLOSED_BEFORE);
        tried(NOTHING);
        assertThat(standstill.isReached()).isFalse();
        tried(NOTHING);
        assertThat(standstill.isReached()).isTrue();
    }

    @Test
    void shouldNoticeNothingWhenItsRunBeganBeforeItLooked() {
        Standstill blind = new Standstill(false);
        for (int tries = 0; tries < 10; tries++) {
            blind.note(List.of(NOTHING));
            assertThat(blind.isSuspected()).isFalse();
            blind.settled(0);
        }
        assertThat(blind.isReached()).isFalse();
    }
}
