package dev.assay.store.result;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.comparison.ComparedCase;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.QueryRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.util.List;
import java.util.Optional;

/** The cases of a branch with the results of their trials, for comparisons. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class CaseQueries implements QueryRepository {

    private final CampaignRepository campaigns;
    private final ComparisonRepository comparisons;

    CaseQueries(CampaignRepository campaigns, ComparisonRepository comparisons) {
        this.campaigns = campaigns;
        this.comparisons = comparisons;
    }

    /**
     * The trials of each case on a branch, with the case's content; those without an outcome are unknown. In any order. Errors count
     * as the campaign's own gate says.
     *
     * @return none when there is no such campaign or branch
     */
    @ReadOnly
    public List<ComparedCase> ofBranch(String campaignId, String branchId) {
        StoredCampaign campaign = campaigns.find(campaignId).orElse(null);
        int branchIndex = campaign == null ? -1 : branchIds(campaign).indexOf(branchId);
        if (campaign == null || branchIndex < 0) {
            return List.of();
        }
        return comparisons.cases(campaign, branchIndex, true, false);
    }

    private static List<String> branchIds(StoredCampaign campaign) {
        return campaign.definition().branches().stream().map(Branch::id).toList();
    }

    /** The branch of {@code campaignId} that {@code branchId} is compared with: of the same id, else the only one. */
    @ReadOnly
    public Optional<String> counterpart(String campaignId, String branchId) {
        List<String> branches = branchIds(campaignId);
        return branches.contains(branchId)
                ? Optional.of(branchId)
                : branches.size() == 1 ? Optional.of(branches.getFirst()) : Optional.empty();
    }

    @Query("SELECT branch_id FROM campaign_branch WHERE campaign_id = :campaignId")
    abstract List<String> branchIds(String campaignId);
}
