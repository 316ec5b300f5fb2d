package dev.assay.domain.limit.outage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutageFindingTest {

    private static final WorkerSight ALARMED = sight("a", 2_000, 3_000, 100, 0);

    private static WorkerSight sight(String worker, long runMs, long answerMs, long signalMs, long inFlightMs) {
        return new WorkerSight(worker, ms(runMs), ms(answerMs), ms(signalMs), ms(inFlightMs));
    }

    private static @Nullable Duration ms(long ms) {
        return ms == 0 ? null : Duration.ofMillis(ms);
    }

    private static boolean isDown(WorkerSight... workers) {
        return OutageFinding.of(List.of(workers)).isDown();
    }

    @Test
    void shouldBeUpWhenNobodyHasARun() {
        assertThat(isDown()).isFalse();
        assertThat(isDown(sight("a", 0, 0, 100, 20_000))).isFalse();
    }

    @Test
    void shouldBeDownWhenTheOnlyWorkerHasARun() {
        assertThat(OutageFinding.of(List.of(ALARMED))).isEqualTo(new OutageFinding(true, Set.of()));
    }

    @Test
    void shouldHoldOnlyTheWorkerThatIsCutOffWhenAnotherGetsAnswers() {
        assertThat(OutageFinding.of(List.of(ALARMED, sight("b", 0, 50, 0, 0))))
                .isEqualTo(new OutageFinding(false, Set.of("a")));
    }

    @Test
    void shouldBeUpWhenAnswersCameBetweenSignalsOfAnother() {
        assertThat(isDown(ALARMED, sight("b", 0, 500, 100, 0))).isFalse();
    }

    @Test
    void shouldBeDownWhenAnotherHadItsLastAnswerAsTheProviderWentAway() {
        assertThat(isDown(ALARMED, sight("b", 0, 1_500, 100, 0))).isTrue();
        assertThat(isDown(ALARMED, sight("b", 0, 4_000, 100, 0))).isTrue();
    }

    @Test
    void shouldBeUpWhenTheLastEndOfASlowWorkerWasAnAnswer() {
        assertThat(isDown(ALARMED, sight("b", 0, 9_000, 0, 500))).isFalse();
        assertThat(isDown(ALARMED, sight("b", 0, 40_000, 0, 10_000))).isFalse();
    }

    @Test
    void shouldNotAskWorkersThatSawNothingOfLate() {
        assertThat(isDown(ALARMED, sight("b", 0, 40_000, 0, 9_999))).isTrue();
        assertThat(isDown(ALARMED, sight("b", 0, 0, 0, 0))).isTrue();
        assertThat(isDown(ALARMED, sight("b", 0, 0, 0, 60_000))).isTrue();
    }

    @Test
    void shouldBeDownWhenAnOutageBeginsBesideAWorkerThatWasCutOffBefore() {
        assertThat(isDown(sight("a", 60_000, 61_000, 100, 0), sight("b", 1_000, 1_100, 100, 0)))
                .isTrue();
    }
}
