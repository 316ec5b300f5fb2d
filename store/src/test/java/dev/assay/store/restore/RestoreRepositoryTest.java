package dev.assay.store.restore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.campaign.StoreMark;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RestoreRepositoryTest {

    private StoreFixture store;
    private RestoreRepository restores;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        restores = store.get(RestoreRepository.class);
        Campaigns.running(store, "c");
        Campaigns.running(store, "d");
        store.execute("UPDATE campaign SET created_at = now() - interval '1 hour'");
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private StoreMark seen() {
        return restores.look((StoreMark) null).newest();
    }

    private void later() {
        store.execute("UPDATE store_mark SET marked_at = marked_at - interval '1 minute'");
    }

    /** The mark as somebody would remember it who saw it before the marks were moved. */
    private static StoreMark earlier(StoreMark mark) {
        return new StoreMark(mark.number(), mark.token(), mark.atMicros() - 60_000_000);
    }

    /** As a database is after a restore: the newest marks are gone, and their numbers come again. */
    private StoreMark lostMark() {
        seen();
        later();
        StoreMark lost = seen();
        store.execute("UPDATE store_mark SET marked_at = marked_at - interval '30 seconds'");
        store.execute("DELETE FROM store_mark WHERE number = ?", lost.number());
        store.execute("ALTER TABLE store_mark ALTER COLUMN number RESTART WITH " + lost.number());
        return new StoreMark(lost.number(), lost.token(), lost.atMicros() - 30_000_000);
    }

    private int epoch(String campaign) {
        return (int) store.query("SELECT epoch FROM campaign WHERE campaign_id = ?", campaign)
                .getFirst()
                .get("epoch");
    }

    private List<Map<String, Object>> gaps() {
        return store.query("SELECT campaign_id, lost_until - lost_from AS time FROM store_gap ORDER BY campaign_id");
    }

    @Test
    void shouldMarkAtMostEveryFiveSeconds() {
        StoreMark first = seen();

        assertThat(seen()).isEqualTo(first);
        later();
        assertThat(seen().number()).isGreaterThan(first.number());
    }

    @Test
    void shouldChangeNothingWhenTheStoreKnowsTheMark() {
        StoreMark mark = seen();
        later();

        assertThat(restores.look(earlier(mark)).wentBack()).isFalse();
        assertThat(restores.look(new RunKey("c", 1), earlier(mark)).wentBack()).isFalse();
        assertThat(epoch("c")).isEqualTo(1);
        assertThat(gaps()).isEmpty();
    }

    @Test
    void shouldBeginNewEpochsOfAllThatGoesOnWhenTheStoreWentBack() {
        store.execute("UPDATE campaign SET state = 'COMPLETED' WHERE campaign_id = 'd'");
        StoreMark lost = lostMark();

        assertThat(restores.look(lost).wentBack()).isTrue();

        assertThat(epoch("c")).isGreaterThan(1_000);
        assertThat(epoch("d")).as("it had ended").isEqualTo(1);
        assertThat(gaps()).extracting(row -> row.get("campaign_id")).containsExactly("c");
    }

    @Test
    void shouldNoticeItEvenWhenTheNumbersHaveComeAgain() {
        StoreMark lost = lostMark();
        StoreMark again = seen();

        assertThat(again.number()).isEqualTo(lost.number());
        assertThat(restores.look(lost).wentBack()).isTrue();
        assertThat(restores.look(again).wentBack()).isFalse();
    }

    @Test
    void shouldBeginOneEpochForOneLostTimeHoweverManyNoticeIt() {
        StoreMark lost = lostMark();
        restores.look(lost);
        int raised = epoch("c");

        assertThat(restores.look(lost).wentBack()).isTrue();
        assertThat(restores.look(new RunKey("c", 1), lost).wentBack()).isTrue();

        assertThat(epoch("c")).isEqualTo(raised);
        assertThat(gaps()).hasSize(2);
    }

    @Test
    void shouldRaiseTheEpochAboveThatOfTheWorkflowWhenItIsInALaterOne() {
        StoreMark known = seen();

        assertThat(restores.look(new RunKey("c", 7), known).wentBack()).isTrue();
        assertThat(restores.look(new RunKey("d", 7_000), null).wentBack()).isTrue();

        assertThat(epoch("c")).isGreaterThan(7);
        assertThat(epoch("d")).isEqualTo(7_001);
        assertThat(store.query("SELECT campaign_id FROM store_gap WHERE lost_from IS NOT NULL"))
                .extracting(row -> row.get("campaign_id"))
                .containsExactly("c");
        assertThat(gaps()).hasSize(2);
    }

    @Test
    void shouldNoteTheLostTimeOfACampaignThatHadEndedWhenItsWorkflowRemembersMore() {
        store.execute("UPDATE campaign SET state = 'COMPLETED' WHERE campaign_id = 'd'");

        restores.look(new RunKey("d", 2), lostMark());

        assertThat(epoch("d")).isGreaterThan(2);
        assertThat(gaps()).extracting(row -> row.get("campaign_id")).containsExactly("d");
    }

    @Test
    void shouldNotBlameACampaignThatCameAfterTheLostTime() {
        StoreMark lost = lostMark();
        seen();
        Campaigns.running(store, "young");
        store.execute("UPDATE campaign SET created_at = now() + interval '1 second' WHERE campaign_id = 'young'");

        restores.look(lost);

        assertThat(epoch("young")).isEqualTo(1);
    }

    /** A campaign that was paused for weeks remembers a mark that was deleted with age. */
    @Test
    void shouldKnowNothingOfMarksThatAreOlderThanAllItHas() {
        StoreMark old = seen();
        store.execute("UPDATE store_mark SET marked_at = marked_at - interval '8 days'");
        seen();
        seen();

        assertThat(restores.look(old).wentBack()).isFalse();
    }
}
