package dev.assay.activities.delivery;

import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.outage.KeyChoice;
import dev.assay.activities.outage.KeyWish;
import dev.assay.activities.outage.Outages;
import dev.assay.activities.provider.ProviderKeys;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.store.cell.CellKey;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The keys of batch calls: those that are enabled, as for live calls. */
@Singleton
public class BatchKeys {

    /** Stands for the key of a provider that needs none. */
    private static final String NONE = "";

    private static final CellKey NOBODY = new CellKey("", 0, CellKind.BRANCH, 0);

    private final Outages outages;
    private final ProviderKeys keys;

    BatchKeys(Outages outages, ProviderKeys keys) {
        this.keys = keys;
        this.outages = outages;
    }

    /** A key with which a batch may be made now; empty: none is enabled, or the provider is away. */
    Optional<String> usable(String provider, String model) {
        return usable(provider, model, null);
    }

    /**
     * The same for a batch whose file lies in the account of a key.
     *
     * @param wanted that key, which is taken where it is enabled; null: any
     */
    Optional<String> usable(String provider, String model, @Nullable String wanted) {
        ModelPool pool = new ModelPool(provider, ModelPool.DEFAULT_ACCOUNT, model);
        if (outages.isHeld(pool)) {
            return Optional.empty();
        }
        KeyChoice choice = outages.choose(pool, NOBODY, new KeyWish(null, othersThan(provider, wanted), Set.of()));
        if (choice == null) {
            return Optional.empty();
        }
        outages.unsent(choice);
        return Optional.of(choice.name() == null ? NONE : choice.name());
    }

    private Set<String> othersThan(String provider, @Nullable String wanted) {
        return wanted == null
                ? Set.of()
                : names(provider).stream().filter(name -> !name.equals(wanted)).collect(Collectors.toSet());
    }

    /** Tells what a batch call met, where it is about its key: other calls then take another one, and this one is probed. */
    void failed(String provider, String model, @Nullable String keyName, CallFailedException why) {
        if (why.sign().refusedKey() == null || keyName == null) {
            return;
        }
        ModelPool pool = new ModelPool(provider, ModelPool.DEFAULT_ACCOUNT, model);
        KeyChoice choice = outages.choose(pool, NOBODY, new KeyWish(null, othersThan(provider, keyName), Set.of()));
        if (choice == null) {
            return;
        }
        if (keyName.equals(choice.name())) {
            outages.begins(pool, NOBODY, choice).failed(why);
        } else {
            outages.unsent(choice);
        }
    }

    /**
     * What the account of a key is known by: what the provider names, else the fingerprint of the key.
     *
     * @param named by the provider; null: it names none
     * @return null: neither is known
     */
    @Nullable
    String account(String provider, @Nullable String keyName, @Nullable String named) {
        if (named != null) {
            return named;
        }
        return keys.of(provider).stream()
                .filter(marked -> marked.key().name().equals(keyName))
                .map(marked -> marked.mark().fingerprint())
                .findFirst()
                .orElse(null);
    }

    /** Names of the keys of a provider of which this process has values. */
    List<String> names(String provider) {
        return keys.of(provider).stream().map(marked -> marked.key().name()).toList();
    }

    /** The name of a usable key; null: the provider needs none. */
    static @Nullable String name(String usable) {
        return usable.equals(NONE) ? null : usable;
    }
}
