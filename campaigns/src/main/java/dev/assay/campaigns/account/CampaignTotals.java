package dev.assay.campaigns.account;

import dev.assay.domain.account.CampaignAccount.ErrorCount;
import dev.assay.domain.account.CampaignAccount.Reused;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.ClosedCells;
import dev.assay.store.result.CopyCounts;
import dev.assay.store.result.FinalErrors;
import dev.assay.store.result.FinalErrors.BranchError;
import dev.assay.store.result.FinalErrors.FinalError;
import dev.assay.store.result.LedgerTotals;
import dev.assay.store.result.OutcomeQueries;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is added up over the rows of campaigns, for clients that poll. For a large campaign that takes longer than a poll may. So a
 * poll gets the last totals, which are renewed meanwhile when they are more than {@link #FRESH} old.
 */
@Singleton
public final class CampaignTotals {

    /** Up to this many finished cells all is added up each time: that takes a few milliseconds. */
    private static final long SMALL = 10_000;

    private static final Duration FRESH = Duration.ofSeconds(5);

    /** Older totals are not used: there was no request for a while. */
    private static final Duration USABLE = Duration.ofSeconds(30);

    private static final int SIZE = 256;

    private final OutcomeQueries outcomes;
    private final FinalErrors errors;
    private final ClosedCells cells;
    private final CampaignRepository campaigns;

    /** By campaign. */
    private final Map<String, Kept> recent = new LinkedHashMap<>(SIZE, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
            return size() > SIZE;
        }
    };

    CampaignTotals(OutcomeQueries outcomes, FinalErrors errors, ClosedCells cells, CampaignRepository campaigns) {
        this.outcomes = outcomes;
        this.errors = errors;
        this.cells = cells;
        this.campaigns = campaigns;
    }

    /**
     * The totals of a campaign.
     *
     * @param spend of its ledger
     * @param errors with which its cells ended, by code
     * @param ofBranches the same, of each branch
     * @param skipped cells that the budget did not cover
     * @param rerun cells that re-runs asked again
     * @param reused stored answers that stand in for new ones
     * @param rule the sentence that names the rule that decided; null: it has not completed
     */
    public record Totals(
            LedgerTotals spend,
            List<ErrorCount> errors,
            List<BranchError> ofBranches,
            long skipped,
            long rerun,
            Reused reused,
            @Nullable String rule) {

        public Totals {
            errors = List.copyOf(errors);
            ofBranches = List.copyOf(ofBranches);
        }

        /** How many cells of a branch ended with which code, the most frequent first. */
        Map<String, Long> errorsOf(int branch) {
            Map<String, Long> byCode = new LinkedHashMap<>();
            ofBranches.stream()
                    .filter(error -> error.branchIndex() == branch)
                    .forEach(error -> byCode.put(error.code(), error.cells()));
            return byCode;
        }
    }

    /**
     * Totals of a campaign in a state and epoch: those from before its end are not used after it.
     *
     * @param nanos when they were made
     * @param renewedNanos when they were made, or their renewal last began
     */
    private record Kept(Totals totals, CampaignState state, int epoch, long nanos, long renewedNanos) {

        boolean isOf(StoredCampaign campaign) {
            return state == campaign.state() && epoch == campaign.epoch();
        }

        boolean isUsable() {
            return System.nanoTime() - nanos < USABLE.toNanos();
        }

        boolean isFresh() {
            return System.nanoTime() - renewedNanos < FRESH.toNanos();
        }

        Kept beingRenewed() {
            return new Kept(totals, state, epoch, nanos, System.nanoTime());
        }
    }

    /**
     * The totals of a campaign.
     *
     * @param cellsDone its finished cells
     */
    public Totals of(StoredCampaign campaign, long cellsDone) {
        if (cellsDone <= SMALL) {
            return read(campaign);
        }
        Kept known = known(campaign);
        if (known == null) {
            return renew(campaign);
        }
        if (!known.isFresh()) {
            // Concurrent requests do not renew them too. When this fails, they get older until a request waits for new
            // ones, and receives the error.
            remember(campaign, known.beingRenewed());
            Thread.startVirtualThread(() -> renew(campaign));
        }
        return known.totals();
    }

    private @Nullable Kept known(StoredCampaign campaign) {
        synchronized (recent) {
            Kept kept = recent.get(campaign.id());
            return kept != null && kept.isOf(campaign) && kept.isUsable() ? kept : null;
        }
    }

    private Totals renew(StoredCampaign campaign) {
        Totals totals = read(campaign);
        long now = System.nanoTime();
        remember(campaign, new Kept(totals, campaign.state(), campaign.epoch(), now, now));
        return totals;
    }

    private Totals read(StoredCampaign campaign) {
        String id = campaign.id();
        List<FinalError> ended = errors.of(id);
        return new Totals(
                outcomes.spend(id),
                ended.stream()
                        .map(error -> new ErrorCount(error.code(), error.cells(), 0, error.message()))
                        .toList(),
                ended.isEmpty() ? List.of() : errors.byBranch(id),
                campaign.budgetUsd() == null ? 0 : cells.skipped(id, campaign.epoch()),
                campaign.reruns() == 0 ? 0 : cells.rerun(id),
                campaign.definition().mayHoldCopies() ? reused(id) : Reused.NONE,
                campaign.state() == CampaignState.COMPLETED ? campaigns.rule(id).orElse(null) : null);
    }

    private Reused reused(String id) {
        CopyCounts copies = cells.copies(id);
        return new Reused(copies.cells(), copies.calls(), copies.savedUsd());
    }

    private void remember(StoredCampaign campaign, Kept kept) {
        synchronized (recent) {
            recent.put(campaign.id(), kept);
        }
    }
}
