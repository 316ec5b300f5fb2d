package dev.assay.web.provider;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.KeyState;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.store.limit.CallQueries.GroupCalls;
import dev.assay.store.limit.LimitState;
import dev.assay.store.limit.ThrottleState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pools of a provider with their limits, and with what refusals have made of them. */
final class PoolViews {

    /** By models, then by account. That of the account {@code default} has the group's number of calls. */
    private final Map<String, Map<String, ThrottleState>> refusing = new TreeMap<>();

    private final Map<ModelPool, LimitState> limited;
    private final GroupCalls calls;
    private final List<KeyState> keys;

    PoolViews(List<LimitState> limited, List<ThrottleState> throttles, GroupCalls calls, List<KeyState> keys) {
        this.limited = limited.stream().collect(Collectors.toMap(LimitState::pool, Function.identity()));
        this.calls = calls;
        this.keys = keys;
        throttles.forEach(one -> refusing.computeIfAbsent(one.pool().models(), _ -> new TreeMap<>())
                .put(one.pool().account(), one));
    }

    /** The pools that have limits, in that order, and those that refused something or whose calls a person bounded. */
    List<LimitList.PoolView> all(List<LimitState> inOrder) {
        List<ModelPool> shown =
                new ArrayList<>(inOrder.stream().map(LimitState::pool).toList());
        for (Map<String, ThrottleState> accounts : refusing.values()) {
            accounts.values().stream()
                    .map(ThrottleState::pool)
                    .filter(one -> limited.keySet().stream().noneMatch(pool -> pool.isOfGroup(one)))
                    .filter(one -> accounts.size() == 1 || !isGroup(one))
                    .forEach(shown::add);
        }
        return views(shown);
    }

    /** The accounts of its keys. */
    List<String> accounts() {
        List<String> accounts =
                keys.stream().map(key -> key.key().account()).distinct().toList();
        return accounts.isEmpty() ? List.of(ModelPool.DEFAULT_ACCOUNT) : accounts;
    }

    /**
     * The pools that may have limits: those on record, those that are asked, and others, with each account.
     *
     * @param others groups of models
     */
    List<ModelPool> pools(String provider, Stream<String> others) {
        Stream<String> known = Stream.of(
                        limited.keySet().stream().map(ModelPool::models),
                        refusing.keySet().stream(),
                        calls.models().stream(),
                        others)
                .flatMap(models -> models);
        return known.distinct()
                .sorted()
                .flatMap(models -> accounts().stream().map(account -> new ModelPool(provider, account, models)))
                .toList();
    }

    /** These pools. */
    List<LimitList.PoolView> views(List<ModelPool> pools) {
        return pools.stream().map(this::view).toList();
    }

    private LimitList.PoolView view(ModelPool pool) {
        ThrottleState throttle = found(pool, pool.account());
        LimitState limits = limited.get(pool);
        return new LimitList.PoolView(
                pool.account(),
                pool.models(),
                keys.stream()
                        .map(KeyState::key)
                        .filter(key -> key.account().equals(pool.account()))
                        .map(ProviderKey::name)
                        .toList(),
                throttle == null ? null : throttle.blockedUntil(),
                limits == null ? List.of() : LimitList.LimitView.of(limits),
                LimitList.CallsView.of(pool, found(pool, ModelPool.DEFAULT_ACCOUNT), calls),
                (limits == null ? 0 : limits.waiting()) + calls.of(pool).waiting(),
                limits == null ? null : limits.waitingSince(),
                LimitList.RefusalsView.of(throttle));
    }

    private @Nullable ThrottleState found(ModelPool pool, String account) {
        return refusing.getOrDefault(pool.models(), Map.of()).get(account);
    }

    /** Whether it is of all accounts together: it is shown with each of them. */
    private static boolean isGroup(ModelPool pool) {
        return pool.account().equals(ModelPool.DEFAULT_ACCOUNT);
    }
}
