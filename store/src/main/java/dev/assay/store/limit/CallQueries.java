package dev.assay.store.limit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.PoolCalls;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;

/** How many calls groups of models may have in flight, and have. */
@Singleton
public class CallQueries {

    private static final String IN_FLIGHT = """
        SELECT c ->> 'models' AS models, sum((c ->> 'inFlight')::bigint) AS in_flight, sum((c ->> 'waiting')::bigint) AS waiting
        FROM worker w CROSS JOIN jsonb_array_elements(w.pool_calls) AS c
        WHERE worker_is_live(w.lease_until) AND c ->> 'provider' = ? GROUP BY c ->> 'models'\
        """;

    private final Sql sql;
    private final CallRanges ranges;

    CallQueries(Sql sql, CallRanges ranges) {
        this.sql = sql;
        this.ranges = ranges;
    }

    /** The calls of groups of a provider. */
    public static final class GroupCalls {

        private final String provider;
        private final CallRanges.Known ranges;
        private final Map<String, PoolCalls> calls;

        private GroupCalls(String provider, CallRanges.Known ranges, Map<String, PoolCalls> calls) {
            this.provider = provider;
            this.ranges = ranges;
            this.calls = calls;
        }

        /** How many a group may have in flight, as a person set it or as live workers are configured. */
        public ConcurrencyRange range(ModelPool pool) {
            return ranges.of(pool);
        }

        /** The groups that are asked now. */
        public Set<String> models() {
            return calls.keySet();
        }

        /** Whether a person set that. */
        public boolean isManual(ModelPool pool) {
            return ranges.manual(pool) != null;
        }

        /** What live workers say, at most a second old. */
        public PoolCalls of(ModelPool pool) {
            return calls.getOrDefault(pool.models(), new PoolCalls(provider, pool.models(), 0, 0));
        }
    }

    /** The calls of a provider. */
    @ReadOnly
    public GroupCalls of(String provider) {
        Map<String, PoolCalls> calls = sql.byKey(
                IN_FLIGHT,
                row -> row.getString("models"),
                row -> new PoolCalls(
                        provider, row.getString("models"), row.getLong("in_flight"), row.getLong("waiting")),
                provider);
        return new GroupCalls(provider, ranges.known(), calls);
    }
}
