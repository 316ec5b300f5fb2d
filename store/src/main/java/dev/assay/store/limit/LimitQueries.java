package dev.assay.store.limit;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.PoolSpending;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** The limits of providers, as they stand. */
@Singleton
public class LimitQueries {

    /** A worker says four times a second what it waits for. */
    private static final Duration NEWEST = Duration.ofSeconds(1);

    private final LimitsInForce limits;
    private final LimitRows rows;

    LimitQueries(LimitsInForce limits, LimitRows rows) {
        this.limits = limits;
        this.rows = rows;
    }

    /** The pools of these providers that have limits, by provider, models and account. */
    @ReadOnly
    public List<LimitState> of(Collection<String> providers) {
        return among(pool -> providers.contains(pool.provider()));
    }

    /** All pools that have limits, by provider and models. */
    @ReadOnly
    public List<LimitState> all() {
        return among(_ -> true);
    }

    private List<LimitState> among(Predicate<ModelPool> wanted) {
        List<ModelPool> pools = limits.pools().stream()
                .filter(wanted)
                .sorted(Comparator.comparing(ModelPool::provider)
                        .thenComparing(ModelPool::models)
                        .thenComparing(ModelPool::account))
                .toList();
        if (pools.isEmpty()) {
            return List.of();
        }
        Instant now = rows.now();
        LimitRows.Found found = rows.find(pools);
        return pools.stream()
                .map(pool -> state(pool, limits.of(pool), found.of(pool), now))
                .toList();
    }

    /** The same right after limits were changed. */
    @ReadOnly
    public List<LimitState> changed(Collection<String> providers) {
        limits.renew();
        return of(providers);
    }

    private static LimitState state(
            ModelPool pool, LimitsInForce.PoolLimits inForce, LimitRows.PoolRows found, Instant now) {
        PoolSpending spending = PoolSpending.at(now, found.spent(), inForce.units(), inForce.burstSeconds());
        List<LimitRows.Wish> waiting = found.wishes().values().stream()
                .filter(wish -> wish.head() != null)
                .filter(wish -> Duration.between(wish.toldAt(), now).abs().compareTo(NEWEST) <= 0)
                .sorted(Comparator.comparing(LimitRows.Wish::servedAt))
                .toList();
        LimitKind holding = waiting.stream()
                .map(LimitRows.Wish::head)
                .filter(Objects::nonNull)
                .findFirst()
                .map(spending::holding)
                .orElse(null);
        Duration sinceGrant = waiting.stream()
                .map(wish -> Duration.between(wish.servedAt(), now))
                .min(Comparator.naturalOrder())
                .filter(duration -> !duration.isNegative())
                .orElse(Duration.ZERO);
        return new LimitState(
                pool,
                inForce.known(),
                spending.rooms(),
                waiting.stream().mapToLong(LimitRows.Wish::waiting).sum(),
                waiting.stream().map(LimitRows.Wish::servedAt).findFirst().orElse(null),
                holding,
                sinceGrant);
    }
}
