package dev.assay.activities.outage;

import dev.assay.domain.limit.ModelPool;
import dev.assay.store.outage.StoredOutage;
import org.jspecify.annotations.Nullable;

/** The key of one request. */
public final class KeyChoice {

    /** No key: the provider needs none. */
    static final KeyChoice NONE = new KeyChoice(null, ModelPool.DEFAULT_ACCOUNT, null);

    private final @Nullable AskedKey key;
    private final String account;
    private final @Nullable StoredOutage probed;

    /** @param probed what the request probes while other keys go on; null: nothing */
    KeyChoice(@Nullable AskedKey key, String account, @Nullable StoredOutage probed) {
        this.key = key;
        this.account = account;
        this.probed = probed;
    }

    /** Its name; null: there is none. */
    public @Nullable String name() {
        return key == null ? null : key.key().name();
    }

    /** What the provider counts its requests for. */
    public String account() {
        return account;
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
