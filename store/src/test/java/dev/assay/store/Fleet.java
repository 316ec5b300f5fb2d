package dev.assay.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Workers that take their turns four times a second, as those of the product do, while something is measured. */
final class Fleet {

    static final Duration MEASURED = Duration.ofSeconds(20);
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration EVERY = Duration.ofMillis(250);

    private Fleet() {}

    /**
     * Runs all turns until what is measured is over.
     *
     * @param turns one for each worker
     * @param begin run as the measured time begins
     */
    static void run(List<? extends Runnable> turns, Runnable begin) throws InterruptedException {
        ScheduledExecutorService workers = Executors.newScheduledThreadPool(turns.size());
        for (int i = 0; i < turns.size(); i++) {
            workers.scheduleWithFixedDelay(
                    turns.get(i), i * EVERY.toMillis() / turns.size(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
        assertThat(workers.awaitTermination(WARM_UP.toMillis(), TimeUnit.MILLISECONDS))
                .isFalse();
        begin.run();
        assertThat(workers.awaitTermination(MEASURED.toMillis(), TimeUnit.MILLISECONDS))
                .isFalse();
        workers.shutdown();
        assertThat(workers.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
}
