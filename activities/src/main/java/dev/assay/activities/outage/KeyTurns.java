package dev.assay.activities.outage;

import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.model.CallSign;
import dev.assay.activities.permit.Accounts;
import dev.assay.activities.provider.ProviderKeys;
import dev.assay.activities.provider.ProviderKeys.Marked;
import dev.assay.domain.limit.KeyRotation;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.store.outage.ProbeRepository;
import dev.assay.store.outage.StoredOutage;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of a provider's keys. Each request takes one of those that can go now, by their weights. One that was refused is not
 * among them; a request that takes it all the same probes it, where that is due.
 */
@Singleton
public final class KeyTurns implements Accounts {

    private static final Logger LOG = LoggerFactory.getLogger(KeyTurns.class);

    private final ProviderKeys keys;
    private final KeyWatch watch;
    private final ProbeRepository probes;
    private final WorkerIdentity worker;
    private final Map<String, Turns> byProvider = new ConcurrentHashMap<>();

    KeyTurns(ProviderKeys keys, KeyWatch watch, ProbeRepository probes, WorkerIdentity worker) {
        this.keys = keys;
        this.watch = watch;
        this.probes = probes;
        this.worker = worker;
    }

    /** The turns of one provider's keys, and of those of each account. */
    private static final class Turns {
        private final Map<String, String> accounts = new HashMap<>();
        private final KeyRotation all;
        private final Map<String, KeyRotation> ofAccount = new HashMap<>();

        private Turns(List<ProviderKey> configured) {
            all = rotation(configured, _ -> true);
            for (ProviderKey key : configured) {
                accounts.put(key.name(), key.account());
                ofAccount.computeIfAbsent(
                        key.account(),
                        account -> rotation(configured, other -> other.account().equals(account)));
            }
        }

        private static KeyRotation rotation(List<ProviderKey> keys, Predicate<ProviderKey> which) {
            Map<String, Integer> weights = new LinkedHashMap<>();
            keys.stream().filter(which).forEach(key -> weights.put(key.name(), key.weight()));
            return new KeyRotation(weights);
        }

        /** @param account of which units were taken; null: of none, as nothing is limited */
        synchronized @Nullable String next(@Nullable String account, Set<String> ready) {
            KeyRotation rotation = account == null ? all : ofAccount.get(account);
            return rotation == null ? null : rotation.next(ready);
        }

        /** The account of the key whose turn it is. */
        synchronized @Nullable String nextAccount(Set<String> ready) {
            String name = all.next(ready);
            return name == null ? null : accounts.get(name);
        }
    }

    private Turns turns(String provider) {
        return byProvider.computeIfAbsent(provider, name -> new Turns(keys.configured(name)));
    }

    /** The keys that requests may take: refused ones where there is no other. */
    private List<Marked> ready(String provider, Set<String> without) {
        List<Marked> open = keys.of(provider).stream()
                .filter(key -> !watch.isDraining(key.mark()))
                .toList();
        List<Marked> usable =
                open.stream().filter(key -> watch.isUsable(key.mark())).toList();
        return but(usable.isEmpty() ? open : usable, without);
    }

    /** Those but some; all where there are no others. */
    private static List<Marked> but(List<Marked> all, Set<String> without) {
        List<Marked> others =
                all.stream().filter(key -> !without.contains(key.key().name())).toList();
        return others.isEmpty() ? all : others;
    }

    private static Set<String> names(Collection<Marked> all, @Nullable String account) {
        return all.stream()
                .map(Marked::key)
                .filter(key -> account == null || key.account().equals(account))
                .map(ProviderKey::name)
                .collect(Collectors.toSet());
    }

    @Override
    public List<String> usable(String provider, Set<String> without) {
        if (keys.configured(provider).isEmpty()) {
            return ONE.usable(provider, without);
        }
        List<Marked> ready = ready(provider, without);
        // Where all are drained a request that waits for units is stopped when it has some.
        return (ready.isEmpty() ? keys.of(provider) : ready)
                .stream().map(key -> key.key().account()).distinct().toList();
    }

    @Override
    public String next(String provider, Collection<String> among) {
        Set<String> ready = ready(provider, Set.of()).stream()
                .map(Marked::key)
                .filter(key -> among.contains(key.account()))
                .map(ProviderKey::name)
                .collect(Collectors.toSet());
        String next = turns(provider).nextAccount(ready);
        return next == null ? among.iterator().next() : next;
    }

    /** Whether a key is left that a cell has not tried. */
    boolean hasOther(ModelPool pool, Set<String> tried) {
        return keys.of(pool.provider()).stream()
                .anyMatch(key -> !tried.contains(key.key().name()) && watch.isUsable(key.mark()));
    }

    /**
     * The key of the next request.
     *
     * @param cell whose request it is; null: it probes nothing
     * @return null: none of the wished can be used now
     */
    @Nullable
    KeyChoice choose(ModelPool pool, @Nullable String cell, KeyWish wish) {
        String provider = pool.provider();
        if (keys.of(provider).isEmpty()) {
            return KeyChoice.NONE;
        }
        List<Marked> ready = ready(provider, wish.without());
        KeyChoice probing = cell == null ? null : probing(pool, ready, cell, wish.without());
        if (probing != null) {
            return probing;
        }
        List<Marked> open = ready.stream()
                .filter(key -> !wish.blocked().contains(key.key().account()))
                .toList();
        String name = turns(provider).next(wish.account(), names(open, wish.account()));
        return ready.stream()
                .filter(key -> key.key().name().equals(name))
                .findFirst()
                .map(key -> new KeyChoice(watch.of(key.mark()), key.key().account(), null))
                .orElse(null);
    }

    /** The key of a request that probes nothing, as {@link #choose} says. */
    public @Nullable KeyChoice next(ModelPool pool, KeyWish wish) {
        return choose(pool, null, wish);
    }

    /**
     * The probe of a refused key while others go on. It may have units of another account: nothing else is sent with a key that is
     * refused.
     */
    private @Nullable KeyChoice probing(ModelPool pool, List<Marked> ready, String cell, Set<String> without) {
        if (ready.stream().noneMatch(key -> watch.isUsable(key.mark()))) {
            return null;
        }
        for (Marked key : keys.of(pool.provider())) {
            AskedKey asked = watch.of(key.mark());
            StoredOutage outage =
                    without.contains(key.key().name()) || watch.isDraining(key.mark()) ? null : asked.probeDue(pool);
            if (outage != null && asked.probes(pool)) {
                if (isTaken(outage, cell)) {
                    return new KeyChoice(asked, key.key().account(), outage);
                }
                asked.probed(pool);
            }
        }
        return null;
    }

    private boolean isTaken(StoredOutage outage, String cell) {
        try {
            return probes.take(outage, worker.id(), List.of(cell), true) != null;
        } catch (RuntimeException e) {
            LOG.debug("Nothing probes a key of {} now", outage.pool(), e);
            return false;
        }
    }

    /** The request of a choice has ended, or was not sent. Tells of its probe, if it was one. */
    void ended(KeyChoice choice, CallSign sign, String words, @Nullable Duration retryAfter) {
        StoredOutage outage = choice.probed();
        AskedKey key = choice.key();
        if (outage == null || key == null) {
            return;
        }
        key.probed(outage.pool());
        try {
            // What takes the key has ended its outages already.
            if (sign.isUndecided()) {
                probes.failed(outage, words, retryAfter);
            } else if (!sign.takesKey()) {
                probes.unsent(outage);
            }
        } catch (RuntimeException e) {
            LOG.debug("The end of a probe of a key of {} could not be recorded", outage.pool(), e);
        }
    }
}
