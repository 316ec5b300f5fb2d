package dev.assay.activities.outage;

import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.model.CallSign;
import dev.assay.activities.provider.ProviderKeys;
import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.store.outage.KeyRepository;
import dev.assay.store.outage.SeenKey;
import dev.assay.store.outage.StoredOutage;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys with which this worker asks, and which of them are refused. The pools of a refused key are down. */
@Singleton
class KeyWatch {

    private static final Logger LOG = LoggerFactory.getLogger(KeyWatch.class);

    private final ProviderKeys keys;
    private final KeyRepository store;
    private final WorkerIdentity worker;
    private final InstantSource clock;
    private final Map<String, AskedKey> byProvider = new ConcurrentHashMap<>();

    @Inject
    KeyWatch(ProviderKeys keys, KeyRepository store, WorkerIdentity worker) {
        this(keys, store, worker, Outages.steady());
    }

    KeyWatch(ProviderKeys keys, KeyRepository store, WorkerIdentity worker, InstantSource clock) {
        this.keys = keys;
        this.store = store;
        this.worker = worker;
        this.clock = clock;
    }

    /** The key of a pool's calls as it is now; null: they bear none. */
    @Nullable
    AskedKey of(ModelPool pool) {
        KeyMark key = keys.of(pool.provider());
        return key == null ? null : asked(key);
    }

    /** How that key may be told; null: they bear none. */
    @Nullable
    KeyMark markOf(ModelPool pool) {
        return keys.of(pool.provider());
    }

    private AskedKey asked(KeyMark key) {
        return byProvider.compute(
                key.provider(),
                (_, known) -> known != null && known.key().equals(key) ? known : new AskedKey(key, clock));
    }

    /** Whether nothing is sent to a pool until it is decided whether its key is refused. */
    boolean isHeldBack(ModelPool pool) {
        AskedKey key = of(pool);
        return key != null && key.isHeldBack();
    }

    /**
     * A call with {@code key} has ended.
     *
     * @return whether that must be told at once
     */
    boolean ended(AskedKey key, ModelPool pool, Instant sentAt, CallSign sign, String said) {
        Outage.Reason refused = sign.refusedKey();
        if (refused != null) {
            return key.refused(pool, refused, said);
        }
        boolean isTakenAgain = sign.takesKey() && key.taken(sentAt);
        if (isTakenAgain) {
            takenAgain(key.key().provider(), key.key().id());
        }
        return isTakenAgain;
    }

    private void takenAgain(String provider, String key) {
        try {
            store.taken(provider, key);
            LOG.info("Provider {} takes the key {} again", provider, key);
        } catch (RuntimeException e) {
            LOG.debug("It could not be recorded that the key {} of {} is taken", key, provider, e);
        }
    }

    /** A probe of a pool says that its key is taken again. */
    void takenAgain(StoredOutage outage) {
        if (outage.ofKey() != null) {
            takenAgain(outage.pool().provider(), outage.ofKey().id());
        }
    }

    /** Tells the others which keys this worker has, and which of them were refused. */
    void tell() {
        Map<AskedKey, SeenKey> news = new LinkedHashMap<>();
        for (KeyMark key : keys.all()) {
            AskedKey asked = asked(key);
            SeenKey seen = asked.seen();
            if (seen != null) {
                news.put(asked, seen);
            }
        }
        if (!news.isEmpty()) {
            store.tell(worker.id(), List.copyOf(news.values()));
            news.keySet().forEach(AskedKey::told);
        }
    }

    /**
     * Takes what an exchange says.
     *
     * @param asked the pools that it was about
     * @param outages those of them that are down
     */
    void found(Collection<ModelPool> asked, Collection<StoredOutage> outages) {
        Set<String> providers = asked.stream().map(ModelPool::provider).collect(Collectors.toSet());
        byProvider.forEach((provider, key) -> {
            if (providers.contains(provider)) {
                List<StoredOutage.OfKey> refused = outages.stream()
                        .filter(outage -> outage.isOf(key.key()))
                        .flatMap(outage -> Stream.ofNullable(outage.ofKey()))
                        .toList();
                key.found(!refused.isEmpty(), refused.stream().allMatch(StoredOutage.OfKey::isProbed));
            }
        });
    }
}
