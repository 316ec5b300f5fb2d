package dev.assay.activities.delivery;

import dev.assay.activities.outage.KeyChoice;
import dev.assay.activities.outage.KeyWish;
import dev.assay.activities.outage.Outages;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.store.cell.CellKey;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of batch calls: those that are enabled, as for live calls. */
@Singleton
public class BatchKeys {

    /** Stands for the key of a provider that needs none. */
    private static final String NONE = "";

    private static final CellKey NOBODY = new CellKey("", 0, CellKind.BRANCH, 0);

    private final Outages outages;

    BatchKeys(Outages outages) {
        this.outages = outages;
    }

    /** A key with which a batch may be made now; empty: none is enabled, or the provider is away. */
    Optional<String> usable(String provider, String model) {
        ModelPool pool = new ModelPool(provider, ModelPool.DEFAULT_ACCOUNT, model);
        if (outages.isHeld(pool)) {
            return Optional.empty();
        }
        KeyChoice choice = outages.choose(pool, NOBODY, new KeyWish(null, Set.of(), Set.of()));
        if (choice == null) {
            return Optional.empty();
        }
        outages.unsent(choice);
        return Optional.of(choice.name() == null ? NONE : choice.name());
    }

    /** The name of a usable key; null: the provider needs none. */
    static @Nullable String name(String usable) {
        return usable.equals(NONE) ? null : usable;
    }
}
