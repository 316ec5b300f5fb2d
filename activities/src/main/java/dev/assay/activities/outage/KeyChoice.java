package dev.assay.activities.outage;

import dev.assay.store.outage.StoredOutage;
import org.jspecify.annotations.Nullable;

/** The key of one request. */
public final class KeyChoice {

    /** No key: the provider needs none. */
    static final KeyChoice NONE = new KeyChoice(null, null);

    private final @Nullable AskedKey key;
    private final @Nullable StoredOutage probed;

    /** @param probed what the request probes while other keys go on; null: nothing */
    KeyChoice(@Nullable AskedKey key, @Nullable StoredOutage probed) {
        this.key = key;
        this.probed = probed;
    }

    /** Its name; null: there is none. */
    public @Nullable String name() {
        return key == null ? null : key.key().name();
    }

    @Nullable
    AskedKey key() {
        return key;
    }

    @Nullable
    StoredOutage probed() {
        return probed;
    }
}
