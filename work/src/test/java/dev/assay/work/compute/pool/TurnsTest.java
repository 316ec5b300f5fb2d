package dev.assay.work.compute.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.work.compute.FillTask;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private final Turns turns = new Turns(2);

    private Ticket<?> added(String queue) {
        Ticket<?> ticket = new Ticket<>(queue, new FillTask(List.of("{{ n }}"), Map.of(), false));
        assertThat(turns.add(ticket)).isTrue();
        return ticket;
    }

    /** What one more process is handed, and how long that takes. */
    private CompletableFuture<Duration> timeUntilHandedOut(Ticket<?> expected) {
        return CompletableFuture.supplyAsync(() -> {
            long since = System.nanoTime();
            try {
                assertThat(turns.take()).isSameAs(expected);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return Duration.ofNanos(System.nanoTime() - since);
        });
    }

    @Test
    void shouldServeQueuesInTurn() throws Exception {
        Ticket<?> first = added("a");
        Ticket<?> third = added("a");
        Ticket<?> second = added("b");

        for (Ticket<?> ticket : List.of(first, second, third)) {
            assertThat(turns.take()).isSameAs(ticket);
            ticket.close();
            assertThat(turns.end(ticket)).isTrue();
        }
    }

    @Test
    void shouldHandOutNoSecondTaskWhenTheFirstRunsForALittleOnly() throws Exception {
        Ticket<?> first = added("a");
        assertThat(turns.take()).isSameAs(first);
        Ticket<?> second = added("b");

        assertThat(timeUntilHandedOut(second).get()).isGreaterThan(Turns.ALONE.dividedBy(2));
    }

    @Test
    void shouldHandOutTasksSideBySideWhenTheyKeepWaiting() throws Exception {
        List<Ticket<?>> all = List.of(added("a"), added("b"), added("c"));
        await().pollDelay(Turns.ALONE.plusMillis(20)).until(() -> true);

        for (Ticket<?> ticket : all) {
            assertThat(turns.take()).isSameAs(ticket);
        }
    }

    @Test
    void shouldHandOutTheNextTaskAtOnceWhenTheOneThatRanHasEnded() throws Exception {
        Ticket<?> first = added("a");
        assertThat(turns.take()).isSameAs(first);
        Ticket<?> second = added("b");
        first.close();
        turns.end(first);

        assertThat(turns.take()).isSameAs(second);
    }

    @Test
    void shouldHandOutWhatIsLeftOfATaskBeforeOthersOfItsQueue() throws Exception {
        Ticket<?> first = added("a");
        added("a");
        assertThat(turns.take()).isSameAs(first);
        assertThat(turns.end(first)).isTrue();

        assertThat(turns.take()).isSameAs(first);
    }

    @Test
    void shouldKeepRoomForQuickTasksWhenSlowOnesRun() throws Exception {
        turns.ran("slow", false);
        List<Ticket<?>> slow = List.of(added("slow"), added("slow"), added("slow"));
        Ticket<?> quick = added("quick");
        await().pollDelay(Turns.ALONE.plusMillis(20)).until(() -> true);

        assertThat(turns.take()).isSameAs(slow.get(0));
        assertThat(turns.take()).isSameAs(quick);
        assertThat(turns.take()).isSameAs(slow.get(1));
        Ticket<?> unexpectedlySlow = added("another");
        assertThat(turns.take()).isSameAs(unexpectedlySlow);
        assertThat(turns.mayBeSlow(slow.get(0))).isTrue();
        assertThat(turns.mayBeSlow(unexpectedlySlow)).isFalse();
        assertThat(turns.waiting()).isOne();

        slow.get(0).close();
        turns.end(slow.get(0));
        assertThat(turns.mayBeSlow(unexpectedlySlow)).isTrue();
        assertThat(turns.mayBeSlow(quick)).isFalse();
    }

    @Test
    void shouldRefuseTasksWhenClosed() throws Exception {
        Ticket<?> handed = added("a");
        turns.take();
        Ticket<?> waits = added("a");
        turns.close();

        assertThat(waits.isOver()).isTrue();
        assertThat(turns.end(handed)).isFalse();
        assertThat(turns.take()).isNull();
        assertThat(CompletableFuture.supplyAsync(() -> turns.add(waits)).get()).isFalse();
    }
}
