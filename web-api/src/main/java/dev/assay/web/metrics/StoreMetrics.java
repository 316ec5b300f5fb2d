package dev.assay.web.metrics;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.limit.LimitRoom;
import dev.assay.store.health.Census;
import dev.assay.store.health.Census.BatchCount;
import dev.assay.store.health.Census.ProviderState;
import dev.assay.store.health.CensusRepository;
import dev.assay.store.limit.LimitState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads PostgreSQL every 10 s and shows the last reading, so that a scrape neither waits for PostgreSQL nor loads it. Readings
 * older than 30 s are not shown.
 */
@Singleton
public final class StoreMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(StoreMetrics.class);

    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration STALE = Duration.ofSeconds(30);

    /** All models that no settings name. */
    static final String OTHER = "other";

    private final Supplier<Census> store;
    private final MeterRegistry registry;
    private final LongSupplier nanoTime;
    private final MultiGauge providers;
    private final MultiGauge limits;
    private final MultiGauge used;
    private final MultiGauge batches;
    private final PoolGauges pools;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("store-metrics").factory());

    private volatile @Nullable Reading last;

    @Inject
    StoreMetrics(CensusRepository store, MeterRegistry registry) {
        this(store::take, registry, System::nanoTime);
    }

    StoreMetrics(Supplier<Census> store, MeterRegistry registry, LongSupplier nanoTime) {
        this.store = store;
        this.registry = registry;
        this.nanoTime = nanoTime;
        this.providers = MultiGauge.builder("assay.provider.down")
                .description("1 while a provider does not answer, or refuses the keys of all workers, else 0")
                .register(registry);
        this.limits = MultiGauge.builder("assay.limit")
                .description("Units a period that a limit of a pool allows now")
                .register(registry);
        this.batches = MultiGauge.builder("assay.batches")
                .description("Batches of providers in which cells are out")
                .register(registry);
        this.pools = new PoolGauges(registry, value -> value(_ -> value));
        this.used = MultiGauge.builder("assay.limit.used")
                .description("Units of a limit that count now: of the last 62 s, or of the day")
                .register(registry);
    }

    private record Reading(Census census, long nanoTime) {}

    /** Begins to read, in a server that stays. */
    public void start() {
        Gauge.builder("assay.store.up", this, metrics -> metrics.fresh() == null ? 0 : 1)
                .description("1 while PostgreSQL answers the server, 0 when it has not for 30 s")
                .register(registry);
        for (CampaignState state : CampaignState.values()) {
            if (!state.ended()) {
                gauge(
                                "assay.campaigns",
                                null,
                                "Campaigns that have not ended",
                                census -> census.campaigns().getOrDefault(state, 0L))
                        .tag("state", word(state))
                        .register(registry);
            }
        }
        for (Census.CellState state : Census.CellState.values()) {
            gauge(
                            "assay.cells",
                            null,
                            "Cells of campaigns that have not ended",
                            census -> census.cells().getOrDefault(state, 0L))
                    .tag("state", word(state))
                    .register(registry);
        }
        seconds(
                "assay.oldest.open.cell",
                "Age of the oldest open cell: time since its campaign began to go on",
                Census::oldestOpen);
        seconds(
                "assay.longest.idle",
                "Longest time for which a campaign that goes on has recorded nothing",
                Census::longestIdle);
        gauge("assay.workers", null, "Workers whose lease in PostgreSQL holds", Census::workers)
                .register(registry);
        var _ = scheduler.scheduleWithFixedDelay(this::readSafely, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void seconds(String name, String description, Function<Census, Duration> value) {
        gauge(name, "seconds", description, census -> value.apply(census).toMillis() / 1e3)
                .register(registry);
    }

    private Gauge.Builder<StoreMetrics> gauge(
            String name, @Nullable String unit, String description, ToDoubleFunction<Census> value) {
        return Gauge.builder(name, this, metrics -> metrics.value(value))
                .baseUnit(unit)
                .description(description);
    }

    private static String word(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private double value(ToDoubleFunction<Census> of) {
        Census census = fresh();
        return census == null ? Double.NaN : of.applyAsDouble(census);
    }

    private @Nullable Census fresh() {
        Reading reading = last;
        return reading != null && nanoTime.getAsLong() - reading.nanoTime() < STALE.toNanos() ? reading.census() : null;
    }

    void readSafely() {
        try {
            Reading reading = new Reading(store.get(), nanoTime.getAsLong());
            last = reading;
            providers.register(
                    reading.census().providers().stream().map(this::row).toList(), true);
            limits.register(rows(reading.census(), LimitRoom::limit), true);
            used.register(rows(reading.census(), room -> room.limit() - room.free()), true);
            batches.register(reading.census().batches().stream().map(this::row).toList(), true);
            pools.show(reading.census(), Instant.now());
        } catch (RuntimeException | Error e) {
            // An Error would end the schedule silently.
            LOG.debug("The store could not be counted; assay_store_up says so", e);
        }
    }

    private MultiGauge.Row<ProviderState> row(ProviderState provider) {
        // The models of campaigns are no labels: one that a person mistyped would stay for ever.
        Tags tags = Tags.of("provider", provider.provider(), "account", provider.account(), "models", OTHER);
        return MultiGauge.Row.of(tags, provider, state -> value(_ -> state.isDown() ? 1 : 0));
    }

    private MultiGauge.Row<BatchCount> row(BatchCount batches) {
        return MultiGauge.Row.of(
                Tags.of("provider", batches.provider(), "state", word(batches.state())),
                batches,
                one -> value(_ -> one.count()));
    }

    /** Models are patterns of the settings: no campaign can add one. Of the others, whose limits answers say, the fullest is shown. */
    private List<MultiGauge.Row<?>> rows(Census census, ToDoubleFunction<LimitRoom> units) {
        Map<Tags, LimitRoom> rooms = new LinkedHashMap<>();
        for (LimitState pool : census.limits()) {
            Tags tags = Tags.of(
                    "provider",
                    pool.pool().provider(),
                    "account",
                    pool.pool().account(),
                    "models",
                    pool.isNamed() ? pool.pool().models() : OTHER);
            pool.limits()
                    .forEach(room -> rooms.merge(tags.and("limit", room.kind().word()), room, StoreMetrics::fuller));
        }
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        rooms.forEach((tags, room) ->
                rows.add(MultiGauge.Row.of(tags, room, one -> value(_ -> units.applyAsDouble(one)))));
        return rows;
    }

    private static LimitRoom fuller(LimitRoom one, LimitRoom other) {
        return freePart(one) <= freePart(other) ? one : other;
    }

    private static double freePart(LimitRoom room) {
        return (double) room.free() / room.limit();
    }

    /** Reads no more. */
    @PreDestroy
    void stop() {
        scheduler.shutdownNow();
    }
}
