package dev.assay.store.provider;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** Reads what live workers say of themselves. */
@Singleton
public class ProviderQueries {

    private static final TypeReference<List<ProviderInfo>> PROVIDERS = new TypeReference<>() {};

    private final Sql sql;

    ProviderQueries(Sql sql) {
        this.sql = sql;
    }

    /** The workers whose lease has not lapsed, the first to start first, each with the providers that it can ask. */
    @ReadOnly
    public List<LiveWorker> liveWorkers() {
        List<LiveWorker> workers = new ArrayList<>();
        sql.forEach(
                """
                SELECT worker_id, providers FROM worker WHERE worker_is_live(lease_until)
                ORDER BY started_at, worker_id\
                """,
                row -> new LiveWorker(row.getString("worker_id"), Columns.json(row, "providers", PROVIDERS)),
                workers::add);
        return workers;
    }

    /**
     * A worker that is alive.
     *
     * @param id unique per start of a process
     * @param providers what it can ask
     */
    public record LiveWorker(String id, List<ProviderInfo> providers) {

        public LiveWorker {
            providers = List.copyOf(providers);
        }
    }
}
