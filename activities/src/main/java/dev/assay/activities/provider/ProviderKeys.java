package dev.assay.activities.provider;

import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.store.installation.InstallationRepository;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keys that this process has now, as they may be told: files of keys change while it runs. */
@Singleton
public final class ProviderKeys {

    private final ProviderCatalog catalog;
    private final InstallationRepository installation;
    private final Map<String, Marked> byProvider = new ConcurrentHashMap<>();
    private volatile @Nullable String salt;

    private record Marked(ApiKey key, KeyMark mark) {}

    ProviderKeys(ProviderCatalog catalog, InstallationRepository installation) {
        this.catalog = catalog;
        this.installation = installation;
    }

    /** The key of a provider; null: it needs none, or this process has none. */
    public @Nullable KeyMark of(String provider) {
        ApiKey key = catalog.key(provider);
        if (key == null) {
            return null;
        }
        Marked known = byProvider.get(provider);
        if (known == null || !known.key().equals(key)) {
            known = new Marked(key, new KeyMark(provider, ModelPool.DEFAULT_ACCOUNT, key.fingerprint(salt())));
            byProvider.put(provider, known);
        }
        return known.mark();
    }

    /** Those of all providers. */
    public List<KeyMark> all() {
        return catalog.names().stream()
                .flatMap(provider -> Stream.ofNullable(of(provider)))
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
