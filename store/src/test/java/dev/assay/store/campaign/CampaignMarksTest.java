package dev.assay.store.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.matrix.MatrixRepository;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@StoreTest
final class CampaignMarksTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final SampleCampaign sample = new SampleCampaign("marked-" + NUMBER.incrementAndGet(), 2, 2, 2);
    private final String id = sample.name();
    private final StoreFixture store;
    private final CampaignRepository campaigns;
    private final CampaignMarks marks;
    private final MatrixRepository matrices;

    CampaignMarksTest(
            StoreFixture store, CampaignRepository campaigns, CampaignMarks marks, MatrixRepository matrices) {
        this.store = store;
        this.campaigns = campaigns;
        this.marks = marks;
        this.matrices = matrices;
    }

    @BeforeEach
    void create() {
        campaigns.create(id, sample.submission());
    }

    private String mark() {
        return String.valueOf(marks.of(List.of(id, "none")).get(id));
    }

    @Test
    void shouldStayWhenNothingIsRecorded() {
        String before = mark();
        store.query("SELECT * FROM campaign WHERE campaign_id = ? FOR UPDATE", id);

        assertThat(mark()).isEqualTo(before);
    }

    @Test
    void shouldDifferWhenTheStateChanges() {
        String before = mark();
        campaigns.transition(id, Set.of(CampaignState.PENDING), CampaignState.RUNNING, false, null);

        assertThat(mark()).isNotEqualTo(before);
    }

    @Test
    void shouldDifferWhenALimitChanges() {
        String before = mark();
        store.execute("UPDATE campaign SET max_concurrent = max_concurrent + 1 WHERE campaign_id = ?", id);

        assertThat(mark()).isNotEqualTo(before);
    }

    @Test
    void shouldDifferWhenAResultIsRecorded() {
        String before = mark();
        store.execute("INSERT INTO matrix_change (campaign_id, entries) VALUES (?, '\\x0000000000000001')", id);
        String after = mark();
        matrices.rebuild(id);

        assertThat(after).isNotEqualTo(before);
        assertThat(mark()).isNotEqualTo(after).isNotEqualTo(before);
    }

    @Test
    void shouldBeNoneOfACampaignThatIsDeleted() {
        store.execute("UPDATE campaign SET deleted_at = now() WHERE campaign_id = ?", id);

        assertThat(marks.of(List.of(id, "none"))).isEmpty();
    }
}
