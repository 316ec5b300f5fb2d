package dev.assay.cli.metrics;

import com.uber.m3.tally.RootScopeBuilder;
import com.uber.m3.tally.Scope;
import com.uber.m3.tally.ScopeCloseException;
import com.uber.m3.util.Duration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.temporal.common.reporter.MicrometerClientStatsReporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of what is not a bean of the context that shows them: Temporal's SDK, whose connection is made before any context, and
 * a worker in a server's process.
 */
public final class ProcessMeters implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessMeters.class);

    private static final double REPORT_EVERY_SECONDS = 5;

    private final CompositeMeterRegistry meters = new CompositeMeterRegistry();
    private final Scope scope = new RootScopeBuilder()
            .reporter(new MicrometerClientStatsReporter(meters))
            .reportEvery(Duration.ofSeconds(REPORT_EVERY_SECONDS));

    /** Where Temporal's SDK counts; what it counts is in the meters 5 s later. */
    public Scope scope() {
        return scope;
    }

    /** All of them. */
    public MeterRegistry registry() {
        return meters;
    }

    /** Shows them in {@code registry} too; what was counted before is left out. */
    public void showIn(MeterRegistry registry) {
        meters.add(registry);
    }

    @Override
    public void close() {
        try {
            scope.close();
        } catch (ScopeCloseException e) {
            LOG.debug("Temporal's last counts are lost", e);
        }
        meters.close();
    }
}
