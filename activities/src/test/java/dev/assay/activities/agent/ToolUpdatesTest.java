package dev.assay.activities.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ToolUpdatesTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private final List<String> heard = new ArrayList<>();
    private final ToolUpdates updates = new ToolUpdates(now::get, heard::add);

    @Test
    void shouldLetOneThroughInEachInterval() {
        updates.accept("1");
        updates.accept("2");
        now.addAndGet(ToolUpdates.AT_LEAST.toNanos() - 1);
        updates.accept("3");
        now.incrementAndGet();
        updates.accept("4");

        assertThat(heard).containsExactly("1", "4");
    }

    @Test
    void shouldLetNothingThroughAfterTheEnd() {
        updates.accept("1");
        updates.end();
        now.addAndGet(ToolUpdates.AT_LEAST.toNanos());
        updates.accept("2");

        assertThat(heard).containsExactly("1");
    }
}
