package dev.assay.domain.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SpendingTest {

    private static final Instant NOW = Instant.parse("2026-11-26T02:00:00.123456Z");
    private static final LimitKind MINUTE = LimitKind.TOKENS_PER_MINUTE;

    private static Spending none(long limit) {
        return Spending.none(MINUTE, limit, 2, NOW);
    }

    private static Instant after(Duration time) {
        return NOW.plus(time);
    }

    @Test
    void shouldStandStillWhenTheClockGoesBack() {
        Spending spent = none(600).spent(20);

        assertThat(spent.at(NOW.minusSeconds(5))).isEqualTo(spent);
    }

    @Test
    void shouldBeFullAgainWhenYearsHavePassed() {
        Spending spent = none(Spending.MOST_LIMIT).spent(Spending.MOST_LIMIT);

        LimitRoom room = spent.at(after(Duration.ofDays(200_000))).room();

        assertThat(room.free()).isEqualTo(Spending.MOST_LIMIT);
        assertThat(room.level()).isEqualTo(room.burst()).isPositive();
    }

    @Test
    void shouldNotOverflowWhenEveryAnswerReportsAnAbsurdNumber() {
        for (LimitKind kind : LimitKind.values()) {
            Spending spending = Spending.none(kind, Spending.MOST_LIMIT, 60, NOW);
            for (int i = 0; i < 1_000; i++) {
                spending = spending.owed(spending.slot(), Long.MAX_VALUE);

                assertThat(spending.room().free()).isNegative();
                assertThat(spending.room().level()).isNegative();
            }
            assertThat(spending.at(after(Duration.ofDays(100_000))).room().free())
                    .isEqualTo(Spending.MOST_LIMIT);
        }
    }

    @Test
    void shouldGoOnWithinAnHourWhenAnAnswerReportsAnAbsurdNumber() {
        Spending spending = none(600).reported(none(600).slot(), Long.MAX_VALUE);

        assertThat(spending.at(after(Duration.ofMinutes(59))).room().level()).isNegative();
        assertThat(spending.at(after(Duration.ofMinutes(62))).room().level()).isPositive();
    }

    @Test
    void shouldChargeTheUseOfOthersOnceForEachStateThatWasSeen() {
        OthersUse seen = new OthersUse(MINUTE, NOW, 600, 350);

        Spending charged = none(600).at(after(Duration.ofSeconds(1))).heard(seen);

        assertThat(charged.room().free()).isEqualTo(350);
        assertThat(charged.heard(seen)).as("another answer of that state").isEqualTo(charged);
        Spending later = charged.heard(new OthersUse(MINUTE, charged.at(), 350, 300));
        assertThat(later.room().free()).isEqualTo(300);
    }

    @Test
    void shouldTakeALittleForNoiseAndMoreForNoReturn() {
        Spending spending = none(600).spent(100);

        assertThat(spending.heard(new OthersUse(MINUTE, NOW, 500, 488))).isEqualTo(spending);
        assertThat(spending.heard(new OthersUse(MINUTE, NOW, 500, 600))).isEqualTo(spending);
    }

    @Test
    void shouldCutLimitsWhenTheyAreLargerThanAnyThatBinds() {
        assertThat(none(Long.MAX_VALUE).limit()).isEqualTo(Spending.MOST_LIMIT);
        assertThat(none(5).withLimit(Long.MAX_VALUE, 60).room().burst()).isEqualTo(Spending.MOST_LIMIT);
    }

    @Test
    void shouldRefuseLimitsWhenTheyAreBelowOne() {
        assertThatThrownBy(() -> none(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Spending(MINUTE, 1, 0, NOW, 0, new TreeMap<>(), Instant.EPOCH))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldBeginWithWhatOthersSpentWhenALimitBecomesKnown() {
        LimitRoom some = Spending.begun(MINUTE, 600, 2, NOW, 590).room();
        LimitRoom all = Spending.begun(MINUTE, 600, 2, NOW, 10_000).room();
        LimitRoom nothing = Spending.begun(MINUTE, 600, 2, NOW, 0).room();

        assertThat(some).isEqualTo(new LimitRoom(MINUTE, 600, 10, 10, 20));
        assertThat(all).isEqualTo(new LimitRoom(MINUTE, 600, 0, 0, 20));
        assertThat(nothing).isEqualTo(none(600).room());
    }

    @Test
    void shouldLetNothingGoAtOnceWhenALimitRefused() {
        Spending refused = none(600).refused();

        assertThat(refused.room()).isEqualTo(new LimitRoom(MINUTE, 600, 600, 0, 20));
        assertThat(refused.spent(30).refused().room().level()).isEqualTo(-30);
    }

    @Test
    void shouldReturnNothingMoreWhenASlotHasNone() {
        Spending twice = none(600)
                .spent(5)
                .returned(none(600).slot(), 5)
                .returned(none(600).slot(), 5);

        assertThat(twice.room()).isEqualTo(none(600).room());
    }
}
