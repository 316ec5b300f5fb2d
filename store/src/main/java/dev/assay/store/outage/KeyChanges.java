package dev.assay.store.outage;

import dev.assay.domain.provider.KeyState.Use;
import dev.assay.store.outage.KeyDecisions.KeyName;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Records which keys of a provider are used and which not, beside what changed of its limits. */
@Singleton
final class KeyChanges {

    /** A change that no person made and no worker says whose it was. */
    static final String ASSAY = "assay";

    // A key is of the account that live workers say.
    private static final String RECORD = """
        INSERT INTO limit_change (provider, account, models, name, old_value, new_value, why, who, reason)
        SELECT asked.provider, coalesce((
                   SELECT k ->> 'account' FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p
                   CROSS JOIN jsonb_array_elements(p -> 'keys') AS k
                   WHERE worker_is_live(w.lease_until) AND p ->> 'name' = asked.provider AND k ->> 'name' = asked.key LIMIT 1), 'default'),
               '*', 'key/' || asked.key, ?, ?, 'key', ?, ?
        FROM (SELECT ?::text AS provider, ?::text AS key) AS asked\
        """;

    private final Sql sql;

    KeyChanges(Sql sql) {
        this.sql = sql;
    }

    /**
     * Records a change.
     *
     * @param who the name of a token, or a worker
     * @param reason the words of a person, or AUTH or QUOTA; null: a provider takes the key again
     */
    void record(KeyName key, Use before, Use after, String who, @Nullable String reason) {
        sql.update(RECORD, word(before), word(after), who, reason, key.provider(), key.name());
    }

    private static String word(Use use) {
        return use.name().toLowerCase(Locale.ROOT);
    }
}
