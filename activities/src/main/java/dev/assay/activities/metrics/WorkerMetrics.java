package dev.assay.activities.metrics;

import dev.assay.activities.permit.LeasedPermits;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The counters of this worker since it started, and its permits now. Labels are providers of this worker's settings, error codes
 * and fixed words. So no campaign can add a series.
 */
@Singleton
public class WorkerMetrics {

    private static final String PROVIDER = "provider";

    /** The result of a call that was answered; of any other it is the error's code. */
    private static final String ANSWERED = "ANSWERED";

    /** The label of providers that this worker's settings do not name. */
    static final String OTHER = "other";

    private static final Duration[] CALL_SECONDS = Arrays.stream(
                    new long[] {100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000})
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final LeasedPermits permits;
    private final Set<String> providers = new LinkedHashSet<>(AgentKinds.providers());
    private final Counter selections;
    private final Counter fallbacks;

    public WorkerMetrics(MeterRegistry registry, ProviderCatalog catalog, LeasedPermits permits) {
        this.registry = registry;
        this.permits = permits;
        catalog.infos().forEach((name, provider) -> {
            providers.add(name);
            if (provider.hasKey()) {
                begin(name);
                permitsOf(PermitPool.provider(name), name);
                unitsOf(name);
            }
        });
        AgentKinds.providers().forEach(this::begin);
        selections = counter(
                        "assay.judge.selections", "Trials that judges were asked about and a selection recorded for")
                .register(registry);
        fallbacks = counter(
                        "assay.judge.fallbacks",
                        "Of the selections by judges, the ones that no judge decided: a default was taken")
                .register(registry);
    }

    /** Shows the counters of a provider before its first call. Otherwise a first event would look like no increase. */
    private void begin(String provider) {
        calls(provider, ANSWERED);
        used(provider, Usage.NONE);
        cost(provider);
        unpriced(provider);
        unknownUsage(provider);
        for (ErrorCode code : ErrorCode.values()) {
            if (code.kind() == ErrorCode.Kind.MODEL && code.retryable()) {
                retries(provider, code);
            }
        }
    }

    private void permitsOf(PermitPool pool, String provider) {
        Gauge.builder("assay.permits.held", permits, all -> all.held(pool))
                .description("Permits of the provider that this worker has leased, used or not")
                .tag(PROVIDER, provider)
                .register(registry);
        Gauge.builder("assay.permits.awaited", permits, all -> all.awaited(pool))
                .description("Cells of this worker that wait for a place or a permit to ask the provider")
                .tag(PROVIDER, provider)
                .register(registry);
    }

    private void unitsOf(String provider) {
        Gauge.builder("assay.limit.awaited", permits, all -> all.awaitedUnits(provider))
                .description("Cells of this worker that wait for units of the provider's limits")
                .tag(PROVIDER, provider)
                .register(registry);
        for (LimitKind kind : LimitKind.values()) {
            FunctionCounter.builder("assay.limit.units", permits, all -> all.spentUnits(provider, kind))
                    .description("Units of limits that were charged, those that came back taken off")
                    .tag(PROVIDER, provider)
                    .tag("limit", kind.word())
                    .register(registry);
        }
    }

    /**
     * A request has ended.
     *
     * @param failure why it was not answered; null: it was
     * @param nanos from when it was sent, its permit in hand, at least 0
     */
    public void called(String provider, @Nullable ErrorCode failure, long nanos) {
        calls(provider, failure == null ? ANSWERED : failure.name()).record(Duration.ofNanos(nanos));
    }

    /** A request was refused. What is refused for another reason than those that a person can mend is a failed call alone. */
    public void refused(String provider, Refusal refusal) {
        if (refusal.kind() != Refusal.Kind.OTHER) {
            refusals(provider, refusal.kind()).increment();
        }
    }

    /** An answer's tokens and cost. */
    public void answered(String provider, Measured measured) {
        used(provider, measured.usage());
        if (measured.usage().missing()) {
            unknownUsage(provider).increment();
        }
        if (measured.costUsd() == null) {
            unpriced(provider).increment();
        } else {
            cost(provider).increment(measured.costUsd().doubleValue());
        }
    }

    /** A cell is tried again later because of {@code failure}. */
    public void retried(String provider, ErrorCode failure) {
        retries(provider, failure).increment();
    }

    /** A selection was recorded. */
    public void selected(Selection selection) {
        if (!selection.votes().isEmpty()) {
            selections.increment();
            if (selection.fallback()) {
                fallbacks.increment();
            }
        }
    }

    private Timer calls(String provider, String result) {
        return Timer.builder("assay.calls")
                .description("Requests that were sent to models, and the time until they ended")
                .tag(PROVIDER, known(provider))
                .tag("result", result)
                .serviceLevelObjectives(CALL_SECONDS)
                .register(registry);
    }

    private void used(String provider, Usage usage) {
        count(tokens(provider, "input"), usage.input());
        count(tokens(provider, "output"), usage.output());
    }

    private static void count(Counter counter, @Nullable Long tokens) {
        if (tokens != null) {
            counter.increment((double) tokens);
        }
    }

    private Counter tokens(String provider, String kind) {
        return counter("assay.tokens", "Tokens of answered requests, as providers count them")
                .tag(PROVIDER, known(provider))
                .tag("kind", kind)
                .register(registry);
    }

    private Counter cost(String provider) {
        return counter("assay.cost", "Cost of answered requests whose price is known, in US dollars")
                .baseUnit("usd")
                .tag(PROVIDER, known(provider))
                .register(registry);
    }

    private Counter unknownUsage(String provider) {
        return counter("assay.unknown.usage.calls", "Answered requests that did not report their usage completely")
                .tag(PROVIDER, known(provider))
                .register(registry);
    }

    private Counter unpriced(String provider) {
        return counter("assay.unpriced.calls", "Answered requests whose cost is not known")
                .tag(PROVIDER, known(provider))
                .register(registry);
    }

    private Counter retries(String provider, ErrorCode failure) {
        return counter("assay.retries", "Attempts at cells that failed and are made again")
                .tag(PROVIDER, known(provider))
                .tag("error", failure.name())
                .register(registry);
    }

    private Counter refusals(String provider, Refusal.Kind kind) {
        return counter("assay.refusals", "Requests that providers refused")
                .tag(PROVIDER, known(provider))
                .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private static Counter.Builder counter(String name, String description) {
        return Counter.builder(name).description(description);
    }

    private String known(String provider) {
        return providers.contains(provider) ? provider : OTHER;
    }
}
