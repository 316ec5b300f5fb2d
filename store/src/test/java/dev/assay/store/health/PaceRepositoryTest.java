package dev.assay.store.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.health.WorkerLoad;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.health.PaceRepository.WaitingCampaigns;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.store.worker.WorkerRepository.Worker;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PaceRepositoryTest {

    private static final String ID = "pace";

    private StoreFixture store;
    private PaceRepository paces;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        paces = store.get(PaceRepository.class);
        store.get(CampaignRepository.class).create(ID, new SampleCampaign(ID, 1, 1, 1).submission());
        changed(3_600);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private void changed(int secondsAgo) {
        store.execute("UPDATE campaign SET changed_at = now() - ? * interval '1 second'", secondsAgo);
    }

    private void span(int secondsAgo, int width, int cells) {
        store.execute("""
            INSERT INTO series (campaign_id, shard, starts_at, width_s, cells, passed, failed, busy_ms)
            VALUES (?, 'a', now() - ? * interval '1 second', ?, ?, 0, 0, 0)\
            """, ID, secondsAgo, width, cells);
    }

    @Test
    void shouldCountTheSpansOfTheLastFiveMinutes() {
        span(1_000, 16, 500);
        span(250, 16, 30);
        span(100, 16, 12);

        assertThat(paces.of(ID).closed()).isEqualTo(42);
        assertThat(paces.of(ID).windowMs()).isBetween(299_900L, 300_100L);
    }

    @Test
    void shouldCountTheLaterPartOfALongSpan() {
        // It began 600 s ago and goes on: the half of it is in the window.
        span(600, 1_024, 100);

        assertThat(paces.of(ID).closed()).isCloseTo(50, within(1.0));
    }

    @Test
    void shouldBeginAnewWhenACampaignGoesOn() {
        span(200, 16, 500);
        span(20, 16, 7);
        changed(60);

        assertThat(paces.of(ID).closed()).isEqualTo(7);
        assertThat(paces.of(ID).windowMs()).isBetween(59_900L, 62_000L);
        assertThat(paces.of("unknown").windowMs()).isZero();
    }

    @Test
    void shouldCountTheCampaignsThatWaitAtAProvider() {
        WorkerRepository workers = store.get(WorkerRepository.class);
        for (String id : List.of("one", "two", "gone")) {
            workers.register(new Worker(id, "host", 1, "test", List.of(), List.of()));
            workers.report(
                    id,
                    List.of(
                            new WorkerLoad(id.equals("gone") ? "third" : "a", "openai", 5, 2, 0),
                            new WorkerLoad("b", "openai", 0, 1, 0),
                            new WorkerLoad("c", "openai", 3, 0, 0)),
                    Map.of(),
                    List.of());
        }
        workers.retire("gone");

        assertThat(paces.waiting()).containsExactly(new WaitingCampaigns("openai", 2));
    }
}
