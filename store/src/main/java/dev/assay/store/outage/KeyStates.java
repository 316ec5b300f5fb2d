package dev.assay.store.outage;

import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.provider.KeyState;
import dev.assay.domain.provider.KeyState.Decision;
import dev.assay.domain.provider.KeyState.Value;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.store.outage.KeyDecisions.KeyName;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys that live workers are configured with, and whether they are used. */
@Singleton
public class KeyStates {

    // Where workers differ, the one that started first counts.
    private static final String CONFIGURED = """
        SELECT p ->> 'name' AS provider, k.key ->> 'name' AS name, k.key ->> 'variable' AS variable,
               (k.key ->> 'weight')::integer AS weight, k.key ->> 'account' AS account
        FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p
        CROSS JOIN jsonb_array_elements(p -> 'keys') WITH ORDINALITY AS k (key, place)
        WHERE worker_is_live(w.lease_until) ORDER BY p ->> 'name', w.started_at, w.worker_id, k.place\
        """;

    private static final String VALUES = """
        SELECT u.provider, u.key_name, u.fingerprint, count(*) AS workers, max(r.reason) AS reason, min(r.since) AS since
        FROM key_use u JOIN worker w ON w.worker_id = u.worker_id AND worker_is_live(w.lease_until)
        LEFT JOIN LATERAL (
            SELECT max(o.reason) AS reason, min(o.since) AS since FROM outage o
            WHERE o.provider = u.provider AND o.key = u.key_name || '/' || u.fingerprint) AS r ON true
        GROUP BY u.provider, u.key_name, u.fingerprint ORDER BY u.provider, u.key_name, workers DESC, u.fingerprint\
        """;

    private static final String DECIDED =
            "SELECT provider, key_name, state, reason, since FROM provider_key WHERE state = 'draining'";

    private final Sql sql;

    KeyStates(Sql sql) {
        this.sql = sql;
    }

    /** The keys of all providers, by provider, in the order of their settings. */
    @ReadOnly
    public Map<String, List<KeyState>> byProvider() {
        Map<KeyName, List<Value>> values = new HashMap<>();
        sql.forEach(
                VALUES,
                row -> Map.entry(name(row, "key_name"), value(row)),
                one -> values.computeIfAbsent(one.getKey(), _ -> new ArrayList<>())
                        .add(one.getValue()));
        Map<KeyName, Decision> decided = new HashMap<>();
        sql.forEach(
                DECIDED,
                row -> Map.entry(
                        name(row, "key_name"), new Decision(row.getString("reason"), Columns.instant(row, "since"))),
                one -> decided.put(one.getKey(), one.getValue()));
        Map<KeyName, ProviderKey> configured = new LinkedHashMap<>();
        sql.forEach(
                CONFIGURED,
                row -> Map.entry(name(row, "name"), key(row)),
                one -> configured.putIfAbsent(one.getKey(), one.getValue()));
        Map<String, List<KeyState>> states = new LinkedHashMap<>();
        configured.forEach((name, key) -> states.computeIfAbsent(name.provider(), _ -> new ArrayList<>())
                .add(KeyState.of(key, values.getOrDefault(name, List.of()), decided.get(name))));
        return states;
    }

    private static KeyName name(ResultSet row, String column) throws SQLException {
        return new KeyName(row.getString("provider"), row.getString(column));
    }

    private static ProviderKey key(ResultSet row) throws SQLException {
        return new ProviderKey(
                row.getString("name"), row.getString("variable"), row.getInt("weight"), row.getString("account"));
    }

    private static Value value(ResultSet row) throws SQLException {
        String reason = row.getString("reason");
        return new Value(
                row.getString("fingerprint"),
                reason == null ? null : Outage.Reason.valueOf(reason),
                Columns.instantOrNull(row, "since"),
                row.getLong("workers"));
    }
}
