package dev.assay.activities.provider;

import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.store.installation.InstallationRepository;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The keys that this process has now, as they may be told: files of keys change while it runs. */
@Singleton
public final class ProviderKeys {

    private final ProviderCatalog catalog;
    private final InstallationRepository installation;
    private final Map<String, Map<String, Valued>> byProvider = new ConcurrentHashMap<>();
    private volatile @Nullable String salt;

    private record Valued(ApiKey value, Marked marked) {}

    /** A key with its mark. */
    public record Marked(ProviderKey key, KeyMark mark) {}

    ProviderKeys(ProviderCatalog catalog, InstallationRepository installation) {
        this.catalog = catalog;
        this.installation = installation;
    }

    /** The keys of a provider, in the order of its settings; empty: it needs none, or this process has none. */
    public List<Marked> of(String provider) {
        return catalog.keys(provider).stream()
                .map(held -> marked(provider, held))
                .toList();
    }

    /** What is configured of them, those included of which this process has no values. */
    public List<ProviderKey> configured(String provider) {
        return catalog.configuredKeys(provider);
    }

    private Marked marked(String provider, KeyValues.Held held) {
        Map<String, Valued> byName = byProvider.computeIfAbsent(provider, _ -> new ConcurrentHashMap<>());
        String name = held.key().name();
        Valued known = byName.get(name);
        if (known == null || !known.value().equals(held.value())) {
            KeyMark mark = new KeyMark(provider, name, held.value().fingerprint(salt()));
            known = new Valued(held.value(), new Marked(held.key(), mark));
            byName.put(name, known);
        }
        return known.marked();
    }

    /** Those of all providers. */
    public List<KeyMark> all() {
        return catalog.names().stream()
                .flatMap(provider -> of(provider).stream())
                .map(Marked::mark)
                .toList();
    }

    /** The same key has other fingerprints in other installations. */
    private String salt() {
        String known = salt;
        if (known == null) {
            known = Objects.requireNonNull(installation.id());
            salt = known;
        }
        return known;
    }
}
