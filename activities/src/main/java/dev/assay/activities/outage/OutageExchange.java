package dev.assay.activities.outage;

import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that tells what this worker sees of its pools, and hears which are down: twice a second, sooner on news. */
public final class OutageExchange {

    private static final Logger LOG = LoggerFactory.getLogger(OutageExchange.class);

    private static final Duration EVERY = Duration.ofMillis(500);
    private static final Duration AT_LEAST = Duration.ofMillis(20);

    private final Outages outages;
    private final BooleanSupplier leaseIsSafe;
    private final Consumer<Set<String>> cutOff;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("outage-exchange").unstarted(this::run);

    /**
     * @param leaseIsSafe whether the worker's lease surely holds
     * @param cutOff told again and again of the providers whose work this worker must leave to others
     */
    public OutageExchange(Outages outages, BooleanSupplier leaseIsSafe, Consumer<Set<String>> cutOff) {
        this.outages = outages;
        this.leaseIsSafe = leaseIsSafe;
        this.cutOff = cutOff;
    }

    /** Begins to exchange. The worker is registered. */
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                outages.awaitNews(EVERY);
                if (leaseIsSafe.getAsBoolean()) {
                    exchange();
                }
                Thread.sleep(AT_LEAST);
            }
        } catch (InterruptedException _) {
            LOG.debug("Outages are no longer looked at");
        }
    }

    private void exchange() {
        try {
            outages.exchange();
            cutOff.accept(outages.cutOff());
        } catch (RuntimeException | Error e) {
            // An Error would end the thread silently.
            LOG.debug("What is seen of providers could not be told; it is tried again", e);
        }
    }

    /** Ends. */
    public void stop() {
        thread.interrupt();
    }
}
