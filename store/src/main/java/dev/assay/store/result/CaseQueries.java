package dev.assay.store.result;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.comparison.ComparedCase;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The cases of a branch by what their trials came to, for comparisons. */
@Singleton
public class CaseQueries {

    private final Sql sql;
    private final CampaignRepository campaigns;
    private final ComparisonRepository comparisons;

    CaseQueries(Sql sql, CampaignRepository campaigns, ComparisonRepository comparisons) {
        this.sql = sql;
        this.campaigns = campaigns;
        this.comparisons = comparisons;
    }

    /**
     * The trials of each case on a branch, with what each case asks; what has no outcome is unknown. In any order.
     *
     * @param errorsAreUnknown whether nothing is known of trials that ended in an error; else they failed
     * @return none when there is no such campaign or branch
     */
    @ReadOnly
    public List<ComparedCase> ofBranch(String campaignId, String branchId, boolean errorsAreUnknown) {
        StoredCampaign campaign = campaigns.find(campaignId).orElse(null);
        int branchIndex = campaign == null ? -1 : branchIds(campaign).indexOf(branchId);
        if (campaign == null || branchIndex < 0) {
            return List.of();
        }
        List<ComparedCase> cases = comparisons.cases(campaign, branchIndex, true, false);
        return errorsAreUnknown
                ? cases.stream().map(ComparedCase::withErrorsUnknown).toList()
                : cases;
    }

    private static List<String> branchIds(StoredCampaign campaign) {
        return campaign.definition().branches().stream().map(Branch::id).toList();
    }

    /** The branch of {@code campaignId} that {@code branchId} is compared with: of the same id, else the only one. */
    @ReadOnly
    public Optional<String> counterpart(String campaignId, String branchId) {
        List<String> branches = sql.list(
                "SELECT branch_id FROM campaign_branch WHERE campaign_id = ?",
                row -> row.getString("branch_id"),
                campaignId);
        return branches.contains(branchId)
                ? Optional.of(branchId)
                : branches.size() == 1 ? Optional.of(branches.getFirst()) : Optional.empty();
    }
}
