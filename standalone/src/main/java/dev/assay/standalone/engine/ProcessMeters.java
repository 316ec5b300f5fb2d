package dev.assay.standalone.engine;

import com.uber.m3.tally.RootScopeBuilder;
import com.uber.m3.tally.Scope;
import com.uber.m3.tally.ScopeCloseException;
import com.uber.m3.util.Duration;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.temporal.common.reporter.MicrometerClientStatsReporter;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of parts that are no beans of the context that shows them. These are Temporal's SDK, whose connection is made before
 * any context, and a worker in a server's process.
 */
public final class ProcessMeters implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessMeters.class);

    private static final double REPORT_EVERY_SECONDS = 5;

    private static final String TEMPORAL = "temporal_";

    /** The SDK has 69 buckets for each of its series: 600 kB in every scrape. */
    private static final double[] BUCKETS = LongStream.of(10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000)
            .mapToDouble(TimeUnit.MILLISECONDS::toNanos)
            .toArray();

    private static final DistributionStatisticConfig FEW_BUCKETS = DistributionStatisticConfig.builder()
            .percentilesHistogram(false)
            .serviceLevelObjectives(BUCKETS)
            .build();

    private final CompositeMeterRegistry meters = new CompositeMeterRegistry();
    private final Scope scope = new RootScopeBuilder()
            .reporter(new MicrometerClientStatsReporter(meters))
            .reportEvery(Duration.ofSeconds(REPORT_EVERY_SECONDS));

    public ProcessMeters() {
        meters.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().startsWith(TEMPORAL) ? FEW_BUCKETS.merge(config) : config;
            }
        });
    }

    /** The scope in which Temporal's SDK counts; the meters have its counts 5 s later. */
    public Scope scope() {
        return scope;
    }

    /** All of them. */
    public MeterRegistry registry() {
        return meters;
    }

    /** Shows them in {@code registry} too; earlier counts are left out. */
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
