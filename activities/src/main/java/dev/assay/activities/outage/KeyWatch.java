package dev.assay.activities.outage;

import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.model.CallSign;
import dev.assay.activities.provider.ProviderKeys;
import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.store.outage.KeyDecisions;
import dev.assay.store.outage.KeyDecisions.KeyName;
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
    private final KeyDecisions decisions;
    private final Map<KeyName, AskedKey> asked = new ConcurrentHashMap<>();
    private volatile Set<KeyName> draining = Set.of();

    @Inject
    KeyWatch(ProviderKeys keys, KeyRepository store, KeyDecisions decisions, WorkerIdentity worker) {
        this(keys, store, decisions, worker, Outages.steady());
    }

    KeyWatch(
            ProviderKeys keys,
            KeyRepository store,
            KeyDecisions decisions,
            WorkerIdentity worker,
            InstantSource clock) {
        this.keys = keys;
        this.store = store;
        this.decisions = decisions;
        this.worker = worker;
        this.clock = clock;
    }

    /** The keys with which a pool may be asked; empty: without one. */
    List<KeyMark> marksOf(ModelPool pool) {
        return keys.of(pool.provider()).stream().map(ProviderKeys.Marked::mark).toList();
    }

    /** A key with the value of now. */
    AskedKey of(KeyMark key) {
        return asked.compute(
                name(key), (_, known) -> known != null && known.key().equals(key) ? known : new AskedKey(key, clock));
    }

    private static KeyName name(KeyMark key) {
        return new KeyName(key.provider(), key.name());
    }

    /** Whether nothing new is sent with a key, as a person decided. */
    boolean isDraining(KeyMark key) {
        return draining.contains(name(key));
    }

    /** Whether requests may be sent with a key. */
    boolean isUsable(KeyMark key) {
        return !isDraining(key) && of(key).isUsable();
    }

    /** Whether a pool needs a key, and none of those that are here may be used. */
    boolean hasNone(ModelPool pool) {
        List<KeyMark> all = marksOf(pool);
        return !all.isEmpty() && all.stream().noneMatch(this::isUsable);
    }

    /** Whether all keys that are here are drained. Other workers have others. */
    boolean isDrained(ModelPool pool) {
        Set<KeyName> now = draining;
        if (now.isEmpty()) {
            return false;
        }
        List<KeyMark> all = marksOf(pool);
        return !all.isEmpty() && all.stream().allMatch(this::isDraining);
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
            AskedKey one = of(key);
            SeenKey seen = one.seen();
            if (seen != null) {
                news.put(one, seen);
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
     * @param pools that it was about
     * @param outages of these
     */
    void found(Collection<ModelPool> pools, Collection<StoredOutage> outages) {
        draining = decisions.draining();
        Set<String> providers = pools.stream().map(ModelPool::provider).collect(Collectors.toSet());
        asked.forEach((name, key) -> {
            if (providers.contains(name.provider())) {
                List<StoredOutage> own = outages.stream()
                        .filter(outage -> outage.isOf(key.key()))
                        .toList();
                key.refusedIn(own);
                key.found(
                        !own.isEmpty(),
                        own.stream()
                                .flatMap(outage -> Stream.ofNullable(outage.ofKey()))
                                .allMatch(StoredOutage.OfKey::isProbed));
            }
        });
    }
}
