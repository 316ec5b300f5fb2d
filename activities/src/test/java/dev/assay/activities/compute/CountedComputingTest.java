package dev.assay.activities.compute;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.health.ComputeKillRepository;
import dev.assay.work.compute.Answered;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.FillTask;
import dev.assay.work.compute.Stop;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.compute.pool.ComputeSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is recorded of killed computations, with real processes and PostgreSQL. */
@Tag("slow")
class CountedComputingTest {

    private static final String ID = "capitals-1";
    private static final String BOMB = "{{ n|round(30000000) }}";

    /** More than a process takes to load its classes. */
    private static final Duration CPU = Duration.ofSeconds(2);

    private static final Duration LONG = Duration.ofSeconds(60);

    private StoreFixture store;
    private ComputePool pool;
    private CountedComputing computing;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        CampaignRepository campaigns = store.get(CampaignRepository.class);
        campaigns.create(ID, new SampleCampaign("capitals", 3, 2, 4).submission());
        campaigns.transition(ID, Set.of(CampaignState.PENDING), CampaignState.RUNNING, false, null);
        pool = new ComputePool(new ComputeSettings(1, 256, CPU, LONG, LONG, List.of()));
        computing = new CountedComputing(pool, store.get(ComputeKillRepository.class));
    }

    @AfterEach
    void stop() {
        pool.close();
        store.close();
    }

    private Computed<Answered> fill(String queue, String template) throws InterruptedException {
        return computing
                .run(queue, new FillTask(List.of(template), Map.of("n", IntNode.valueOf(1)), false))
                .getFirst();
    }

    private List<String> counted() {
        return store.query("SELECT what || ': ' || kills AS line FROM compute_kill ORDER BY what").stream()
                .map(row -> String.valueOf(row.get("line")))
                .toList();
    }

    @Test
    void shouldCountWhatIsKilledAndNotWhatIsWrongOrNotRunAgain() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(fill(ID, BOMB)).isEqualTo(new Computed.Stopped<>(new Stop.Late(CPU)));
        }
        assertThat(fill(ID, BOMB)).isEqualTo(new Computed.Stopped<>(new Stop.Struck(3)));
        assertThat(fill(ID, "{{ n|upper }}{% wrong %}")).isInstanceOf(Computed.Done.class);

        assertThat(counted()).containsExactly("template " + BOMB + ": 3");
    }

    @Test
    void shouldKeepTheAnswerWhenAKillCannotBeCounted() throws Exception {
        store.execute("ALTER TABLE compute_kill ADD CHECK (kills > 1)");

        assertThat(fill(ID, BOMB)).isInstanceOf(Computed.Stopped.class);
        assertThat(fill("evaluations", BOMB)).isInstanceOf(Computed.Stopped.class);

        assertThat(counted()).isEmpty();
    }
}
