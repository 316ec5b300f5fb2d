package dev.assay.web.access;

import dev.assay.store.access.AuditRepository;
import dev.assay.store.access.RefusalRow;
import dev.assay.store.access.RefusedRequest;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes refused requests into the audit, once a second and on a thread of its own. No answer waits for it. While PostgreSQL refuses
 * the rows, they wait in a bounded {@link RefusalTally}.
 */
@Singleton
final class RefusalQueue {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalQueue.class);

    private static final Duration EVERY = Duration.ofSeconds(1);
    /** The time that the end of the server waits for the last rows. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final AuditRepository audit;
    private final Map<Integer, Counter> counters;
    private final RefusalTally tally = new RefusalTally();
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("refusals").factory());

    /** Used on the writer's thread only. */
    private boolean failing;

    RefusalQueue(AuditRepository audit, MeterRegistry registry) {
        this.audit = audit;
        this.counters = Stream.of(401, 403, 429)
                .collect(Collectors.toMap(
                        Function.identity(),
                        status -> Counter.builder("assay.requests.refused")
                                .description("Requests that the server refused")
                                .tag("status", String.valueOf(status))
                                .register(registry)));
        var _ = writer.scheduleWithFixedDelay(
                this::writeSafely, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Counts an answer for the metrics.
     *
     * @return whether it is a refusal
     */
    boolean count(int status) {
        Counter counter = counters.get(status);
        if (counter != null) {
            counter.increment();
        }
        return counter != null;
    }

    /** Takes in a request without a row that was answered, if it was refused. Returns at once. */
    void add(HttpRequest<?> request, int status) {
        if (count(status)) {
            AskedRequest asked = AskedRequest.of(
                    request, status == HttpStatus.UNAUTHORIZED.getCode() ? AskedRequest.UNKNOWN : AskedRequest.LOCAL);
            tally.count(
                    new RefusedRequest(Instant.now(), asked.by(), asked.what(), asked.object(), status),
                    System.nanoTime());
        }
    }

    private void writeSafely() {
        try {
            write();
            failing = false;
        } catch (RuntimeException | Error e) {
            // An Error would end the schedule silently.
            if (!failing) {
                LOG.warn("Refused requests could not be written into the audit; they wait: {}", e.toString());
            }
            failing = true;
        }
    }

    private void write() {
        int unnumbered = tally.unnumbered();
        if (unnumbered > 0) {
            tally.number(audit.numbers(unnumbered));
        }
        List<RefusalRow> rows = tally.toWrite(System.nanoTime());
        if (!rows.isEmpty()) {
            audit.writeRefusals(rows);
            tally.written(rows);
        }
    }

    /** Writes what waits, and no more. */
    @PreDestroy
    void stop() throws InterruptedException {
        ExecutorService last = writer;
        last.execute(this::writeSafely);
        last.shutdown();
        if (!last.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            last.shutdownNow();
        }
    }
}
