package dev.assay.activities.metrics;

import dev.assay.activities.provider.ProviderCatalog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** The counters of provider batches that this worker took steps of, since it started. No campaign can add a series. */
@Singleton
public class BatchMetrics {

    private static final String PROVIDER = "provider";

    private static final Duration[] SECONDS = Arrays.stream(
                    new long[] {1, 5, 15, 30, 60, 120, 240, 480, 720, 1440, 2880})
            .mapToObj(Duration::ofMinutes)
            .toArray(Duration[]::new);

    /** How a line of a batch ended. */
    public enum LineEnd {
        ANSWERED,
        FAILED,
        EXPIRED,
        CANCELED,
        MISSING
    }

    /** What became of a submission. */
    public enum Result {
        /** The provider has the batch. */
        ACCEPTED,
        /** It refuses the batch. */
        REFUSED,
        /** It refuses it for now. */
        LATER,
        /** The reply was lost. */
        UNKNOWN
    }

    private final MeterRegistry registry;
    private final Set<String> providers = new HashSet<>();
    private final Timer seconds;

    public BatchMetrics(MeterRegistry registry, ProviderCatalog catalog) {
        this.registry = registry;
        catalog.infos().forEach((name, provider) -> {
            if (provider.batches() != null && provider.hasKey()) {
                providers.add(name);
                begin(name);
            }
        });
        seconds = Timer.builder("assay.batch")
                .description("Batches of providers that ended, and the time since they were handed over")
                .serviceLevelObjectives(SECONDS)
                .register(registry);
    }

    /** Shows the counters of a provider before its first batch. Otherwise a first event would look like no increase. */
    private void begin(String provider) {
        Arrays.stream(LineEnd.values()).forEach(end -> lines(provider, end));
        Arrays.stream(Result.values()).forEach(result -> submissions(provider, result));
    }

    /** Lines of a batch were recorded. */
    public void recorded(String provider, LineEnd end, int lines) {
        if (lines > 0) {
            lines(provider, end).increment(lines);
        }
    }

    /** A submission was sent. */
    public void submitted(String provider, Result result) {
        submissions(provider, result).increment();
    }

    /** A batch has ended so long after it was handed over. */
    public void ended(Duration took) {
        seconds.record(took);
    }

    private Counter lines(String provider, LineEnd end) {
        return Counter.builder("assay.batch.lines")
                .description("Lines of batches of providers that were recorded, by how they ended")
                .tag(PROVIDER, known(provider))
                .tag("end", word(end))
                .register(registry);
    }

    private Counter submissions(String provider, Result result) {
        return Counter.builder("assay.batch.submissions")
                .description("Submissions of batches that were sent to providers, by what became of them")
                .tag(PROVIDER, known(provider))
                .tag("result", word(result))
                .register(registry);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private String known(String provider) {
        return providers.contains(provider) ? provider : WorkerMetrics.OTHER;
    }
}
