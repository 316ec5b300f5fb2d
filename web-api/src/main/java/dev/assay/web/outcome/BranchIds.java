package dev.assay.web.outcome;

import dev.assay.domain.campaign.CampaignDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The names that users gave to the branches of a campaign. */
final class BranchIds {

    private BranchIds() {}

    static List<String> of(List<Integer> indexes, CampaignDefinition definition) {
        return indexes.stream()
                .map(index -> definition.branches().get(index).id())
                .toList();
    }

    /** @param index null: none */
    static @Nullable String of(@Nullable Integer index, CampaignDefinition definition) {
        return index == null ? null : definition.branches().get(index).id();
    }
}
