package dev.assay.activities.judging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TextRoomTest {

    private static final long MIB = 1 << 20;
    private static final Runnable SILENT = () -> {};

    private static final long MOST = 64 * MIB;

    private final TextRoom room = new TextRoom(MOST);
    private final AtomicInteger waits = new AtomicInteger();

    private List<List<Integer>> parts(Map<Integer, Long> bytes, Integer... ordinals) {
        return room.parts(new TreeSet<>(List.of(ordinals)), bytes).stream()
                .map(part -> List.copyOf(part.ordinals()))
                .toList();
    }

    private TextRoom.Stay enter(long bytes) {
        return Objects.requireNonNull(room.enter(bytes, SILENT));
    }

    /** One that waits in line until it has room. */
    private CompletableFuture<TextRoom.Stay> waiting(long bytes) {
        AtomicBoolean isInLine = new AtomicBoolean();
        CompletableFuture<TextRoom.Stay> entered = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(() -> entered.complete(room.enter(bytes, () -> {
                    waits.incrementAndGet();
                    isInLine.set(true);
                })));
        await().until(() -> isInLine.get() || entered.isDone());
        return entered;
    }

    @Test
    void shouldReadAllTrialsTogetherWhenTheirTextsAreShort() {
        assertThat(parts(Map.of(1, 1_000L, 2, 3_000L), 1, 2, 3)).containsExactly(List.of(1, 2, 3));
        assertThat(parts(Map.of())).isEmpty();
    }

    @Test
    void shouldCutTrialsIntoPartsWhenTheirTextsAreLong() {
        assertThat(parts(Map.of(1, 9 * MIB, 2, 7 * MIB, 3, 1L, 4, 100 * MIB, 5, 1L), 1, 2, 3, 4, 5, 6))
                .containsExactly(List.of(1, 2), List.of(3), List.of(4), List.of(5, 6));
    }

    @Test
    void shouldLetInTheOneThatAskedFirstWhenRoomIsFree() {
        TextRoom.Stay half = enter(MOST / 2);
        CompletableFuture<TextRoom.Stay> large = waiting(MOST);
        CompletableFuture<TextRoom.Stay> small = waiting(1);
        assertThat(large).isNotDone();
        assertThat(small).as("it would fit, and asked later").isNotDone();

        half.close();
        large.join().close();
        small.join().close();
        enter(MOST).close();
    }

    @Test
    void shouldLetInTwoAtOnceWhenThereIsRoomForBoth() {
        TextRoom.Stay first = enter(MOST / 4);
        TextRoom.Stay second = enter(MOST / 4);
        TextRoom.Stay none = enter(0);
        CompletableFuture<TextRoom.Stay> more = waiting(MOST / 4 * 3);
        assertThat(more).isNotDone();

        none.close();
        first.close();
        more.join().close();
        second.close();
    }

    @Test
    void shouldTakeAllWhenOneTrialIsLargerThanTheRoom() {
        TextRoom.Stay all = enter(10 * MOST);
        CompletableFuture<TextRoom.Stay> next = waiting(1);
        assertThat(next).isNotDone();

        all.close();
        next.join().close();
        enter(MOST).close();
    }

    @Test
    void shouldSayThatItWaitsAndEndWhenThatThrows() {
        TextRoom.Stay all = enter(MOST);
        assertThatThrownBy(() -> room.enter(1, () -> {
                    throw new IllegalStateException("cancelled");
                }))
                .hasMessage("cancelled");
        CompletableFuture<TextRoom.Stay> next = waiting(1);
        assertThat(waits).hasPositiveValue();

        all.close();
        assertThat(next).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void shouldLeaveTheLineWhenInterrupted() throws Exception {
        TextRoom.Stay all = enter(MOST);
        CompletableFuture<Boolean> kept = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            TextRoom.Stay none = room.enter(1, SILENT);
            kept.complete(none == null && Thread.currentThread().isInterrupted());
        });
        thread.interrupt();
        assertThat(kept.get()).isTrue();

        all.close();
        enter(MOST).close();
    }
}
