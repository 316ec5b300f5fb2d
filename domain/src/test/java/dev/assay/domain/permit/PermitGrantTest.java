package dev.assay.domain.permit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermitGrantTest {

    private static PermitGrant ask(int size, int held, int wanted, PermitLease... leases) {
        return PermitGrant.of(size, List.of(leases), "me", new PermitAsk(held, new PermitWish(wanted, 0)));
    }

    private static PermitLease lease(String worker, int granted, int wanted) {
        return new PermitLease(worker, granted, new PermitWish(wanted, 0), Duration.ZERO);
    }

    @Test
    void shouldGiveTheWholePoolToAWorkerThatIsAlone() {
        assertThat(ask(100, 0, 1)).isEqualTo(new PermitGrant(100, 100));
        assertThat(ask(100, 100, 40, lease("me", 100, 90))).isEqualTo(new PermitGrant(100, 100));
    }

    @Test
    void shouldGiveOnlyWhatIsFree() {
        assertThat(ask(100, 0, 80, lease("other", 70, 90))).isEqualTo(new PermitGrant(30, 50));
        assertThat(ask(100, 0, 80, lease("other", 100, 90))).isEqualTo(new PermitGrant(0, 50));
    }

    @Test
    void shouldLeaveWhatIsHeldUntilItIsGivenBack() {
        PermitGrant grant = ask(100, 100, 120, lease("me", 100, 120), lease("other", 0, 80));

        assertThat(grant).isEqualTo(new PermitGrant(100, 50));
        assertThat(grant.usable()).isEqualTo(50);
        assertThat(ask(100, 60, 120, lease("me", 100, 120), lease("other", 0, 80)))
                .isEqualTo(new PermitGrant(60, 50));
    }

    @Test
    void shouldLetNobodyHaveMoreThanItWantsWhileSomebodyWantsMore() {
        assertThat(ask(90, 0, 200, lease("a", 0, 10), lease("b", 0, 200))).isEqualTo(new PermitGrant(40, 40));
        assertThat(ask(90, 0, 10, lease("a", 0, 200), lease("b", 0, 200))).isEqualTo(new PermitGrant(10, 10));
    }

    @Test
    void shouldSpreadWhatNobodyWantsOverThoseWhoWantAnything() {
        assertThat(ask(100, 0, 10, lease("a", 0, 50), lease("b", 0, 0)).share()).isEqualTo(30);
    }

    @Test
    void shouldGiveBackEverythingWhenNothingIsWanted() {
        assertThat(ask(100, 100, 0, lease("me", 100, 7))).isEqualTo(new PermitGrant(100, 0));
        assertThat(ask(100, 0, 0, lease("me", 100, 7))).isEqualTo(new PermitGrant(0, 0));
    }

    @Test
    void shouldCountAsLostWhatIsNotRecordedAnyMore() {
        assertThat(ask(100, 60, 200, lease("other", 100, 200))).isEqualTo(new PermitGrant(0, 50));
    }

    @Test
    void shouldGiveNothingMoreWhilePoolIsLargerThanItMayBe() {
        assertThat(ask(10, 3, 50, lease("me", 3, 50), lease("other", 40, 50))).isEqualTo(new PermitGrant(3, 5));
    }

    @Test
    void shouldRefuseNegativeNumbers() {
        assertThatThrownBy(() -> new PermitAsk(-1, PermitWish.NONE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lease("w", 0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldShareOutTheWholePoolAndNoMore(long seed) {
        RandomGenerator random = new java.util.Random(seed);
        for (int round = 0; round < 2_000; round++) {
            int size = random.nextInt(200);
            List<PermitLease> wishes = new ArrayList<>();
            int workers = random.nextInt(1, 9);
            for (int i = 0; i < workers; i++) {
                wishes.add(lease("worker-" + i, 0, random.nextInt(1, 60)));
            }

            int shares = 0;
            for (PermitLease wish : wishes) {
                int share = PermitGrant.of(size, wishes, wish.workerId(), new PermitAsk(0, wish.wish()))
                        .share();
                shares += share;
                // An even part is due to everybody who wants it.
                assertThat(share).isGreaterThanOrEqualTo(Math.min(wish.wish().wanted(), size / workers));
            }

            assertThat(shares).isEqualTo(size);
        }
    }
}
