package dev.assay.web.provider;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.KeyState;
import dev.assay.domain.provider.ManualLimitChange;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.limit.LimitChangeRow;
import dev.assay.store.limit.LimitChanges;
import dev.assay.store.limit.LimitQueries;
import dev.assay.store.limit.LimitState;
import dev.assay.store.limit.ManualLimits;
import dev.assay.store.limit.ThrottleQueries;
import dev.assay.store.outage.KeyStates;
import dev.assay.store.page.Page;
import dev.assay.store.provider.ProviderQueries;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The providers and models that the live workers together can ask. */
@Singleton
public final class LiveProviders {

    private final ProviderQueries queries;

    private final LimitQueries limits;

    private final ThrottleQueries throttles;

    private final ManualLimits manual;

    private final LimitChanges changes;

    private final KeyStates keys;

    LiveProviders(
            ProviderQueries queries,
            LimitQueries limits,
            ThrottleQueries throttles,
            ManualLimits manual,
            LimitChanges changes,
            KeyStates keys) {
        this.queries = queries;
        this.limits = limits;
        this.throttles = throttles;
        this.manual = manual;
        this.changes = changes;
        this.keys = keys;
    }

    /**
     * The pools of a provider that have limits, and those that refused something.
     *
     * @throws AssayException NOT_FOUND when no live worker reports it
     */
    List<LimitList.PoolView> limits(String name) {
        checkIsLive(name);
        return new PoolViews(throttles.of(List.of(name))).of(limits.of(List.of(name)));
    }

    /**
     * Changes the limits of pools of a provider.
     *
     * @param who the author
     * @return the changed pools
     * @throws AssayException NOT_FOUND when no live worker reports the provider, or it has no such pool
     */
    List<LimitList.PoolView> change(String name, ManualLimitChange change, String who) {
        checkIsLive(name);
        List<ModelPool> pools =
                limits.of(List.of(name)).stream().map(LimitState::pool).toList();
        List<ModelPool> meant = pools.stream().filter(change::isFor).toList();
        if (meant.isEmpty()) {
            throw new AssayException(ErrorCode.NOT_FOUND, noSuchPool(name, pools));
        }
        manual.change(meant, change, who);
        List<LimitState> changed = limits.changed(List.of(name)).stream()
                .filter(state -> meant.contains(state.pool()))
                .toList();
        return new PoolViews(throttles.of(List.of(name))).views(changed);
    }

    private static String noSuchPool(String name, List<ModelPool> pools) {
        if (pools.isEmpty()) {
            return "Provider " + name + " has no limits: configure some in providers.yaml first.";
        }
        return "Provider " + name + " has no such limits. Those that exist, by models and account: "
                + pools.stream()
                        .map(pool -> pool.models() + " (" + pool.account() + ")")
                        .collect(Collectors.joining(", "))
                + ".";
    }

    /**
     * A page of what changed of a provider's limits, the newest first.
     *
     * @throws AssayException NOT_FOUND when no live worker reports the provider; INVALID_INPUT when the token is none
     */
    Page<LimitChangeRow> changes(String name, @Nullable String pageToken, int pageSize) {
        checkIsLive(name);
        return changes.page(name, pageToken, pageSize);
    }

    private void checkIsLive(String name) {
        boolean isKnown = queries.liveWorkers().stream()
                .flatMap(worker -> worker.providers().stream())
                .anyMatch(provider -> provider.name().equals(name));
        if (!isKnown) {
            throw new AssayException(
                    ErrorCode.NOT_FOUND,
                    "No live worker reports a provider " + name + "; GET /api/v1/providers lists those that exist.");
        }
    }

    /**
     * A provider with its pools.
     *
     * @throws AssayException NOT_FOUND when no live worker reports it
     */
    OneProvider one(String name) {
        List<LimitList.PoolView> pools = limits(name);
        return list().stream()
                .filter(provider -> provider.name().equals(name))
                .map(provider -> OneProvider.of(provider, pools))
                .findFirst()
                .orElseThrow(() -> new AssayException(ErrorCode.NOT_FOUND, "No live worker reports " + name + "."));
    }

    /** What live workers say of programs. */
    List<ProviderList.ProgramsView> programs() {
        return queries.programs().stream().map(ProviderList.ProgramsView::of).toList();
    }

    /** The providers with the number of workers that can ask each, by name; empty when no worker is alive. */
    public List<ProviderView> list() {
        List<ProviderInfo> all = queries.liveWorkers().stream()
                .flatMap(worker -> worker.providers().stream())
                .toList();
        if (all.isEmpty()) {
            return List.of();
        }
        Map<String, Long> workers = all.stream()
                .filter(ProviderInfo::hasKey)
                .collect(Collectors.groupingBy(ProviderInfo::name, Collectors.counting()));
        List<ProviderView> views = new ArrayList<>();
        Map<String, List<KeyState>> states = keys.byProvider();
        queries.required()
                .values()
                .forEach(provider ->
                        views.add(ProviderView.of(provider, workers, states.getOrDefault(provider.name(), List.of()))));
        return views;
    }
}
