package dev.assay.store.estimate;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.estimate.RecordedRate;
import dev.assay.domain.estimate.RecordedRuns;
import dev.assay.domain.estimate.RecordedUse;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The records of earlier campaigns from which a new one is planned. */
@Singleton
public class RecordedRunsRepository {

    private static final String TOKENS = """
        sum(%1$s.input_tokens)::bigint AS input_tokens, sum(%1$s.output_tokens)::bigint AS output_tokens,
        sum(%1$s.reasoning_tokens)::bigint AS reasoning_tokens,
        sum(%1$s.cache_read_tokens)::bigint AS cache_read_tokens,
        sum(%1$s.cache_write_tokens)::bigint AS cache_write_tokens, sum(%1$s.total_tokens)::bigint AS total_tokens
        """;

    /** The counters are enough: no outcome is read. Evaluations are no campaigns over a suite of a user. */
    private static final String USE_OF_MODEL = """
        SELECT b.campaign_id, sum(p.cells_done - p.unknown_usage)::bigint AS calls, %s
        FROM campaign_branch b JOIN campaign c USING (campaign_id)
            JOIN progress p ON p.campaign_id = b.campaign_id AND p.kind = 'branch' AND p.member = b.branch_index
        WHERE b.provider = ? AND b.model = ? AND (?::text IS NULL OR b.campaign_id = ?)
            AND NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.evaluation_id = c.campaign_id)
            AND NOT EXISTS (SELECT 1 FROM hypothesis_evaluation h WHERE h.evaluation_id = c.campaign_id)
        GROUP BY b.campaign_id, b.branch_index, c.name, c.created_at
        HAVING sum(p.cells_done - p.unknown_usage) > 0 AND sum(p.total_tokens) > 0
        ORDER BY c.name = ? DESC, c.created_at DESC, b.branch_index LIMIT 1\
        """.formatted(TOKENS.formatted("p"));

    private static final String USE_OF_JUDGES = "SELECT count(*) AS calls, " + TOKENS.formatted("j")
            + "FROM judge_call j WHERE campaign_id = ? AND graded_branch IS NULL AND input_tokens IS NOT NULL"
            + " AND output_tokens IS NOT NULL AND total_tokens > 0 HAVING count(*) > 0";

    private final Sql sql;
    private final CampaignRepository campaigns;
    private final RecordedRates rates;

    RecordedRunsRepository(Sql sql, CampaignRepository campaigns, RecordedRates rates) {
        this.sql = sql;
        this.campaigns = campaigns;
        this.rates = rates;
    }

    /**
     * The records that say something of {@code planned}. The use of tokens comes from the newest campaign of the same name that asked
     * a model, else from the newest of any name. That one need not have ended, nor have the same cases. The pass rate comes from one
     * that has both.
     *
     * @param from only from this campaign; null: from any
     */
    @ReadOnly
    public RecordedRuns find(CampaignSubmission planned, @Nullable String from) {
        CampaignDefinition definition = planned.definition();
        Map<String, RecordedUse> branches = new HashMap<>();
        String first = null;
        for (Branch branch : definition.branches()) {
            RecordedUse found = find(branch, definition.name(), from).orElse(null);
            if (found != null) {
                branches.put(branch.id(), found);
                first = first == null ? found.campaignId() : first;
            }
        }
        StoredCampaign earlier = first == null ? null : campaigns.find(first).orElse(null);
        RecordedRate rate = rates.find(planned, from);
        StoredCampaign named =
                from == null || rate != null ? null : campaigns.find(from).orElse(null);
        return new RecordedRuns(
                branches,
                earlier == null ? null : judges(definition, earlier),
                rate,
                named == null ? null : rates.why(planned, named),
                rates.baseline(planned));
    }

    private Optional<RecordedUse> find(Branch branch, String name, @Nullable String from) {
        return branch.agent()
                .modelAsked()
                .flatMap(choice -> sql.first(
                        USE_OF_MODEL,
                        row -> new RecordedUse(row.getString("campaign_id"), row.getLong("calls"), Columns.usage(row)),
                        choice.provider(),
                        choice.model(),
                        from,
                        from,
                        name));
    }

    /** Judges with other settings, or with the answers of more branches, use other amounts. */
    private @Nullable RecordedUse judges(CampaignDefinition planned, StoredCampaign earlier) {
        boolean alike = earlier.definition().strategy().equals(planned.strategy())
                && earlier.definition().branches().size() == planned.branches().size();
        return alike
                ? sql.first(
                                USE_OF_JUDGES,
                                row -> new RecordedUse(earlier.id(), row.getLong("calls"), Columns.usage(row)),
                                earlier.id())
                        .orElse(null)
                : null;
    }
}
