package dev.assay.store.campaign;

import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a list of campaigns.
 *
 * @param states only in these; empty: in all
 * @param verdicts only with these; empty: with any, and without one
 * @param text only whose name or id has it, in capitals or not; null: all
 * @param suite only over suites of this name; null: over any
 * @param scoring only scorings, or only others; null: both
 * @param name only of this name; null: of any
 * @param metadata only with all of these; {@link CampaignMetadata#NONE}: with any
 * @param of only scorings of this campaign; null: of any
 */
public record CampaignSearch(
        Set<CampaignState> states,
        Set<Verdict> verdicts,
        @Nullable String text,
        @Nullable String suite,
        @Nullable Boolean scoring,
        @Nullable String name,
        CampaignMetadata metadata,
        @Nullable String of) {

    /** All campaigns. */
    public static final CampaignSearch ALL =
            new CampaignSearch(Set.of(), Set.of(), null, null, null, null, CampaignMetadata.NONE, null);

    public CampaignSearch {
        states = Set.copyOf(states);
        verdicts = Set.copyOf(verdicts);
    }

    /** Only campaigns in {@code states}. */
    public static CampaignSearch in(Set<CampaignState> states) {
        return new CampaignSearch(states, Set.of(), null, null, null, null, CampaignMetadata.NONE, null);
    }

    /** Only scorings of a campaign. */
    public static CampaignSearch scoringsOf(String campaignId) {
        return new CampaignSearch(Set.of(), Set.of(), null, null, null, null, CampaignMetadata.NONE, campaignId);
    }

    /** The condition on {@code campaign c} and {@code suite s}, after others; its parameters are added. */
    String where(List<@Nullable Object> parameters) {
        StringBuilder where = new StringBuilder();
        if (!states.isEmpty()) {
            where.append(" AND c.state = ANY (?)");
            parameters.add(states.stream().map(Enum::name).toList());
        }
        if (!verdicts.isEmpty()) {
            where.append(" AND c.verdict = ANY (?)");
            parameters.add(verdicts.stream().map(Enum::name).toList());
        }
        if (text != null) {
            where.append(" AND (position(lower(?) IN lower(c.name)) > 0 OR position(lower(?) IN c.campaign_id) > 0)");
            parameters.add(text);
            parameters.add(text);
        }
        if (suite != null) {
            where.append(" AND s.name = ?");
            parameters.add(suite);
        }
        if (scoring != null) {
            where.append(scoring ? " AND EXISTS" : " AND NOT EXISTS")
                    .append(" (SELECT 1 FROM scoring g WHERE g.campaign_id = c.campaign_id)");
        }
        if (name != null) {
            where.append(" AND c.name = ?");
            parameters.add(name);
        }
        if (!metadata.values().isEmpty()) {
            where.append(" AND c.metadata @> ?::jsonb");
            parameters.add(Json.write(metadata.values()));
        }
        if (of != null) {
            where.append(" AND c.campaign_id IN (SELECT g.campaign_id FROM scoring g WHERE g.of_campaign = ?)");
            parameters.add(of);
        }
        return where.toString();
    }
}
