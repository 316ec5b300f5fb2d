package dev.assay.store.evidence;

import dev.assay.domain.evidence.Draws;
import dev.assay.domain.evidence.Redraw;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what re-runs did to the draws of campaigns. */
@Singleton
public class DrawQueries {

    /** Of each cell the oldest outcome that passed or failed since all cells of its branch were asked again. */
    private static final String FIRST = """
        SELECT DISTINCT ON (f.campaign_id, f.member, f.ordinal) f.campaign_id, f.member, f.ordinal,
               (f.result ->> 'passed')::boolean AS passed, (f.result ->> 'score')::float8 AS score
        FROM replaced_result f
        WHERE f.campaign_id = ANY (?) AND f.kind = 'outcome' AND f.result ->> 'status' IN ('COMPLETED', 'LIMIT')
          AND f.result ->> 'passed' IS NOT NULL
          AND f.rerun > coalesce((SELECT max(w.rerun) FROM whole_rerun w
                                  WHERE w.campaign_id = f.campaign_id AND w.branch_index = f.member), 0)
        ORDER BY f.campaign_id, f.member, f.ordinal, f.rerun\
        """;

    private static final String CORRECTIONS = """
        SELECT d.campaign_id, d.member AS branch_index,
               count(*) FILTER (WHERE d.passed)
                   - count(*) FILTER (WHERE r.passed AND r.status IN ('COMPLETED', 'LIMIT')) AS passed,
               count(*) FILTER (WHERE r.status IN ('MODEL_ERROR', 'TIMED_OUT')) AS failed,
               count(*) FILTER (WHERE r.status IN ('COMPLETED', 'LIMIT') AND r.passed IS NULL) AS unscored,
               count(*) FILTER (WHERE %s) AS unanswered,
               count(*) FILTER (WHERE r.ordinal IS NULL) AS open
        FROM (%s) AS d LEFT JOIN outcome r
            ON r.campaign_id = d.campaign_id AND r.ordinal = d.ordinal AND r.branch_index = d.member
               AND r.status IN ('COMPLETED', 'LIMIT', 'MODEL_ERROR', 'TIMED_OUT')
        GROUP BY d.campaign_id, d.member\
        """.formatted(OutcomeColumns.IS_UNANSWERED, FIRST);

    private static final String CARRIED = "SELECT branch_index, ordinal FROM outcome WHERE campaign_id = ? AND redrawn";

    private static final String WHOLE = "SELECT count(DISTINCT rerun) FROM whole_rerun WHERE campaign_id = ?";

    private final Sql sql;

    DrawQueries(Sql sql) {
        this.sql = sql;
    }

    private Map<Integer, List<Integer>> carried(StoredCampaign campaign) {
        if (!campaign.definition().mayHoldCopies()) {
            return Map.of();
        }
        Map<Integer, List<Integer>> carried = new HashMap<>();
        sql.forEach(
                CARRIED,
                row -> carried.computeIfAbsent(row.getInt("branch_index"), _ -> new ArrayList<>())
                        .add(row.getInt("ordinal")),
                _ -> {},
                campaign.id());
        return carried;
    }

    /** The first draws of the cells that were asked again; most campaigns have none, and no row is read. */
    @ReadOnly
    public Draws of(StoredCampaign campaign) {
        Map<Integer, List<Integer>> carried = carried(campaign);
        if (campaign.reruns() == 0) {
            return carried.isEmpty() ? Draws.ONCE : new Draws(List.of(), carried, 0);
        }
        return new Draws(
                sql.list(FIRST, DrawQueries::redraw, List.of(campaign.id())),
                carried,
                sql.first(WHOLE, row -> row.getInt(1), campaign.id()).orElse(0));
    }

    /**
     * The changes of counters of the branches of which cells were asked again.
     *
     * @return by campaign, then by the branch's index
     */
    @ReadOnly
    public Map<String, Map<Integer, Correction>> corrections(Collection<String> campaignIds) {
        Map<String, Map<Integer, Correction>> corrections = new HashMap<>();
        sql.list(CORRECTIONS, Corrected::read, campaignIds)
                .forEach(one -> corrections
                        .computeIfAbsent(one.campaignId(), _ -> new HashMap<>())
                        .put(one.branchIndex(), one.correction()));
        return corrections;
    }

    private record Corrected(String campaignId, int branchIndex, Correction correction) {

        static Corrected read(ResultSet row) throws SQLException {
            return new Corrected(
                    row.getString("campaign_id"),
                    row.getInt("branch_index"),
                    new Correction(
                            row.getLong("passed"),
                            row.getLong("failed"),
                            row.getLong("unscored"),
                            row.getLong("unanswered"),
                            row.getLong("open")));
        }
    }

    private static Redraw redraw(ResultSet row) throws SQLException {
        return new Redraw(
                row.getInt("member"), row.getInt("ordinal"), row.getBoolean("passed"), (Double) row.getObject("score"));
    }
}
