package dev.assay.activities.permit;

import static java.util.Objects.requireNonNull;
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
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThrottledPoolTest {

    private static final int MOST = 20;
    private static final ModelPool GROUP = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "gpt");
    private static final String DEFAULT = ModelPool.DEFAULT_ACCOUNT;

    private final AtomicLong nanos = new AtomicLong();
    private List<String> usable = List.of(DEFAULT);
    private final ThrottledPool pool = pool(ConcurrencyRange.upTo(MOST), false);

    private ThrottledPool pool(ConcurrencyRange range, boolean isBounded) {
        return new ThrottledPool(new BoundedCalls(GROUP, range, true), isBounded, false, () -> usable, nanos::get);
    }

    private static Refusal refusal(Refusal.Kind kind, @Nullable Duration asked) {
        return new Refusal(kind, List.of(), asked);
    }

    private static StoredThrottle known(int calls, int inRow, Duration blocked) {
        return new StoredThrottle(calls, MOST, inRow, inRow, inRow, blocked);
    }

    private ThrottleReport report() {
        return report(DEFAULT);
    }

    private ThrottleReport report(String account) {
        return requireNonNull(pool.reports().get(GROUP.ofAccount(account)));
    }

    private void answered(ThrottledPool.Sent sent, int blocksThen) {
        pool.answered(sent, DEFAULT, blocksThen);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void shouldBlockAtOnceAndTellOthersOnceWhenABurstIsRefused() {
        List<ThrottledPool.Sent> sent =
                List.of(pool.begins(true, MOST), pool.begins(true, MOST), pool.begins(true, MOST));

        assertThat(sent.stream().map(one -> pool.refused(one, DEFAULT, 0, refusal(Refusal.Kind.CONCURRENCY, null))))
                .containsExactly(true, false, false);
        assertThat(pool.isBlocked()).isTrue();
        ThrottleReport report = report();
        assertThat(report.refusals())
                .singleElement()
                .satisfies(refused -> assertThat(refused.times()).isEqualTo(3));
        assertThat(report()).isEqualTo(ThrottleReport.NONE);

        pool.again(ModelPool.DEFAULT_ACCOUNT, report);
        assertThat(report().refusals()).isEqualTo(report.refusals());
        pass(Duration.ofSeconds(1));
        assertThat(pool.isBlocked()).isFalse();
    }

    @Test
    void shouldStayBlockedWhenAnAnswerOfBeforeItsRefusalComes() {
        ThrottledPool.Sent sent = pool.begins(true, MOST);
        report();
        pool.refused(sent, DEFAULT, 0, refusal(Refusal.Kind.RATE, Duration.ofSeconds(9)));

        pool.heard(Map.of(), false);

        assertThat(pool.blockedFor()).isEqualTo(Duration.ofSeconds(9));
        report();
        pool.heard(Map.of(DEFAULT, known(MOST, 1, Duration.ofSeconds(4))), false);
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
        pool.heard(Map.of(DEFAULT, known(12, 1, Duration.ZERO)), false);
        pool.lease(6);
        pool.ended(fifth);
        assertThat(pool.begins(false, 5).inFlight())
                .as("five of its six of twelve")
                .isEqualTo(10);
    }

    @Test
    void shouldLeaveRoomForCallsThatWereSentBeforeItHadPermits() {
        ThrottledPool.Sent stray = pool.begins(true, MOST);
        pool.heard(Map.of(DEFAULT, known(12, 1, Duration.ZERO)), false);
        pool.lease(3);

        assertThat(pool.usable()).isEqualTo(2);
        pool.ended(stray);
        assertThat(pool.usable()).isEqualTo(3);
    }

    @Test
    void shouldCountAnswersOnlyWhenMostOfItsPartWasInUse() {
        pool.heard(Map.of(DEFAULT, known(10, 0, Duration.ZERO)), false);
        pool.lease(10);
        for (int i = 0; i < 7; i++) {
            answered(pool.begins(false, MOST), 0);
        }
        assertThat(report().answers()).isNull();

        answered(pool.begins(false, MOST), 0);
        assertThat(report().answers()).isEqualTo(new ThrottleReport.Answers(1, 8, 0, -1));
    }

    @Test
    void shouldTellOfTheFirstAnswerAfterABlock() {
        ThrottledPool.Sent before = pool.begins(true, MOST);
        pool.heard(Map.of(DEFAULT, known(MOST, 1, Duration.ZERO)), false);
        answered(before, 0);
        assertThat(report()).as("sent before the block").isEqualTo(ThrottleReport.NONE);

        answered(pool.begins(true, MOST), 1);
        assertThat(report().answers()).isEqualTo(new ThrottleReport.Answers(0, 0, 0, 1));
    }

    @Test
    void shouldTellALimitOnceWhenAnswersSayIt() {
        List<HeaderLimit> said = List.of(new HeaderLimit(LimitKind.REQUESTS_PER_MINUTE, 100, 60L, true));
        pool.begins(true, MOST);
        pool.begins(true, MOST);
        pool.taught(ModelPool.DEFAULT_ACCOUNT, said);
        pool.taught(ModelPool.DEFAULT_ACCOUNT, said);

        assertThat(report().learned())
                .as("one other is in flight")
                .containsExactly(new ThrottleReport.Learned(LimitKind.REQUESTS_PER_MINUTE, 100, 41));
        pool.taught(ModelPool.DEFAULT_ACCOUNT, said);
        assertThat(report()).isEqualTo(ThrottleReport.NONE);
    }

    @Test
    void shouldTellTheLimitsOfEachAccountForItself() {
        List<HeaderLimit> said = List.of(new HeaderLimit(LimitKind.REQUESTS_PER_MINUTE, 100, 60L, true));
        pool.begins(true, MOST);

        pool.taught("second", said);

        Map<ModelPool, ThrottleReport> reports = pool.reports();
        ThrottleReport report = requireNonNull(reports.get(GROUP.ofAccount("second")));
        assertThat(report.learned())
                .containsExactly(new ThrottleReport.Learned(LimitKind.REQUESTS_PER_MINUTE, 100, 40));
        assertThat(reports.get(GROUP)).isEqualTo(ThrottleReport.NONE);
        assertThat(report("second")).isEqualTo(ThrottleReport.NONE);

        pool.again("second", report);
        assertThat(report("second")).isEqualTo(report);
    }

    @Test
    void shouldBlockTheAccountAloneThatRefuses() {
        usable = List.of("main", "second");
        ThrottledPool.Sent sent = pool.begins(true, MOST);

        pool.refused(sent, "main", 0, refusal(Refusal.Kind.RATE, Duration.ofSeconds(9)));

        assertThat(pool.blocked()).containsExactly("main");
        assertThat(pool.isBlocked()).as("another account may be asked").isFalse();
        assertThat(pool.usable()).isZero();
        pool.refused(sent, "second", 0, refusal(Refusal.Kind.RATE, Duration.ofSeconds(3)));
        assertThat(pool.isBlocked()).isTrue();
        assertThat(pool.blockedFor()).isEqualTo(Duration.ofSeconds(3));
        pass(Duration.ofSeconds(3));
        assertThat(pool.blocked()).containsExactly("main");
        assertThat(pool.isBlocked()).isFalse();
        assertThat(report("main").refusals()).hasSize(1);
    }

    @Test
    void shouldBeForgottenWhenNothingOfItMatters() {
        assertThat(pool.use()).isTrue();
        assertThat(pool.use()).isFalse();
        pool.left();
        pool.left();
        assertThat(pool.isForgotten()).isTrue();

        pool.heard(Map.of(DEFAULT, known(12, 1, Duration.ZERO)), false);
        assertThat(pool.isForgotten()).as("it is cut").isFalse();
        pool.heard(Map.of(DEFAULT, known(MOST, 1, Duration.ofSeconds(1))), false);
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
