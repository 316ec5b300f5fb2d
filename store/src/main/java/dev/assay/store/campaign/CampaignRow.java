package dev.assay.store.campaign;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.plan.GivenOrder;
import dev.assay.domain.plan.TrialOrder;
import dev.assay.domain.results.ImportOrigin;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.stop.Stopping;
import dev.assay.store.campaign.StoredCampaign.CampaignStanding;
import dev.assay.store.campaign.StoredCampaign.HypothesisBatches;
import dev.assay.store.campaign.StoredCampaign.Imported;
import dev.assay.store.campaign.StoredCampaign.LimitsInForce;
import dev.assay.store.campaign.StoredCampaign.Purpose;
import dev.assay.store.campaign.StoredCampaign.Scoring;
import dev.assay.store.campaign.StoredCampaign.SessionPlace;
import dev.assay.store.campaign.StoredCampaign.SuiteRef;
import dev.assay.store.campaign.StoredCampaign.SuiteRun;
import dev.assay.store.campaign.StoredCampaign.Times;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Octets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Columns of a {@link StoredCampaign} and how they are read. */
public final class CampaignRow {

    /** Of {@code campaign c}. */
    public static final String CANCELLED_BRANCHES = """
        ARRAY(SELECT b.branch_index FROM cancelled_branch b WHERE b.campaign_id = c.campaign_id) AS cancelled_branches
        """;

    /** Of {@code campaign c} and {@code suite s}. */
    public static final String COLUMNS = """
        c.campaign_id, c.name, c.suite_id, s.name AS suite_name, c.case_count, c.trials, c.definition, c.definition ->> 'description' AS description, c.state, c.stop, c.extensions, c.order_seed,
        c.verdict, c.epoch, c.reruns, c.reopens_skipped, c.max_concurrent, c.budget_usd, c.max_outage_ms, c.failure_reason,
        c.created_at, c.started_at, c.finished_at, c.created_by, c.warnings, c.metadata,
        (SELECT v.session_id FROM evaluation v WHERE v.evaluation_id = c.campaign_id) AS session_id,
        (SELECT v.first_loop FROM evaluation v WHERE v.evaluation_id = c.campaign_id) AS first_loop,
        (SELECT ARRAY[g.of_campaign, g.of_name, (g.copied_at IS NOT NULL)::text] FROM scoring g WHERE g.campaign_id = c.campaign_id) AS scoring,
        (SELECT jsonb_build_object('tool', i.tool, 'toolVersion', i.tool_version, 'createdAt', i.created_at, 'complete', i.complete,
             'files', coalesce((SELECT jsonb_agg(jsonb_build_object('name', f.name, 'sha256', f.sha256, 'size', f.size) ORDER BY f.place)
                                FROM import_file f WHERE f.campaign_id = i.campaign_id), '[]'::jsonb))
         FROM imported_campaign i WHERE i.campaign_id = c.campaign_id) AS imported,
        EXISTS (SELECT 1 FROM hypothesis_evaluation h WHERE h.evaluation_id = c.campaign_id) AS scores_hypotheses,
        """ + CANCELLED_BRANCHES;

    /** The tables of {@link #COLUMNS}. A campaign that is being deleted is not found. */
    public static final String FROM =
            "FROM (SELECT * FROM campaign WHERE deleted_at IS NULL) c JOIN suite s USING (suite_id)";

    /** The order of pages of {@code campaign c}. */
    public static final String NEWEST_FIRST = " ORDER BY c.created_at DESC, c.campaign_id LIMIT ?";

    /** Of {@code campaign c}: the bytes of its texts. */
    public static final String OCTETS =
            Octets.ofTexts("c.name", "c.failure_reason") + " + " + Octets.ofValues("c.definition", "c.metadata");

    private CampaignRow() {}

