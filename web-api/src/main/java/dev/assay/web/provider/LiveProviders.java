package dev.assay.web.provider;

import dev.assay.domain.provider.ProviderInfo;
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

    LiveProviders(ProviderQueries queries) {
        this.queries = queries;
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
