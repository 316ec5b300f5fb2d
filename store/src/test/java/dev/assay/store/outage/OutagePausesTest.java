package dev.assay.store.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage.Reason;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.campaign.CampaignRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@StoreTest
final class OutagePausesTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final ModelPool POOL = new ModelPool("openai", "main", "*");
    private static final StoredOutage HOUR = new StoredOutage(
            POOL, null, Reason.DOWN, Instant.EPOCH, Duration.ofHours(1), "overloaded", Duration.ZERO, false, null);

    private final StoreFixture store;
    private final CampaignRepository campaigns;
    private final OutagePauses pauses;
    private String campaign = "";

    OutagePausesTest(StoreFixture store, CampaignRepository campaigns, OutagePauses pauses) {
        this.store = store;
        this.campaigns = campaigns;
        this.pauses = pauses;
    }

    @BeforeEach
    void prepare() {
        campaign = "away-" + NUMBER.incrementAndGet();
        campaigns.create(campaign, new SampleCampaign("away", 1, 1, 1).submission());
        store.execute("UPDATE campaign SET state = 'RUNNING' WHERE campaign_id = ?", campaign);
        store.execute("""
            INSERT INTO outage (provider, account, models, worker_id, reason, since, signal, probes, next_probe)
            VALUES ('openai', 'main', '*', '', 'DOWN', now() - interval '1 hour', 'overloaded', 0, now())\
            """);
    }

    @AfterEach
    void forget() {
        store.execute("ALTER TABLE audit DROP CONSTRAINT IF EXISTS full_disk");
        store.execute("DELETE FROM outage");
    }

    private long rows() {
        return store.count("SELECT count(*) FROM audit WHERE action LIKE 'pause campaign " + campaign + " %'");
    }

    private long paused() {
        return store.count("SELECT count(*) FROM campaign WHERE campaign_id = ? AND state = 'PAUSED'", campaign);
    }

    @Test
    void shouldPauseOnceAndSayWhoDid() {
        assertThat(pauses.pause(campaign, HOUR, Duration.ZERO)).isTrue();
        assertThat(pauses.pause(campaign, HOUR, Duration.ZERO)).isFalse();

        assertThat(paused()).isEqualTo(1);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void shouldWaitForAsLongAsItsUserAllows() {
        assertThat(pauses.pause(campaign, HOUR, Duration.ofHours(2))).isFalse();

        assertThat(paused()).isZero();
        assertThat(rows()).isZero();
    }

    /** A worker that dies between the two writes leaves neither. */
    @Test
    void shouldNotPauseWhereNobodyWouldKnowWhoDid() {
        store.execute("ALTER TABLE audit ADD CONSTRAINT full_disk CHECK (actor <> 'assay') NOT VALID");

        assertThatThrownBy(() -> pauses.pause(campaign, HOUR, Duration.ZERO)).hasMessageContaining("full_disk");
        assertThat(paused()).isZero();

        store.execute("ALTER TABLE audit DROP CONSTRAINT full_disk");
        assertThat(pauses.pause(campaign, HOUR, Duration.ZERO)).isTrue();
        assertThat(rows()).isEqualTo(1);
    }
}
