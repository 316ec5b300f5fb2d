package dev.assay.web.provider;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.limit.LimitQueries;
import dev.assay.store.provider.ProviderQueries;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The providers and models that the live workers together can ask. */
@Singleton
public final class LiveProviders {

    private final ProviderQueries queries;

    private final LimitQueries limits;

    LiveProviders(ProviderQueries queries, LimitQueries limits) {
        this.queries = queries;
        this.limits = limits;
    }

    /**
     * The pools of a provider that have limits.
     *
     * @throws AssayException NOT_FOUND when no live worker reports it
     */
    List<LimitList.PoolView> limits(String name) {
        boolean isKnown = queries.liveWorkers().stream()
                .flatMap(worker -> worker.providers().stream())
                .anyMatch(provider -> provider.name().equals(name));
        if (!isKnown) {
            throw new AssayException(
                    ErrorCode.NOT_FOUND,
                    "No live worker reports a provider " + name + "; GET /api/v1/providers lists those that exist.");
        }
        return limits.of(List.of(name)).stream().map(LimitList.PoolView::of).toList();
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
        queries.required().values().forEach(provider -> views.add(ProviderView.of(provider, workers)));
        return views;
    }
}
