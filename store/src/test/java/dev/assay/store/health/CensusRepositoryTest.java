package dev.assay.store.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.WorkerLoad;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.health.Census.CellState;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.store.worker.WorkerRepository.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CensusRepositoryTest {

    private StoreFixture store;
    private CensusRepository census;
    private CampaignRepository campaigns;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        census = store.get(CensusRepository.class);
        campaigns = store.get(CampaignRepository.class);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    /** 3 cases, 2 branches, 4 trials: 24 cells. */
    private void campaign(String id, CampaignState state, int minutesAgo) {
        campaigns.create(id, new SampleCampaign(id, 3, 2, 4).submission());
        campaigns.transition(id, Set.of(CampaignState.PENDING), state, false, null);
        store.execute(
                "UPDATE campaign SET changed_at = now() - ? * interval '1 minute' WHERE campaign_id = ?",
                minutesAgo,
                id);
    }

    private void done(String id, int cells, int minutesAgo) {
        store.execute("""
            INSERT INTO progress (campaign_id, kind, member, shard, cells_done, counted_at)
            VALUES (?, 'branch', 0, 'a', ?, now() - ? * interval '1 minute')\
            """, id, cells, minutesAgo);
    }

    @Test
    void shouldCountNothingWhenEveryCampaignHasEnded() {
        campaign("ended", CampaignState.CANCELLED, 90);

        Census found = census.take();

        assertThat(found.campaigns()).isEmpty();
        assertThat(found.cells().values()).containsOnly(0L);
        assertThat(found.oldestOpen()).isZero();
        assertThat(found.longestIdle()).isZero();
        assertThat(found.workers()).isZero();
    }

    @Test
    void shouldCountEachOpenCellOnceWhereItStands() {
        campaign("one", CampaignState.RUNNING, 30);
        done("one", 4, 2);
        campaign("two", CampaignState.RUNNING, 10);
        campaign("three", CampaignState.PAUSED, 600);
        done("three", 1, 600);
        store.execute("""
            INSERT INTO cell (campaign_id, ordinal, kind, member, attempts, next_try_at, error_code)
            VALUES ('one', 0, 'branch', 0, 1, now() + interval '1 hour', 'PROVIDER_UNAVAILABLE')\
            """);
        WorkerRepository workers = store.get(WorkerRepository.class);
        for (String id : List.of("here", "gone")) {
            workers.register(new Worker(id, "host", 1, "test", List.of(), List.of()));
            workers.report(
                    id,
                    List.of(new WorkerLoad("one", "openai", 5, 2, 1), new WorkerLoad("two", "openai", 3, 0, 0)),
                    Map.of(),
                    List.of());
        }
        workers.retire("gone");

        Census found = census.take();

        assertThat(found.campaigns()).isEqualTo(Map.of(CampaignState.RUNNING, 2L, CampaignState.PAUSED, 1L));
        assertThat(found.cells())
                .isEqualTo(Map.of(
                        CellState.DONE, 5L,
                        CellState.CALLING, 8L,
                        CellState.PERMIT, 2L,
                        CellState.LIMIT, 0L,
                        CellState.BUDGET, 1L,
                        CellState.RETRY, 1L,
                        CellState.QUEUED, 44L - 12L,
                        CellState.PAUSED, 23L));
        assertThat(found.workers()).isEqualTo(1);
        assertThat(found.oldestOpen()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(32));
        assertThat(found.longestIdle()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(12));
    }
}
