package dev.assay.domain.permit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who is next: among the cells of a worker, and among workers. */
class PermitTurnsTest {

    private static final PermitLease BUSY = lease("busy", 2, 600, 0, 60);

    private static PermitLease lease(String worker, int granted, int wanted, int urgent, int seconds) {
        return new PermitLease(worker, granted, new PermitWish(wanted, urgent), Duration.ofSeconds(seconds));
    }

    /** The parts of workers whose wishes are all recorded. */
    private static List<Integer> shares(int size, PermitLease... leases) {
        return Stream.of(leases)
                .map(lease -> PermitGrant.of(
                                size, List.of(leases), lease.workerId(), new PermitAsk(lease.granted(), lease.wish()))
                        .share())
                .toList();
    }

    @Test
    void shouldServeEvaluationsFirstThenTheCampaignThatWasServedLongestAgoInItsOrder() {
        CellTurn evaluation = new CellTurn(true, 90, 0, 7);
        CellTurn longAgo = new CellTurn(false, 10, 3, 8);
        CellTurn longAgoLaterInOrder = new CellTurn(false, 10, 4, 6);
        CellTurn justNow = new CellTurn(false, 11, 0, 1);

        assertThat(Stream.of(justNow, longAgoLaterInOrder, evaluation, longAgo).sorted())
                .containsExactly(evaluation, longAgo, longAgoLaterInOrder, justNow);
    }

    @Test
    void shouldLeaveAPermitToTheWorkerOfAnEvaluationWhateverCampaignsWant() {
        assertThat(shares(2, BUSY, lease("interactive", 0, 1, 1, 0))).containsExactly(1, 1);
        assertThat(shares(1, lease("busy", 1, 600, 0, 0), lease("interactive", 0, 1, 1, 0)))
                .containsExactly(0, 1);
    }

    @Test
    void shouldShareOutAmongEvaluationsWhatIsTooLittleForThem() {
        assertThat(shares(4, lease("a", 0, 9, 9, 0), lease("b", 0, 9, 9, 0), lease("c", 4, 600, 0, 0)))
                .containsExactly(2, 2, 0);
        assertThat(shares(10, lease("a", 0, 3, 3, 0), lease("b", 0, 20, 2, 0), lease("c", 9, 600, 0, 0)))
                .containsExactly(3, 5, 2);
    }

    @Test
    void shouldPassAPermitOnToTheWorkerThatWaitedLongestWhenTheTurnOfAnotherIsOver() {
        assertThat(shares(1, lease("a", 1, 9, 0, 2), lease("b", 0, 9, 0, 3), lease("c", 0, 9, 0, 4)))
                .containsExactly(0, 0, 1);
        assertThat(shares(2, lease("a", 1, 9, 0, 2), lease("b", 1, 9, 0, 3), lease("c", 0, 9, 0, 0)))
                .as("who has had its turn for longer gives way")
                .containsExactly(1, 0, 1);
    }

    @Test
    void shouldLeaveAPermitToAWorkerUntilItsTurnIsOver() {
        assertThat(shares(1, lease("a", 0, 9, 0, 60), lease("b", 1, 9, 0, 0))).containsExactly(0, 1);
        assertThat(shares(1, lease("b", 1, 9, 0, 60))).containsExactly(1);
    }
}
