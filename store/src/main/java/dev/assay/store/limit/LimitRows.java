package dev.assay.store.limit;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Spending;
import dev.assay.domain.limit.Units;
import dev.assay.store.limit.UnitRepository.Settled;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of pools that have limits. */
@Singleton
class LimitRows {

    private static final String NOW = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

    private static final String SPENT = """
        SELECT provider, account, models, name, units, burst_seconds,
               (extract(epoch FROM reckoned_at) * 1000)::bigint AS reckoned, credit, slots, slot_units,
               (extract(epoch FROM shared_at) * 1000)::bigint AS shared
        FROM limit_spending
        WHERE (provider, account, models) IN (SELECT * FROM unnest(?::text[], ?::text[], ?::text[])) AND name = ANY (?::text[])\
        """;

    private static final String WISHES = """
        SELECT provider, account, models, worker_id, waiting, urgent, requests, input, output, tokens,
               (extract(epoch FROM told_at) * 1000)::bigint AS told, (extract(epoch FROM served_at) * 1000)::bigint AS served,
               corrected
        FROM limit_wish WHERE (provider, account, models) IN (SELECT * FROM unnest(?::text[], ?::text[], ?::text[]))\
        """;

    // Of workers that have long ended, or want nothing. What one sends twice it sends within seconds.
    private static final String FORGET = "DELETE FROM limit_wish WHERE told_at < clock_timestamp() - interval '1 hour'";

    private static final String BEGIN = """
        INSERT INTO limit_spending (provider, account, models, name, units, burst_seconds, reckoned_at, credit, slots, slot_units,
                                    shared_at)
        SELECT provider, account, models, name, units, burst, timestamptz '1970-01-01 00:00+00' + at * interval '1 millisecond',
               credit, slots::bigint[], slot_units::bigint[], timestamptz '1970-01-01 00:00+00' + shared * interval '1 millisecond'
        FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::integer[], ?::bigint[], ?::bigint[],
                    ?::text[], ?::text[], ?::bigint[])
             AS spent (provider, account, models, name, units, burst, at, credit, slots, slot_units, shared)
        ON CONFLICT (provider, account, models, name) DO NOTHING\
        """;

    private static final String SPEND = BEGIN.replace("DO NOTHING", """
        DO UPDATE
        SET units = excluded.units, burst_seconds = excluded.burst_seconds, reckoned_at = excluded.reckoned_at,
            credit = excluded.credit, slots = excluded.slots, slot_units = excluded.slot_units, shared_at = excluded.shared_at\
        """);

    private static final String WISH = """
        INSERT INTO limit_wish (provider, account, models, worker_id, waiting, urgent, requests, input, output, tokens,
                                told_at, served_at, corrected)
        SELECT provider, account, models, ?, waiting, urgent::boolean, requests, input, output, tokens,
               timestamptz '1970-01-01 00:00+00' + told * interval '1 millisecond',
               timestamptz '1970-01-01 00:00+00' + served * interval '1 millisecond', corrected
        FROM unnest(?::text[], ?::text[], ?::text[], ?::integer[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[],
                    ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
             AS wish (provider, account, models, waiting, urgent, requests, input, output, tokens, told, served, corrected)
        ON CONFLICT (provider, account, models, worker_id) DO UPDATE
        SET waiting = excluded.waiting, urgent = excluded.urgent, requests = excluded.requests, input = excluded.input,
            output = excluded.output, tokens = excluded.tokens, told_at = excluded.told_at, served_at = excluded.served_at,
            corrected = excluded.corrected\
        """;

    // All units of a minute count as spent: nobody knows what was sent in the time that is lost.
    private static final String FILL = """
        UPDATE limit_spending SET reckoned_at = greatest(reckoned_at, clock_timestamp()), credit = least(credit, 0),
            slots = ARRAY[floor(extract(epoch FROM greatest(reckoned_at, clock_timestamp())) * 2)::bigint], slot_units = ARRAY[units]
        WHERE name LIKE '%PerMinute'\
        """;

    /** A later build may know more limits. It keeps those itself. */
    private static final Set<String> KNOWN = LimitKind.byWord().keySet();

    private final Sql sql;

    LimitRows(Sql sql) {
        this.sql = sql;
    }

    /** What is on record, by pool. */
    static final class Found {
        private final Map<ModelPool, PoolRows> pools = new HashMap<>();

        PoolRows of(ModelPool pool) {
            return pools.computeIfAbsent(pool, _ -> new PoolRows());
        }
    }

    /** What is known of one pool. */
    static final class PoolRows {
        private final Map<LimitKind, Spending> spent = new EnumMap<>(LimitKind.class);
        private final Map<String, Wish> wishes = new TreeMap<>();

        Map<LimitKind, Spending> spent() {
            return spent;
        }

        /** The wishes of workers by their ids, old ones too. */
        Map<String, Wish> wishes() {
            return wishes;
        }
    }

    /** @param head the first request that waits; null: none does */
    record Wish(
            String workerId,
            int waiting,
            boolean isUrgent,
            @Nullable Units head,
            Instant toldAt,
            Instant servedAt,
            long corrected) {}

    /** PostgreSQL's time. Read under the locks of the pools, it grows from exchange to exchange. */
    Instant now() {
        return Instant.ofEpochMilli(sql.first(NOW, row -> row.getLong(1)).orElseThrow());
    }

