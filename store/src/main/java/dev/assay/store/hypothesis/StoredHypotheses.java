package dev.assay.store.hypothesis;

import dev.assay.domain.hypothesis.BatchPlan;
import dev.assay.domain.hypothesis.Rubric;
import dev.assay.store.campaign.StoredCampaign;
import org.jspecify.annotations.Nullable;

/**
 * A hypothesis evaluation, without its hypotheses.
 *
 * @param shuffleSeed by which each batch was shuffled; null: none was
 * @param rubric by which is scored
 */
public record StoredHypotheses(
        StoredCampaign campaign, BatchPlan plan, @Nullable Long shuffleSeed, Rubric rubric) {

    public String id() {
        return campaign.id();
    }
}
