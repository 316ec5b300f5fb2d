package dev.assay.cli.testing;

import dev.assay.activities.compute.BoundedComputing;
import dev.assay.work.WorkTimedOutException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Work that neither ends nor heeds interrupts, for the pool of a process that a test starts with {@link #once}: as many pieces as
 * it takes to exhaust the pool. One thread is left.
 */
@Singleton
@Requires(property = "assay.test.endless.work")
public class EndlessWork implements BeanCreatedEventListener<BoundedComputing> {

    private static final int PIECES = 3;

    private final Path trigger;
    private volatile boolean never;

    EndlessWork(@Value("${assay.test.endless.work}") String trigger) {
        this.trigger = Path.of(trigger);
    }

    /** The environment of a process whose pool is exhausted, where it has two threads, 12 s after the file {@code trigger} is there. */
    public static Map<String, String> once(Path trigger) {
        return Map.of("ASSAY_TEST_ENDLESS_WORK", trigger.toString());
    }

    @Override
    public BoundedComputing onCreated(BeanCreatedEvent<BoundedComputing> event) {
        BoundedComputing computing = event.getBean();
        for (int i = 0; i < PIECES; i++) {
            Thread.ofVirtual().start(() -> computeWhenTriggered(computing));
        }
        return computing;
    }

    private void computeWhenTriggered(BoundedComputing computing) {
        while (!Files.exists(trigger)) {
            LockSupport.parkNanos(50_000_000);
        }
        compute(computing);
    }

    private void compute(BoundedComputing computing) {
        try {
            computing.run("Endless work", () -> {
                while (!never) {
                    // As a matcher without a read of its text: nothing here asks whether it was interrupted. It leaves
                    // the
                    // processors to the tests.
                    LockSupport.parkNanos(1_000_000);
                    Thread.interrupted();
                }
                return true;
            });
        } catch (WorkTimedOutException _) {
            // As it should.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
