package dev.assay.cli.testing;

import dev.assay.activities.compute.BoundedComputing;
import dev.assay.work.WorkTimedOutException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Work that neither ends nor heeds interrupts, for the pool of a process that a test starts with {@link #ENVIRONMENT}: as many
 * pieces as it takes to exhaust the pool. One thread is left.
 */
@Singleton
@Requires(property = "assay.test.endless.work")
public class EndlessWork implements BeanCreatedEventListener<BoundedComputing> {

    /** Of a process whose pool is to be exhausted: 12 s after its worker's beans are made, where it has two threads. */
    public static final Map<String, String> ENVIRONMENT = Map.of("ASSAY_TEST_ENDLESS_WORK", "true");

    private static final int PIECES = 3;

    private volatile boolean never;

    @Override
    public BoundedComputing onCreated(BeanCreatedEvent<BoundedComputing> event) {
        BoundedComputing computing = event.getBean();
        for (int i = 0; i < PIECES; i++) {
            Thread.ofVirtual().start(() -> compute(computing));
        }
        return computing;
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
