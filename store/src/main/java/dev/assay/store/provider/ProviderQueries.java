package dev.assay.store.provider;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The facts that live workers report of themselves. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class ProviderQueries implements QueryRepository {

    private static final TypeReference<List<ProviderInfo>> PROVIDERS = new TypeReference<>() {};

    private final Sql sql;

    ProviderQueries(Sql sql) {
        this.sql = sql;
    }

    /** The workers whose lease has not lapsed, the first to start first, each with the providers that it can ask. */
    @ReadOnly
    public List<LiveWorker> liveWorkers() {
        return sql.list(
                """
                SELECT worker_id, providers FROM worker WHERE worker_is_live(lease_until)
                ORDER BY started_at, worker_id\
                """, row -> new LiveWorker(row.getString("worker_id"), Columns.json(row, "providers", PROVIDERS)));
    }

    /**
     * The providers that live workers can ask, by name. Where workers differ, one that has a key takes precedence, then the one
     * that started first.
     *
     * @throws AssayException NO_WORKER when no worker is alive
     */
    @ReadOnly
    public Map<String, ProviderInfo> required() {
        List<LiveWorker> workers = liveWorkers();
        if (workers.isEmpty()) {
            throw new AssayException(
                    ErrorCode.NO_WORKER,
                    "No worker is running, so no provider can be asked: start one with `assay worker`");
        }
        return of(workers);
    }

    /** As {@link #required}; empty when no worker is alive. */
    @ReadOnly
    public Map<String, ProviderInfo> known() {
        return of(liveWorkers());
    }

    private static Map<String, ProviderInfo> of(List<LiveWorker> workers) {
        Map<String, ProviderInfo> providers = new TreeMap<>();
        workers.stream()
                .flatMap(worker -> worker.providers().stream())
                .forEach(provider -> providers.merge(
                        provider.name(),
                        provider,
                        (known, other) -> known.hasKey() || !other.hasKey() ? known : other));
        return providers;
    }

    /**
     * The joint offer of live workers to a campaign.
     *
     * @throws AssayException NO_WORKER when no worker is alive
     */
    @ReadOnly
    public WorkerCapabilities offer() {
        return new WorkerCapabilities(required(), tools(), new TreeSet<>(strategies()));
    }

    @Query("SELECT DISTINCT unnest(strategies) FROM worker WHERE worker_is_live(lease_until)")
    abstract List<String> strategies();

    /** The joint tool policy of live workers. */
    @ReadOnly
    public ToolPolicy tools() {
        return offers().stream().reduce(ToolPolicy.NONE, ToolPolicy::or);
    }

    /** The different tool policies of live workers. */
    @ReadOnly
    public List<ToolPolicy> offers() {
        return toolPolicies().stream()
                .map(json -> Json.read(json, ToolPolicy.class))
                .toList();
    }

    @Query("SELECT DISTINCT tools FROM worker WHERE worker_is_live(lease_until)")
    abstract List<String> toolPolicies();

    /** What live workers say of programs; workers that have none to start say nothing. The lowest level comes first. */
    @ReadOnly
    public List<ProgramOffer> programs() {
        return sql
                .list(
                        """
                        SELECT tools->'isolation' AS offer, count(*) AS workers FROM worker
                        WHERE worker_is_live(lease_until) AND tools->'isolation'->>'level' IS NOT NULL
                        GROUP BY tools->'isolation'\
                        """,
                        row -> new ProgramOffer(
                                Columns.json(row, "offer", new TypeReference<IsolationOffer>() {}),
                                row.getLong("workers")))
                .stream()
                .sorted(Comparator.comparing(
                                (ProgramOffer offer) -> offer.offer().level())
                        .thenComparing(offer -> String.valueOf(offer.offer().refusal())))
                .toList();
    }

    /** The word of some live workers on programs. */
    public record ProgramOffer(IsolationOffer offer, long workers) {}

    /**
     * A worker that is alive.
     *
     * @param id unique per start of a process
     */
    public record LiveWorker(String id, List<ProviderInfo> providers) {

        public LiveWorker {
            providers = List.copyOf(providers);
        }
    }
}
