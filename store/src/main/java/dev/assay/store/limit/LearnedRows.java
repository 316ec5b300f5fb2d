package dev.assay.store.limit;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of limits that answers have said. */
@Singleton
class LearnedRows {

    private static final String ALL = "SELECT provider, account, models, name, units FROM limit_learned";

    // Names of models are written by users, and answers by strangers: a provider has a thousand rows at most.
    private static final String PUT = """
        INSERT INTO limit_learned AS l (provider, account, models, name, units, learned_at)
        SELECT asked.provider, asked.account, asked.models, asked.name, asked.units, clock_timestamp()
        FROM (SELECT ?::text AS provider, ?::text AS account, ?::text AS models, ?::text AS name, ?::bigint AS units) AS asked
        WHERE (SELECT count(*) FROM limit_learned o WHERE o.provider = asked.provider) < 1000
           OR EXISTS (SELECT FROM limit_learned o WHERE o.provider = asked.provider AND o.account = asked.account
                      AND o.models = asked.models AND o.name = asked.name)
        ON CONFLICT (provider, account, models, name) DO UPDATE SET units = excluded.units, learned_at = excluded.learned_at
        WHERE l.units <> excluded.units\
        """;

    private final Sql sql;

    LearnedRows(Sql sql) {
        this.sql = sql;
    }

    /** The limits of all pools. Those that only a later build knows are left out. */
    Map<ModelPool, Map<LimitKind, Long>> all() {
        Map<ModelPool, Map<LimitKind, Long>> all = new HashMap<>();
        sql.forEach(ALL, row -> new Row(LimitRows.pool(row), row.getString("name"), row.getLong("units")), row -> {
            LimitKind kind = LimitKind.byWord().get(row.name());
            if (kind != null) {
                all.computeIfAbsent(row.pool(), _ -> new EnumMap<>(LimitKind.class))
                        .put(kind, row.units());
            }
        });
        return all;
    }

    private record Row(ModelPool pool, String name, long units) {}

    /** Records what answers have said. */
    void put(ModelPool pool, List<ThrottleReport.Learned> learned) {
        sql.batch(
                PUT,
                learned,
                one -> Sql.row(
                        pool.provider(),
                        pool.account(),
                        pool.models(),
                        one.kind().word(),
                        one.limit()));
    }
}
