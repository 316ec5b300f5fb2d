package dev.assay.web.provider;

import dev.assay.domain.limit.ModelPool;
import dev.assay.store.limit.LimitState;
import dev.assay.store.limit.ThrottleState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Pools of a provider with what refusals have made of them. */
final class PoolViews {

    /** By models, then by account. That of the account {@code default} has the group's number of calls. */
    private final Map<String, Map<String, ThrottleState>> refusing = new TreeMap<>();

    PoolViews(List<ThrottleState> throttles) {
        throttles.forEach(one -> refusing.computeIfAbsent(one.pool().models(), _ -> new TreeMap<>())
                .put(one.pool().account(), one));
    }

    /** The pools that have limits, and those that refused something. */
    List<LimitList.PoolView> of(List<LimitState> limited) {
        List<LimitList.PoolView> pools = new ArrayList<>(views(limited));
        List<ModelPool> shown = limited.stream().map(LimitState::pool).toList();
        for (Map<String, ThrottleState> accounts : refusing.values()) {
            accounts.values().stream()
                    .filter(one -> shown.stream().noneMatch(pool -> pool.isOfGroup(one.pool())))
                    .filter(one -> accounts.size() == 1 || !isGroup(one))
                    .map(one -> LimitList.PoolView.of(one, accounts.getOrDefault(ModelPool.DEFAULT_ACCOUNT, one)))
                    .forEach(pools::add);
        }
        return pools;
    }

    /** Pools that have limits. */
    List<LimitList.PoolView> views(List<LimitState> limited) {
        return limited.stream()
                .map(state -> LimitList.PoolView.of(
                        state,
                        found(state.pool(), state.pool().account()),
                        found(state.pool(), ModelPool.DEFAULT_ACCOUNT)))
                .toList();
    }

    private @Nullable ThrottleState found(ModelPool pool, String account) {
        return refusing.getOrDefault(pool.models(), Map.of()).get(account);
    }

    /** Whether it is of all accounts together: it is shown with each of them. */
    private static boolean isGroup(ThrottleState state) {
        return state.pool().account().equals(ModelPool.DEFAULT_ACCOUNT);
    }
}
