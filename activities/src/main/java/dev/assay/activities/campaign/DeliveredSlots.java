package dev.assay.activities.campaign;

import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.Branch;
import dev.assay.store.campaign.StoredCampaign;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The branches of a campaign whose cells may go out in batches of providers. A branch that was cancelled asks nothing more. */
public final class DeliveredSlots {

    private DeliveredSlots() {}

    /** Their indexes, ascending. */
    public static List<Integer> of(StoredCampaign campaign) {
        return of(campaign, _ -> true);
    }

    /** Those that ask one model of a provider. */
    public static List<Integer> asking(StoredCampaign campaign, String provider, String model) {
        return of(
                campaign,
                asked -> asked.provider().equals(provider) && asked.model().equals(model));
    }

    private static List<Integer> of(StoredCampaign campaign, Predicate<ModelChoice> wanted) {
        List<Branch> all = campaign.definition().branches();
        return IntStream.range(0, all.size())
                .filter(index -> all.get(index).delivery().mayBeOut()
                        && !campaign.cancelledBranches().contains(index)
                        && all.get(index).agent().modelAsked().filter(wanted).isPresent())
                .boxed()
                .toList();
    }
}
