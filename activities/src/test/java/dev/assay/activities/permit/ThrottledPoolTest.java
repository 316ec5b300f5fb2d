package dev.assay.activities.permit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.answer.HeaderLimit;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.store.limit.StoredThrottle;
import dev.assay.store.limit.ThrottleReport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThrottledPoolTest {

    private static final int MOST = 20;

    private final AtomicLong nanos = new AtomicLong();
    private final ThrottledPool pool = pool(ConcurrencyRange.upTo(MOST), false);

    private ThrottledPool pool(ConcurrencyRange range, boolean isBounded) {
        return new ThrottledPool(
                new BoundedCalls(new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "gpt"), range, true),
                isBounded,
                nanos::get);
    }

    private static Refusal refusal(Refusal.Kind kind, @Nullable Duration asked) {
        return new Refusal(kind, List.of(), asked);
    }

    private static StoredThrottle known(int calls, int inRow, Duration blocked) {
        return new StoredThrottle(calls, inRow, inRow, inRow, blocked);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void shouldBlockAtOnceAndTellOthersOnceWhenABurstIsRefused() {
        List<ThrottledPool.Sent> sent =
                List.of(pool.begins(true, MOST), pool.begins(true, MOST), pool.begins(true, MOST));

        assertThat(sent.stream().map(one -> pool.refused(one, refusal(Refusal.Kind.CONCURRENCY, null))))
                .containsExactly(true, false, false);
        assertThat(pool.isBlocked()).isTrue();
        ThrottleReport report = pool.report();
        assertThat(report.refusals())
                .singleElement()
                .satisfies(refused -> assertThat(refused.times()).isEqualTo(3));
        assertThat(pool.report()).isEqualTo(ThrottleReport.NONE);

        pool.again(ModelPool.DEFAULT_ACCOUNT, report);
        assertThat(pool.report().refusals()).isEqualTo(report.refusals());
        pass(Duration.ofSeconds(1));
        assertThat(pool.isBlocked()).isFalse();
    }

    @Test
    void shouldStayBlockedWhenAnAnswerOfBeforeItsRefusalComes() {
        ThrottledPool.Sent sent = pool.begins(true, MOST);
        pool.report();
        pool.refused(sent, refusal(Refusal.Kind.RATE, Duration.ofSeconds(9)));

        pool.heard(null, false);

        assertThat(pool.blockedFor()).isEqualTo(Duration.ofSeconds(9));
        pool.report();
        pool.heard(known(MOST, 1, Duration.ofSeconds(4)), false);
        assertThat(pool.blockedFor()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void shouldTellHowManyCallsWereInFlightOverAllWorkers() {
        for (int i = 0; i < 4; i++) {
            pool.begins(true, 5);
        }
        ThrottledPool.Sent fifth = pool.begins(true, 5);

        assertThat(fifth.inFlight())
                .as("its part of 20 is 5, and all are in use")
                .isEqualTo(MOST);
        pool.heard(known(12, 1, Duration.ZERO), false);
        pool.lease(6);
        pool.ended(fifth);
        assertThat(pool.begins(false, 5).inFlight())
                .as("five of its six of twelve")
                .isEqualTo(10);
    }

    @Test
    void shouldLeaveRoomForCallsThatWereSentBeforeItHadPermits() {
        ThrottledPool.Sent stray = pool.begins(true, MOST);
        pool.heard(known(12, 1, Duration.ZERO), false);
        pool.lease(3);

        assertThat(pool.usable()).isEqualTo(2);
        pool.ended(stray);
        assertThat(pool.usable()).isEqualTo(3);
    }

    @Test
    void shouldCountAnswersOnlyWhenMostOfItsPartWasInUse() {
        pool.heard(known(10, 0, Duration.ZERO), false);
        pool.lease(10);
        for (int i = 0; i < 7; i++) {
            pool.answered(pool.begins(false, MOST));
        }
        assertThat(pool.report().answers()).isNull();

        pool.answered(pool.begins(false, MOST));
        assertThat(pool.report().answers()).isEqualTo(new ThrottleReport.Answers(1, 8, 0, -1));
    }

    @Test
    void shouldTellOfTheFirstAnswerAfterABlock() {
        ThrottledPool.Sent before = pool.begins(true, MOST);
        pool.heard(known(MOST, 1, Duration.ZERO), false);
        pool.answered(before);
        assertThat(pool.report()).as("sent before the block").isEqualTo(ThrottleReport.NONE);

        pool.answered(pool.begins(true, MOST));
        assertThat(pool.report().answers()).isEqualTo(new ThrottleReport.Answers(0, 0, 0, 1));
    }

    @Test
    void shouldTellALimitOnceWhenAnswersSayIt() {
        List<HeaderLimit> said = List.of(new HeaderLimit(LimitKind.REQUESTS_PER_MINUTE, 100, 60L, true));
        pool.begins(true, MOST);
        pool.begins(true, MOST);
        pool.taught(ModelPool.DEFAULT_ACCOUNT, said);
        pool.taught(ModelPool.DEFAULT_ACCOUNT, said);

        assertThat(pool.report().learned())
                .as("one other is in flight")
                .containsExactly(new ThrottleReport.Learned(LimitKind.REQUESTS_PER_MINUTE, 100, 41));
        pool.taught(ModelPool.DEFAULT_ACCOUNT, said);
        assertThat(pool.report()).isEqualTo(ThrottleReport.NONE);
    }

    @Test
    void shouldTellTheLimitsOfEachAccountForItself() {
        List<HeaderLimit> said = List.of(new HeaderLimit(LimitKind.REQUESTS_PER_MINUTE, 100, 60L, true));
        pool.begins(true, MOST);

        pool.taught("second", said);

        assertThat(pool.accounts()).containsExactly("second");
        assertThat(pool.report()).isEqualTo(ThrottleReport.NONE);
        ThrottleReport report = pool.learned("second");
        assertThat(report.learned())
                .containsExactly(new ThrottleReport.Learned(LimitKind.REQUESTS_PER_MINUTE, 100, 40));
        assertThat(pool.learned("second")).isEqualTo(ThrottleReport.NONE);

        pool.again("second", report);
        assertThat(pool.learned("second")).isEqualTo(report);
    }

    @Test
    void shouldBeForgottenWhenNothingOfItMatters() {
        assertThat(pool.use()).isTrue();
        assertThat(pool.use()).isFalse();
        pool.left();
        pool.left();
        assertThat(pool.isForgotten()).isTrue();

        pool.heard(known(12, 1, Duration.ZERO), false);
        assertThat(pool.isForgotten()).as("it is cut").isFalse();
        pool.heard(known(MOST, 1, Duration.ofSeconds(1)), false);
        assertThat(pool.isForgotten()).as("it is blocked").isFalse();
        pass(Duration.ofSeconds(1));
        assertThat(pool.isForgotten()).isTrue();
    }

    @Test
    void shouldAlwaysNeedPermitsWhenItsSettingsBoundIt() {
        ThrottledPool bounded = pool(new ConcurrencyRange(1, 2, 8), true);

        assertThat(bounded.isGoverned()).isTrue();
        assertThat(pool.isGoverned()).isFalse();
    }
}
