package dev.assay.store.campaign;

import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.TrialGrid;
import dev.assay.domain.gate.Verdict;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code campaign}, with the name of its suite.
 *
 * @param trials the number in force; may be larger than the definition's after an extension
 * @param reruns how often finished cells were opened again
 * @param reopensSkipped whether a raised budget opens what was skipped, as soon as nothing else is open
 * @param maxConcurrent the limit in force
 * @param budgetUsd the budget in force; null: none
 * @param summaryJson what was computed when the campaign ended; null before
 */
public record StoredCampaign(
        String id,
        String name,
        String suiteId,
        String suiteName,
        int caseCount,
        int trials,
        CampaignDefinition definition,
        CampaignState state,
        @Nullable Verdict verdict,
        int epoch,
        int reruns,
        boolean reopensSkipped,
        int maxConcurrent,
        @Nullable BigDecimal budgetUsd,
        @Nullable String failureReason,
        @Nullable String summaryJson,
        Instant createdAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {

    /** Numbers the campaign's trials. */
    public TrialGrid grid() {
        return new TrialGrid(caseCount, trials);
    }
}