    /** What is on record. To be read under the locks of the pools. */
    Found find(List<ModelPool> pools) {
        Found found = new Found();
        List<String> providers = pools.stream().map(ModelPool::provider).toList();
        List<String> accounts = pools.stream().map(ModelPool::account).toList();
        List<String> models = pools.stream().map(ModelPool::models).toList();
        sql.forEach(
                SPENT,
                row -> Map.entry(pool(row), spending(row)),
                spent -> found.of(spent.getKey()).spent.put(spent.getValue().kind(), spent.getValue()),
                providers,
                accounts,
                models,
                KNOWN);
        sql.forEach(
                WISHES,
                row -> Map.entry(pool(row), wish(row)),
                wish -> found.of(wish.getKey()).wishes.put(wish.getValue().workerId(), wish.getValue()),
                providers,
                accounts,
                models);
        return found;
    }

    private static LimitKind kind(ResultSet row) throws SQLException {
        return requireNonNull(LimitKind.byWord().get(row.getString("name")));
    }

    /** The pool of a row that names it. */
    static ModelPool pool(ResultSet row) throws SQLException {
        return new ModelPool(row.getString("provider"), row.getString("account"), row.getString("models"));
    }

    private static Spending spending(ResultSet row) throws SQLException {
        SortedMap<Long, Long> slots = new TreeMap<>();
        Long[] numbers = (Long[]) row.getArray("slots").getArray();
        Long[] units = (Long[]) row.getArray("slot_units").getArray();
        for (int i = 0; i < numbers.length; i++) {
            slots.put(numbers[i], units[i]);
        }
        return new Spending(
                kind(row),
                row.getLong("units"),
                row.getInt("burst_seconds"),
                Instant.ofEpochMilli(row.getLong("reckoned")),
                row.getLong("credit"),
                slots,
                Instant.ofEpochMilli(row.getLong("shared")));
    }

    private static Wish wish(ResultSet row) throws SQLException {
        long requests = row.getLong("requests");
        Units head = row.wasNull()
                ? null
                : new Units(requests, row.getLong("input"), row.getLong("output"), row.getLong("tokens"));
        return new Wish(
                row.getString("worker_id"),
                row.getInt("waiting"),
                row.getBoolean("urgent"),
                head,
                Instant.ofEpochMilli(row.getLong("told")),
                Instant.ofEpochMilli(row.getLong("served")),
                row.getLong("corrected"));
    }

    /** Records the states of pools after a worker has asked. Of limits of which nothing was spent or returned there is nothing to write. */
    void record(String workerId, List<Settled> settled) {
        if (settled.stream().anyMatch(Settled::isNew)) {
            sql.update(FORGET);
        }
        List<Spent> spent = new ArrayList<>();
        settled.stream()
                .filter(Settled::isChanged)
                .forEach(one -> one.spending().limits().values().forEach(all -> spent.add(new Spent(one.pool(), all))));
        if (!spent.isEmpty()) {
            spend(SPEND, spent);
        }
        wish(workerId, settled);
    }

    private record Spent(ModelPool pool, Spending spending) {}

    /** Writes what was spent of a limit of which nothing is on record. To be called under the lock of its pool. */
    void begin(ModelPool pool, Spending spending) {
        spend(BEGIN, List.of(new Spent(pool, spending)));
    }

    private void spend(String statement, List<Spent> all) {
        sql.update(
                statement,
                column(all, one -> one.pool().provider()),
                column(all, one -> one.pool().account()),
                column(all, one -> one.pool().models()),
                column(all, one -> one.spending().kind().word()),
                column(all, one -> one.spending().limit()),
                column(all, one -> one.spending().burstSeconds()),
                column(all, one -> one.spending().at().toEpochMilli()),
                column(all, one -> one.spending().credit()),
                column(all, one -> array(one.spending().slots().keySet())),
                column(all, one -> array(one.spending().slots().values())),
                column(all, one -> one.spending().sharedAt().toEpochMilli()));
    }

    private void wish(String workerId, List<Settled> all) {
        sql.update(
                WISH,
                workerId,
                column(all, one -> one.pool().provider()),
                column(all, one -> one.pool().account()),
                column(all, one -> one.pool().models()),
                column(all, Settled::waiting),
                column(all, one -> String.valueOf(one.request().isUrgent())),
                head(all, Units::requests),
                head(all, Units::input),
                head(all, Units::output),
                head(all, Units::tokens),
                column(all, one -> one.now().toEpochMilli()),
                column(all, one -> one.served().toEpochMilli()),
                column(all, Settled::corrected));
    }

    private static <T, C> List<C> column(List<T> rows, Function<T, C> value) {
        return rows.stream().map(value).toList();
    }

    /** Null of those of which nothing waits. */
    private static Collection<@Nullable String> head(List<Settled> rows, ToLongFunction<Units> units) {
        List<@Nullable String> column = new ArrayList<>();
        for (Settled row : rows) {
            Units head = row.head();
            column.add(head == null ? null : String.valueOf(units.applyAsLong(head)));
        }
        return column;
    }

    private static String array(Collection<Long> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }

    /** Fills the windows of all limits of a minute. */
    void fill() {
        sql.update(FILL);
    }
}
