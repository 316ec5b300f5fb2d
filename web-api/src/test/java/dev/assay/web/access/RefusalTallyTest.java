package dev.assay.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.store.access.Actor;
import dev.assay.store.access.RefusalRow;
import dev.assay.store.access.RefusedRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Floods of refusals, at times that the test says. */
class RefusalTallyTest {

    private static final int FLOOD = 100_000;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final RefusalTally tally = new RefusalTally();
    private final Map<Long, RefusalRow> table = new HashMap<>();
    private long ids;
    /** Near the end of what a long holds: the clock of a JVM may be anywhere. */
    private long now = Long.MAX_VALUE - 30 * SECOND;

    private void refuse(String address) {
        tally.count(
                new RefusedRequest(Instant.EPOCH, new Actor("unknown", address), "GET /api/v1/campaigns", null, 401),
                now);
    }

    /** What the queue does once a second. */
    private void write() {
        int count = tally.unnumbered();
        tally.number(LongStream.range(ids, ids + count).boxed().toList());
        ids += count;
        List<RefusalRow> rows = tally.toWrite(now);
        rows.forEach(row -> table.put(row.id(), row));
        tally.written(rows);
    }

    private long counted() {
        return table.values().stream().mapToLong(row -> row.repeated() + 1).sum();
    }

    @Test
    void shouldCountTheRestWhenOneAddressAsksAHundredThousandTimes() {
        for (int i = 0; i < FLOOD; i++) {
            refuse("10.0.0.1");
            if (i % 2_000 == 0) {
                now += SECOND;
                write();
            }
        }
        write();

        assertThat(table).hasSize(RefusalTally.PER_ADDRESS);
        assertThat(counted()).isEqualTo(FLOOD);
        assertThat(tally.waitingRows()).isZero();
    }

    @Test
    void shouldAllowNoMoreRowsInAnyMinuteWhenRequestsGoOn() {
        for (int second = 0; second < 600; second++) {
            for (int i = 0; i < 100; i++) {
                refuse("10.0.0.1");
            }
            now += SECOND;
            write();
        }
        assertThat(table).hasSizeLessThanOrEqualTo(10 * RefusalTally.PER_ADDRESS);
        assertThat(counted()).isEqualTo(60_000);
    }

    @Test
    void shouldBeginARowAgainWhenAMinuteHasPassed() {
        refuse("10.0.0.1");
        now += 61 * SECOND;
        write();
        assertThat(tally.addresses()).as("forgotten").isZero();
        refuse("10.0.0.1");
        write();
        assertThat(table).hasSize(2);
    }

    @Test
    void shouldBoundRowsAndMemoryWhenEachRequestComesFromAnAddressOfItsOwn() {
        for (int i = 0; i < FLOOD; i++) {
            refuse("fd00::" + i);
            if (i % 2_000 == 0) {
                now += SECOND;
                write();
            }
        }
        write();

        assertThat(table).hasSize(RefusalTally.PER_SERVER);
        assertThat(tally.addresses()).isLessThan(RefusalTally.PER_SERVER);
        assertThat(counted()).isEqualTo(FLOOD);
        assertThat(table.values())
                .filteredOn(row -> row.request().by().from().equals("other addresses"))
                .singleElement()
                .satisfies(row -> assertThat(row.repeated()).isEqualTo(FLOOD - RefusalTally.PER_SERVER));
    }

    @Test
    void shouldKeepCountAndBoundMemoryWhenNothingCanBeWritten() {
        for (int i = 0; i < FLOOD; i++) {
            refuse("fd00::" + i % 5_000);
            if (i % 100 == 0) {
                now += SECOND;
                assertThat(tally.toWrite(now)).isEmpty();
            }
        }
        assertThat(tally.waitingRows()).isLessThanOrEqualTo(RefusalTally.MOST_WAITING + RefusalTally.PER_SERVER);
        write();
        assertThat(counted()).isEqualTo(FLOOD);
    }

    @Test
    void shouldWriteARowAgainWhenItCountedWhileItWasWritten() {
        refuse("10.0.0.1");
        tally.number(List.of(7L));
        List<RefusalRow> rows = tally.toWrite(now);
        for (int i = 0; i < RefusalTally.PER_ADDRESS; i++) {
            refuse("10.0.0.1");
        }
        tally.written(rows);

        refuse("10.0.0.1");
        write();
        assertThat(counted()).isEqualTo(RefusalTally.PER_ADDRESS + 1);
    }
}
