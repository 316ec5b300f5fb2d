package dev.assay.campaigns.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.gate.Pairing;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.report.BranchSummary;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.PageRequest;
import dev.assay.store.result.ComparisonRepository;
import dev.assay.store.result.OutcomeFilter;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.ProgressRepository;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@StoreTest
final class SummariesTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final SampleCampaign SAMPLE = new SampleCampaign("summaries", 3, 2, 4);

    private final StoreFixture store;
    private final CampaignRepository campaigns;
    private final OutcomeQueries outcomes;
    private final ProgressRepository progress;
    private final ComparisonRepository comparisons;
    private final Summaries summaries;
    private final String id = "summaries-" + NUMBER.incrementAndGet();

    SummariesTest(
            StoreFixture store,
            CampaignRepository campaigns,
            OutcomeQueries outcomes,
            ProgressRepository progress,
            ComparisonRepository comparisons,
            Summaries summaries) {
        this.store = store;
        this.campaigns = campaigns;
        this.outcomes = outcomes;
        this.progress = progress;
        this.comparisons = comparisons;
        this.summaries = summaries;
    }

    /** Twelve trials of two branches; branch 1 never completes; three trials are selected. */
    @BeforeEach
    void recordResults() {
        campaigns.create(id, SAMPLE.submission());
        for (int ordinal = 0; ordinal < 12; ordinal++) {
            SAMPLE.recordOutcome(store, id, ordinal, 0, "COMPLETED", ordinal % 3 != 0);
            SAMPLE.recordOutcome(
                    store, id, ordinal, 1, ordinal == 11 ? "CANCELLED" : "TIMED_OUT", ordinal == 11 ? null : false);
        }
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            SAMPLE.recordSelection(store, id, ordinal, 0);
            SAMPLE.recordJudgeCall(store, id, ordinal);
        }
    }

    @Test
    void shouldCountNoWinForATieNorForAStrategyThatTakesTheFirst() {
        store.execute("UPDATE trial SET tied = true WHERE campaign_id = ? AND ordinal = 0", id);
        store.execute("UPDATE trial SET strategy = 'pick-first' WHERE campaign_id = ? AND ordinal = 1", id);

        BranchSummary first =
                summaries.summarize(campaigns.required(id)).branches().getFirst();
        progress.recount(id);

        assertThat(first.wins().successes()).isEqualTo(1);
        assertThat(first.wins().denominator()).isEqualTo(2);
        assertThat(first.chosen().ties()).isEqualTo(1);
        assertThat(progress.find(id).orElseThrow().branches().getFirst().wins()).isEqualTo(1);
    }

    /** As a comparison counts it. */
    @Test
    void shouldCountTheFirstDrawWhenACellWasAskedAgain() {
        store.execute("UPDATE campaign SET reruns = 1 WHERE campaign_id = ?", id);
        store.execute("""
            INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
            VALUES (?, 1, 'outcome', 1, 0, '{"status": "COMPLETED", "passed": false, "score": 0.25}')\
            """, id);
        StoredCampaign campaign = campaigns.required(id);

        assertThat(summaries
                        .summarize(campaign)
                        .branches()
                        .getFirst()
                        .trialPassRate()
                        .successes())
                .isEqualTo(7)
                .isEqualTo(comparisons.cases(campaign, 0, Pairing.CONTENT, false).stream()
                        .mapToInt(one -> one.counts().passed())
                        .sum());
    }

    /** As a worker of an earlier build records it, which reads that the branch was cancelled. */
    @Test
    void shouldCountNoWinOfATrialThatLacksABranchWhichStopped() {
        store.execute("UPDATE campaign SET stop = 'settled' WHERE campaign_id = ?", id);
        store.execute(
                "UPDATE outcome SET status = 'CANCELLED', passed = NULL, not_needed = true"
                        + " WHERE campaign_id = ? AND ordinal = 0 AND branch_index = 1",
                id);
        store.execute("UPDATE trial SET complete = false WHERE campaign_id = ? AND ordinal = 0", id);

        BranchSummary first =
                summaries.summarize(campaigns.required(id)).branches().getFirst();

        assertThat(first.wins().successes()).isEqualTo(2);
        assertThat(outcomes.page(
                                id,
                                new OutcomeFilter(null, null, null, OutcomeStatus.NOT_NEEDED, null),
                                PageRequest.of(null, 5))
                        .items())
                .singleElement()
                .extracting(row -> row.outcome().status())
                .isEqualTo(OutcomeStatus.NOT_NEEDED);
    }
}
