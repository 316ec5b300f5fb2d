package dev.assay.web.provider;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.store.provider.ProviderQueries.LiveWorker;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the live workers together can ask. */
@Singleton
public final class LiveProviders {

    private final ProviderQueries queries;

    LiveProviders(ProviderQueries queries) {
        this.queries = queries;
    }

    /**
     * The providers by name. Where workers differ, one that has a key counts, then the one that started first.
     *
     * @throws AssayException NO_WORKER when none is alive
     */
    public Map<String, ProviderInfo> required() {
        List<LiveWorker> workers = queries.liveWorkers();
        if (workers.isEmpty()) {
            throw new AssayException(
                    ErrorCode.NO_WORKER,
                    "No worker is running, so no provider can be asked: start one with `assay worker`");
        }
        Map<String, ProviderInfo> providers = new TreeMap<>();
        workers.stream()
                .flatMap(worker -> worker.providers().stream())
                .forEach(provider -> providers.merge(
                        provider.name(),
                        provider,
                        (known, other) -> known.hasKey() || !other.hasKey() ? known : other));
        return providers;
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
        required().values().forEach(provider -> views.add(ProviderView.of(provider, workers)));
        return views;
    }
}
