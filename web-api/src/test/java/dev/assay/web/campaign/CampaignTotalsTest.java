package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.campaigns.account.CampaignTotals;
import dev.assay.store.SampleCampaign;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.web.ServerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CampaignTotalsTest {

    private static final int SMALL = 10_000;

    private ServerFixture server;
    private CampaignTotals totals;
    private String id;
    private int requests;

    @BeforeEach
    void start() {
        server = ServerFixture.start();
        totals = server.get(CampaignTotals.class);
        id = server.submit(new SampleCampaign("spend", 2, 1, 1));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private StoredCampaign campaign() {
        return server.get(CampaignRepository.class).find(id).orElseThrow();
    }

    /** One request of 0.25 US dollars more. */
    private void ask() {
        server.store().execute("""
            INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model,
                worker_id, epoch, state, settled_at, cost_usd)
            VALUES (?, ?, 0, 'branch', 0, ?, 1, 'openai', 'm', 'w', 1, 'ANSWERED', now(), 0.25)\
            """, ++requests, id, requests);
    }

    private long requestsOf(StoredCampaign campaign, int cellsDone) {
        return totals.of(campaign, cellsDone).spend().requests();
    }

    @Test
    void shouldAddUpTheLedgerOfASmallCampaignEachTime() {
        ask();
        assertThat(totals.of(campaign(), SMALL).spend().settledUsd()).isEqualByComparingTo("0.25");

        ask();

        assertThat(totals.of(campaign(), SMALL).spend().settledUsd()).isEqualByComparingTo("0.5");
    }

    @Test
    void shouldAnswerTheLastSumOfALargeCampaignWhileItIsFresh() {
        ask();
        assertThat(requestsOf(campaign(), SMALL + 1)).isEqualTo(1);

        ask();

        assertThat(requestsOf(campaign(), SMALL + 2)).isEqualTo(1);
    }

    @Test
    void shouldAddUpALargeCampaignAgainAsSoonAsItsStateIsAnother() {
        ask();
        assertThat(requestsOf(campaign(), SMALL + 1)).isEqualTo(1);
        ask();

        server.post("/api/v1/campaigns/" + id + "/pause");

        assertThat(requestsOf(campaign(), SMALL + 1)).isEqualTo(2);
    }
}
