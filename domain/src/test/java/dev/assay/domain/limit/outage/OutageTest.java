package dev.assay.domain.limit.outage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutageTest {

    private static final Instant NOW = Instant.parse("2026-11-26T02:00:00Z");

    private static Probe probe(String worker, String cell) {
        return new Probe(worker, false, cell, false);
    }

    @Test
    void shouldProbeAfterASecondThenDoubledUpToHalfAMinute() {
        Outage outage = Outage.begun(Outage.Reason.DOWN, NOW);
        List<Long> waits = new ArrayList<>();
        Instant last = NOW;
        for (int i = 0; i < 7; i++) {
            waits.add(Duration.between(last, outage.nextProbe()).toSeconds());
            last = outage.nextProbe();
            outage = outage.probed(probe("w" + i, "c" + i), last).probeFailed(null, last);
        }

        assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
        assertThat(outage.since()).isEqualTo(NOW);
    }

    @Test
    void shouldSendNoSecondProbeWhileOneIsInFlight() {
        Outage probing = Outage.begun(Outage.Reason.DOWN, NOW).probed(probe("a", "1"), NOW.plusSeconds(1));

        assertThat(probing.takes(probe("b", "2"), NOW.plusSeconds(30))).isFalse();
        // Its worker may have been killed.
        assertThat(probing.takes(probe("b", "2"), NOW.plusSeconds(31))).isTrue();
    }

    @Test
    void shouldProbeAnotherCellFromAnotherWorkerWhereThereAreSeveral() {
        Outage outage = Outage.begun(Outage.Reason.DOWN, NOW)
                .probed(probe("a", "1"), NOW)
                .probeFailed(null, NOW);
        Instant later = NOW.plusSeconds(2);

        assertThat(outage.takes(probe("b", "2"), later)).isTrue();
        assertThat(outage.takes(probe("a", "2"), later)).isFalse();
        assertThat(outage.takes(probe("b", "1"), later)).isFalse();
        assertThat(outage.takes(new Probe("a", true, "2", false), later)).isTrue();
        assertThat(outage.takes(new Probe("a", true, "1", true), later)).isTrue();
    }

    @Test
    void shouldNotProbeBeforeTheTimeThatAnAnswerAsksFor() {
        Outage outage = Outage.begun(Outage.Reason.DOWN, NOW).probeFailed(Duration.ofSeconds(90), NOW);

        assertThat(outage.nextProbe()).isEqualTo(NOW.plusSeconds(90));
        assertThat(outage.probeFailed(Duration.ZERO, NOW).nextProbe()).isEqualTo(NOW.plusSeconds(4));
    }

    @Test
    void shouldProbeARefusedKeyEveryTenMinutesAndAtOnceWhenItIsEnabled() {
        Outage outage = Outage.begun(Outage.Reason.AUTH, NOW).probed(probe("a", "1"), NOW);

        assertThat(outage.nextProbe()).isEqualTo(NOW.plusSeconds(600));
        assertThat(outage.probeFailed(null, NOW).nextProbe()).isEqualTo(NOW.plusSeconds(600));
        assertThat(outage.probedAnew(NOW).takes(probe("a", "1"), NOW)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0, , false, OPEN",
        "4999, , false, OPEN",
        "5000, , false, ATTEMPT",
        "100, , true, NO_ATTEMPT",
        "6000, , true, NO_ATTEMPT",
        "100, 50, false, ATTEMPT",
        "100, 50, true, ATTEMPT",
        "100, -50, false, OPEN",
        "100, -50, true, NO_ATTEMPT"
    })
    void shouldDecideWhetherASignalIsAnAttempt(
            long ms, @Nullable Long answerMs, boolean isDown, SignalDecision decision) {
        Instant answer = answerMs == null ? null : NOW.plusMillis(answerMs);

        assertThat(SignalDecision.of(NOW, answer, isDown, NOW.plusMillis(ms))).isEqualTo(decision);
    }

    @ParameterizedTest
    @CsvSource({"RATE, 19, true", "RATE, 20, false", "OUTAGE, 49, true", "OUTAGE, 50, false", "KEY, 0, true"})
    void shouldCountAttemptsAgainWhenTooManyWereNone(NoAttempt why, int earlier, boolean excused) {
        assertThat(why.excuses(earlier)).isEqualTo(excused);
    }

    @Test
    void shouldProveAKeyRefusedAtOnceWhenItHadNoSuccessOfLate() {
        assertThat(KeyEvidence.NONE.isProven(NOW)).isFalse();
        assertThat(KeyEvidence.NONE.refused(NOW).isProven(NOW)).isTrue();
        assertThat(KeyEvidence.NONE.taken(NOW.minusSeconds(60)).refused(NOW).isProven(NOW))
                .isTrue();
    }

    @Test
    void shouldProveAKeyRefusedByFiveRefusalsInARowWhenItWorkedOfLate() {
        KeyEvidence evidence = KeyEvidence.NONE.taken(NOW.minusSeconds(59));
        for (int i = 0; i < 4; i++) {
            evidence = evidence.refused(NOW);
        }

        assertThat(evidence.isProven(NOW)).isFalse();
        assertThat(evidence.refused(NOW).isProven(NOW)).isTrue();
        assertThat(evidence.taken(NOW).refused(NOW).isProven(NOW)).isFalse();
    }

    @Test
    void shouldBlameTheModelWhenARequestSentAfterTheRefusalSucceeds() {
        KeyEvidence refused = KeyEvidence.NONE.refused(NOW);

        assertThat(refused.isRefutedBy(NOW.plusMillis(1))).isTrue();
        assertThat(refused.isRefutedBy(NOW.minusMillis(1))).isFalse();
    }
}