    /**
     * The sizes of the campaigns of a page, in its order.
     *
     * @param octets of {@code campaign c}
     */
    public static String sizes(String octets, String from) {
        return "SELECT " + octets + " AS octets FROM (SELECT c.* " + from + NEWEST_FIRST
                + ") c ORDER BY c.created_at DESC, c.campaign_id";
    }

    /**
     * The condition for the next page of {@link #NEWEST_FIRST}.
     *
     * @param pageToken null: at the start
     * @return a condition after others
     */
    public static String after(@Nullable String pageToken, List<@Nullable Object> parameters) {
        if (pageToken == null) {
            return "";
        }
        PageToken token = PageToken.parse(pageToken, 2);
        parameters.addAll(
                List.of(token.instant(0), token.instant(0), token.keys().get(1)));
        return " AND (c.created_at < ? OR c.created_at = ? AND c.campaign_id > ?)";
    }

    /** The campaign of the current row. */
    public static StoredCampaign read(ResultSet row) throws SQLException {
        return new StoredCampaign(
                row.getString("campaign_id"),
                row.getString("name"),
                row.getString("description"),
                new SuiteRef(row.getString("suite_id"), row.getString("suite_name"), row.getInt("case_count")),
                DefinitionCache.definition(row.getString("definition")),
                limits(row),
                standing(row),
                new Times(
                        Columns.instant(row, "created_at"),
                        Columns.instantOrNull(row, "started_at"),
                        Columns.instantOrNull(row, "finished_at")),
                row.getString("created_by"),
                Columns.strings(row, "warnings").stream()
                        .map(CampaignWarning.Code::valueOf)
                        .toList(),
                purpose(row),
                metadata(row));
    }

    private static CampaignMetadata metadata(ResultSet row) throws SQLException {
        String stored = row.getString("metadata");
        Map<String, String> values = new TreeMap<>();
        if (stored != null) {
            Json.tree(stored)
                    .properties()
                    .forEach(one -> values.put(one.getKey(), one.getValue().textValue()));
        }
        return new CampaignMetadata(values);
    }

    private static LimitsInForce limits(ResultSet row) throws SQLException {
        StopRule rule = requireNonNull(StopRule.words().get(row.getString("stop")));
        Long maxOutage = row.getObject("max_outage_ms", Long.class);
        return new LimitsInForce(
                row.getInt("trials"),
                row.getInt("max_concurrent"),
                row.getBigDecimal("budget_usd"),
                new Stopping(rule, Columns.integers(row, "extensions")),
                maxOutage == null ? null : Duration.ofMillis(maxOutage));
    }

    private static Purpose purpose(ResultSet row) throws SQLException {
        String sessionId = row.getString("session_id");
        if (sessionId != null) {
            return new SessionPlace(sessionId, row.getInt("first_loop"));
        }
        if (row.getObject("scoring") != null) {
            List<String> scoring = Columns.strings(row, "scoring");
            return new Scoring(scoring.get(0), scoring.get(1), Boolean.parseBoolean(scoring.get(2)));
        }
        String imported = row.getString("imported");
        if (imported != null) {
            return new Imported(Json.read(imported, ImportOrigin.class));
        }
        return row.getBoolean("scores_hypotheses") ? new HypothesisBatches() : new SuiteRun(order(row));
    }

    private static TrialOrder order(ResultSet row) throws SQLException {
        Long seed = row.getObject("order_seed", Long.class);
        return seed == null ? new GivenOrder() : OrderCache.drawn(seed, row.getInt("case_count"));
    }

    private static CampaignStanding standing(ResultSet row) throws SQLException {
        String verdict = row.getString("verdict");
        return new CampaignStanding(
                CampaignState.valueOf(row.getString("state")),
                verdict == null ? null : Verdict.valueOf(verdict),
                row.getInt("epoch"),
                row.getInt("reruns"),
                row.getBoolean("reopens_skipped"),
                row.getString("failure_reason"),
                Set.copyOf(Columns.integers(row, "cancelled_branches")));
    }
}
