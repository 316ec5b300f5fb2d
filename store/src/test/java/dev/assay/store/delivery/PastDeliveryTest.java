package dev.assay.store.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.delivery.AutoDelivery;
import dev.assay.domain.delivery.AutoDelivery.Why;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryChoice;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.estimate.RecordedRunsRepository;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is known of a provider and model from what was asked before, live and in batches. */
final class PastDeliveryTest {

    private static final String ID = "capitals-1";

    private StoreFixture store;
    private String model;
    private int rows;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        store.get(CampaignRepository.class).create(ID, new SampleCampaign("capitals", 3, 1, 4).submission());
        model = store.query("SELECT model FROM campaign_branch WHERE branch_index = 0")
                .getFirst()
                .get("model")
                .toString();
    }

    @AfterEach
    void stop() {
        store.close();
    }

    /** A batch that was handed over, and ended so many minutes later. */
    private void batch(int minutes, @Nullable String cancelledAfter, @Nullable String deadlineAfter) {
        store.execute("""
            INSERT INTO provider_batch (id, campaign_id, epoch, provider, model, kind, round, queue, state, lines, bytes,
                estimated_tokens, submitted_at, ended_at, cancel_requested_at, deadline_at)
            SELECT lpad(to_hex(?), 32, '0'), ?, 1, 'openai', ?, 'branch', 1, 'q', 'COLLECTED', 1, 1, 1, t, t + ? * interval '1 minute',
                t + ?::interval, t + ?::interval
            FROM (SELECT now() - interval '1 day' AS t) s\
            """, ++rows, ID, model, minutes, cancelledAfter, deadlineAfter);
    }

    private void call(int seconds, @Nullable String batch) {
        store.execute("""
            INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id, epoch,
                sent_at, state, settled_at, batch_id)
            VALUES (?, ?, 0, 'branch', 0, 1, 1, 'openai', ?, 'w', 1, now() - ? * interval '1 second', 'ANSWERED', now(), ?)\
            """, ++rows, ID, model, seconds, batch);
    }

    @Test
    void shouldCountABatchThatWasCancelledOnlyWhenItsDeadlineHadItCancelled() {
        batch(30, null, null);
        batch(1, "1 minute", null);
        batch(2, "1 minute", "1 hour");
        batch(65, "1 hour", "1 hour");

        assertThat(store.get(BatchRepository.class).lastDurations("openai", model))
                .containsExactly(Duration.ofMinutes(65), Duration.ofMinutes(30));
    }

    @Test
    void shouldMeasureLiveCallsWithoutThoseOfBatches() {
        RecordedRunsRepository recorded = store.get(RecordedRunsRepository.class);
        assertThat(recorded.meanLiveCall("openai", model)).isEmpty();

        call(2, null);
        call(4, null);
        call(40_000, "b");

        assertThat(recorded.meanLiveCall("openai", model)).hasValue(Duration.ofSeconds(3));
        assertThat(recorded.meanLiveCall("openai", "another")).isEmpty();
    }

    @Test
    void shouldRecordAChoiceOnceUntilItIsAnother() {
        DeliveryChoices choices = store.get(DeliveryChoices.class);
        AutoDelivery batch = new AutoDelivery(Delivery.BATCH, null);
        AutoDelivery few = new AutoDelivery(Delivery.LIVE, Why.FEW);

        assertThat(choices.record(ID, "small", batch)).isTrue();
        assertThat(choices.record(ID, "small", batch)).isFalse();
        assertThat(choices.record(ID, "large", few)).isTrue();
        assertThat(choices.record(ID, "small", few)).isTrue();
        assertThat(choices.record(ID, "small", new AutoDelivery(Delivery.LIVE, Why.DEADLINE)))
                .isTrue();

        assertThat(choices.of(ID))
                .extracting(DeliveryChoice::words)
                .containsExactly(
                        "small is asked live: the deadline is too near for a batch",
                        "large is asked live: too few cells for a batch");
        assertThat(choices.of("capitals-2")).isEmpty();
        assertThat(store.count("SELECT count(*) FROM audit WHERE actor = 'assay' AND object = 'capitals-1'"))
                .isEqualTo(4);
    }
}
