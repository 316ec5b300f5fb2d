package dev.assay.domain.campaignfile;

import dev.assay.domain.hypothesis.BatchPlan;
import dev.assay.domain.hypothesis.HypothesisBatch;
import dev.assay.domain.hypothesis.Rubric;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hypothesis evaluation that was read and found valid: a campaign in which each batch is a case of its only branch, the
 * challenger.
 *
 * @param campaign what runs
 * @param plan how calls are cut
 * @param shuffleSeed by which each batch was shuffled; null: none was
 * @param rubric by which is scored
 * @param batches in input order
 */
public record HypothesisSubmission(
        CampaignSubmission campaign,
        BatchPlan plan,
        @Nullable Long shuffleSeed,
        Rubric rubric,
        List<HypothesisBatch> batches) {

    public HypothesisSubmission {
        batches = List.copyOf(batches);
    }
}
