package dev.assay.activities.outage;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage.Reason;
import dev.assay.domain.limit.outage.SignalDecision;
import dev.assay.store.outage.SeenKey;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class AskedKeyTest {

    private static final ModelPool POOL = new ModelPool("one", "default", "m");
    private static final Duration SHORT = Duration.ofMillis(50);

    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private final AskedKey key = new AskedKey(new KeyMark("one", "default", "0123456789ab"), () -> now);

    /** What an exchange tells of the key, and takes. */
    private SeenKey exchanged(boolean isRefused, boolean isProbed) {
        SeenKey seen = requireNonNull(key.seen());
        key.told();
        key.found(isRefused, isProbed);
        return seen;
    }

    private AskedKey inRealTime() {
        return new AskedKey(key.key(), Instant::now);
    }

    @Test
    void shouldHoldBackAtTheFirstRefusalWhenNothingWasAnswered() {
        assertThat(key.refused(POOL, Reason.AUTH, "401")).isTrue();

        assertThat(key.isHeldBack()).isTrue();
        assertThat(requireNonNull(exchanged(true, true).refused()).pools()).containsExactly(POOL);
        assertThat(key.isHeldBack()).isFalse();
        assertThat(key.seen()).isNull();
    }

    @Test
    void shouldHoldBackAtTheFifthRefusalWhenItWorkedOfLate() {
        key.taken(now);
        for (int i = 0; i < 4; i++) {
            assertThat(key.refused(POOL, Reason.AUTH, "401")).isFalse();
        }

        assertThat(key.refused(POOL, Reason.AUTH, "401")).isTrue();
    }

    @Test
    void shouldCountAnewWhenACallIsAnsweredBetweenRefusals() {
        key.taken(now);
        Instant sent = now;
        for (int i = 0; i < 4; i++) {
            now = now.plusMillis(1);
            key.refused(POOL, Reason.AUTH, "401");
        }
        key.taken(sent);

        assertThat(key.refused(POOL, Reason.AUTH, "401")).isFalse();
    }

    @Test
    void shouldStayHeldBackWhenTheExchangeWasUnderWayAsItWasRefused() {
        exchanged(false, true);
        key.taken(now);
        now = now.plusSeconds(11);
        SeenKey before = requireNonNull(key.seen());
        now = now.plusSeconds(60);
        key.refused(POOL, Reason.QUOTA, "no money");
        key.told();
        key.found(false, true);

        assertThat(before.refused()).isNull();
        assertThat(key.isHeldBack()).isTrue();
        assertThat(requireNonNull(exchanged(true, true).refused()).reason()).isEqualTo(Reason.QUOTA);
    }

    @Test
    void shouldTakeNoAnswerForASignWhenItWasSentBeforeTheLastRefusal() {
        key.taken(now);
        Instant sent = now;
        now = now.plusSeconds(61);
        key.refused(POOL, Reason.AUTH, "401");
        exchanged(true, true);

        assertThat(key.taken(sent)).isFalse();
        now = now.plusSeconds(1);
        assertThat(key.taken(now)).isTrue();
    }

    @Test
    void shouldTellAtOnceOfAnAnswerWhenTheKeyWasRefused() {
        key.taken(now);
        exchanged(false, true);
        now = now.plusSeconds(1);
        key.taken(now);
        assertThat(key.seen()).isNull();
        key.refused(POOL, Reason.AUTH, "401");
        now = now.plusSeconds(1);
        key.taken(now);

        assertThat(requireNonNull(key.seen()).sinceTaken()).isEqualTo(Duration.ZERO);
    }

    @Test
    void shouldTakeTheFirstAnswerForASignThoughItWasSentBeforeTheRefusal() {
        Instant sent = now;
        now = now.plusSeconds(1);
        key.refused(POOL, Reason.AUTH, "401");
        exchanged(true, true);

        assertThat(key.taken(sent)).isTrue();
    }

    @Test
    void shouldCountAsNoAttemptWhenTheKeyIsRefused() throws InterruptedException {
        key.refused(POOL, Reason.AUTH, "401");
        exchanged(true, true);

        assertThat(key.decided(SHORT)).isEqualTo(SignalDecision.NO_ATTEMPT);
    }

    @Test
    void shouldCountAsNoAttemptWhenNobodyCanSayWhetherItIsRefused() throws InterruptedException {
        AskedKey asked = inRealTime();
        asked.refused(POOL, Reason.AUTH, "401");

        assertThat(asked.decided(SHORT)).isEqualTo(SignalDecision.NO_ATTEMPT);
    }

    @Test
    void shouldLeaveItOpenWhenOthersHadAnAnswerOfLate() throws InterruptedException {
        AskedKey asked = inRealTime();
        asked.refused(POOL, Reason.AUTH, "401");
        asked.seen();
        asked.told();
        asked.found(false, true);

        assertThat(asked.isHeldBack()).isFalse();
        assertThat(asked.decided(SHORT)).isEqualTo(SignalDecision.OPEN);
    }

    @Test
    void shouldCountAsAttemptWhenAnotherModelIsAnswered() throws InterruptedException {
        AskedKey asked = inRealTime();
        asked.refused(POOL, Reason.AUTH, "401");
        asked.seen();
        asked.told();
        asked.found(true, false);
        Thread cell = Thread.currentThread();
        Thread answer = Thread.ofVirtual().start(() -> {
            await().until(() -> cell.getState() == Thread.State.TIMED_WAITING);
            asked.taken(Instant.now());
        });

        assertThat(asked.decided(Duration.ofSeconds(20))).isEqualTo(SignalDecision.ATTEMPT);
        answer.join();
    }
}
