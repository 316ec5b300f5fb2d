package dev.assay.store.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.provider.ProviderQueries.LiveWorker;
import dev.assay.store.worker.WorkerRepository;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@StoreTest
final class ProviderQueriesTest {

    @Test
    void shouldListWorkersWhenTheirLeaseHasNotLapsed(StoreFixture store, ProviderQueries providers) {
        SampleCampaign.registerWorker(store, "alive");
        SampleCampaign.registerWorker(store, "dead");
        store.execute("UPDATE worker SET lease_until = now() - interval '1 day' WHERE worker_id = 'dead'");
        // A lease lasts at least 30 s from the server's start; what is asked here is whether it can lapse after that.
        boolean graceIsOver =
                Boolean.TRUE.equals(store.value("SELECT pg_postmaster_start_time() + interval '30 seconds' < now()"));

        assertThat(providers.liveWorkers()).extracting(LiveWorker::id).contains("alive");
        assertThat(providers.liveWorkers())
                .filteredOn(worker -> worker.id().equals("dead"))
                .hasSize(graceIsOver ? 0 : 1);
        assertThat(providers.liveWorkers().getFirst().providers())
                .containsExactlyElementsOf(SampleCampaign.PROVIDERS.values());
    }

    @Test
    void shouldAllowWhatAnyLiveWorkerAllowsWhenToolsAreAskedFor(ProviderQueries providers, WorkerRepository workers) {
        ToolPolicy.Address address = new ToolPolicy.Address("https://a.example/v1", Map.of("key", "A_KEY"));
        ToolPolicy some = new ToolPolicy(List.of(address), List.of());
        ToolPolicy more = new ToolPolicy(List.of(address), List.of(List.of("npx", "server")));
        for (ToolPolicy policy : List.of(some, more)) {
            String id = "tools-" + policy.commands().size();
            workers.register(new WorkerRepository.Worker(id, "host", 1, "1", List.of(), List.of(), policy, List.of()));
        }

        assertThat(providers.tools()).isEqualTo(more);
        workers.retire("tools-0");
        workers.retire("tools-1");
        assertThat(providers.tools()).isEqualTo(ToolPolicy.NONE);
    }
}
