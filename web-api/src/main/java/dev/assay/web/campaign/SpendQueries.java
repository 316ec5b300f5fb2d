package dev.assay.web.campaign;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.LedgerTotals;
import dev.assay.store.result.OutcomeQueries;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spend of campaigns, for clients that poll. Adding up the ledger of a large campaign takes longer than a poll may. So a poll
 * gets the last sum, which is renewed meanwhile when it is more than {@link #FRESH} old.
 */
@Singleton
final class SpendQueries {

    /** Up to this many finished cells the ledger is added up each time: that takes a few milliseconds. */
    private static final long SMALL = 10_000;

    private static final Duration FRESH = Duration.ofSeconds(5);

    /** An older sum is not used: there was no request for a while. */
    private static final Duration USABLE = Duration.ofSeconds(30);

    private static final int SIZE = 256;

    private final OutcomeQueries outcomes;

    /** By campaign. */
    private final Map<String, Sum> recent = new LinkedHashMap<>(SIZE, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Sum> eldest) {
            return size() > SIZE;
        }
    };

    SpendQueries(OutcomeQueries outcomes) {
        this.outcomes = outcomes;
    }

    /**
     * A sum of a campaign in a state and epoch: a sum from before its end is not used after it.
     *
     * @param nanos when it was made
     * @param renewedNanos when it was made, or its renewal last began
     */
    private record Sum(LedgerTotals spend, CampaignState state, int epoch, long nanos, long renewedNanos) {

        boolean isOf(StoredCampaign campaign) {
            return state == campaign.state() && epoch == campaign.epoch();
        }

        boolean isUsable() {
            return System.nanoTime() - nanos < USABLE.toNanos();
        }

        boolean isFresh() {
            return System.nanoTime() - renewedNanos < FRESH.toNanos();
        }

        Sum beingRenewed() {
            return new Sum(spend, state, epoch, nanos, System.nanoTime());
        }
    }

    /**
     * The totals of the campaign's ledger.
     *
     * @param cellsDone its finished cells
     */
    LedgerTotals of(StoredCampaign campaign, long cellsDone) {
        if (cellsDone <= SMALL) {
            return outcomes.spend(campaign.id());
        }
        Sum known = known(campaign);
        if (known == null) {
            return renew(campaign);
        }
        if (!known.isFresh()) {
            // Concurrent requests do not renew it too. When this fails, the sum gets older until a request waits for a
            // new one, and receives the error.
            remember(campaign, known.beingRenewed());
            Thread.startVirtualThread(() -> renew(campaign));
        }
        return known.spend();
    }

    private @Nullable Sum known(StoredCampaign campaign) {
        synchronized (recent) {
            Sum sum = recent.get(campaign.id());
            return sum != null && sum.isOf(campaign) && sum.isUsable() ? sum : null;
        }
    }

    private LedgerTotals renew(StoredCampaign campaign) {
        LedgerTotals spend = outcomes.spend(campaign.id());
        long now = System.nanoTime();
        remember(campaign, new Sum(spend, campaign.state(), campaign.epoch(), now, now));
        return spend;
    }

    private void remember(StoredCampaign campaign, Sum sum) {
        synchronized (recent) {
            recent.put(campaign.id(), sum);
        }
    }
}
