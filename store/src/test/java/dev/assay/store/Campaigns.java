package dev.assay.store;

import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.worker.WorkerRepository;
import java.util.List;

/** Rows that tests of running cells need: campaigns without a definition, and workers. */
public final class Campaigns {

    private Campaigns() {}

    /** A RUNNING campaign in epoch 1 with 10 cases, 10 trials and one branch. */
    public static String running(StoreFixture store, String id) {
        store.execute("INSERT INTO suite (suite_id, name, case_count) VALUES ('s', 's', 10) ON CONFLICT DO NOTHING");
        store.execute("""
            INSERT INTO campaign (campaign_id, name, suite_id, case_count, trials, definition, state, max_concurrent)
            VALUES (?, ?, 's', 10, 10, '{}', 'RUNNING', 10)\
            """, id, id);
        return id;
    }

    /** A worker with a lease. */
    public static String worker(WorkerRepository workers, String id) {
        workers.register(new WorkerRepository.Worker(id, "host", 1, "test", List.of("assay"), List.<ProviderInfo>of()));
        return id;
    }
}
