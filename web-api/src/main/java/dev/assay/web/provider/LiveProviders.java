package dev.assay.web.provider;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.KeyState;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ManualLimitChange;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.limit.CallQueries;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The providers and models that the live workers together can ask. */
@Singleton
public final class LiveProviders {

    private final ProviderQueries queries;

    private final LimitQueries limits;

    private final ThrottleQueries throttles;

    private final CallQueries calls;

    private final ManualLimits manual;

    private final LimitChanges changes;

    private final KeyStates keys;

    LiveProviders(
            ProviderQueries queries,
            LimitQueries limits,
            ThrottleQueries throttles,
            CallQueries calls,
            ManualLimits manual,
            LimitChanges changes,
            KeyStates keys) {
        this.queries = queries;
        this.limits = limits;
        this.throttles = throttles;
        this.calls = calls;
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
        List<LimitState> limited = limits.of(List.of(name));
        return views(name, limited).all(limited);
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
        PoolViews known = views(name, limits.of(List.of(name)));
        List<ModelPool> pools = known.pools(name, configured(name));
        List<ModelPool> meant = pools.stream().filter(change::isFor).toList();
        if (meant.isEmpty()) {
            throw new AssayException(ErrorCode.NOT_FOUND, noSuchPool(name, pools));
        }
        if (change.calls() != null
                && change.account() != null
                && known.accounts().size() > 1) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "concurrent: the calls in flight are those of all accounts of " + name
                            + " together; leave account out.");
        }
        manual.change(meant, change, who);
        return views(name, limits.changed(List.of(name))).views(meant);
    }

    private PoolViews views(String name, List<LimitState> limited) {
        return new PoolViews(
                limited,
                throttles.of(List.of(name)),
                calls.of(name),
                keys.byProvider().getOrDefault(name, List.of()));
    }

    /** Groups of entries of the settings, and models with a price in no entry. */
    private Stream<String> configured(String name) {
        return queries.required().values().stream()
                .filter(provider -> provider.name().equals(name))
                .flatMap(LiveProviders::groups);
    }

    private static Stream<String> groups(ProviderInfo provider) {
        return Stream.concat(
                provider.limits().stream().map(LimitsInfo::models),
                provider.prices().keySet().stream()
                        .filter(model -> !model.equals("*") && provider.limitsOf(model) == null));
    }

    private static String noSuchPool(String name, List<ModelPool> pools) {
        if (pools.isEmpty()) {
            return "Provider " + name
                    + " has no groups of models: write an entry of limits or prices in providers.yaml.";
        }
        return "Provider " + name + " has no such group of models. Those that exist, by models and account: "
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
