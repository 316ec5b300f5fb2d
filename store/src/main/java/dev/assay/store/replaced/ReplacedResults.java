package dev.assay.store.replaced;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.page.PageToken;
import dev.assay.store.result.FilteredTrials;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.ListReader;
import dev.assay.store.sql.ListReader.ListQuery;
import dev.assay.store.sql.Octets;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results that re-runs replaced. */
@Singleton
public class ReplacedResults {

    private static final TypeReference<JsonNode> TREE = new TypeReference<>() {};

    // The names of columns are no names of the API.
    private static final String RESULT = """
        CASE r.kind
        WHEN 'trial' THEN jsonb_build_object('selectedIndex', r.result -> 'selected_index', 'strategy', r.result -> 'strategy',
            'reason', r.result -> 'reason', 'fallback', r.result -> 'fallback')
        WHEN 'judge_call' THEN jsonb_build_object('status', r.result -> 'status', 'shown', r.result -> 'shown',
            'reply', r.result -> 'reply', 'evaluator', r.result -> 'evaluator_hash', 'costUsd', r.result -> 'cost_usd', 'latencyMs', r.result -> 'latency_ms',
            'attempts', r.result -> 'attempts', 'errorCode', r.result -> 'error_code', 'errorMessage', r.result -> 'error_message')
        ELSE jsonb_build_object('status', r.result -> 'status', 'passed', r.result -> 'passed', 'response', r.result -> 'response',
            'newMessages', r.result -> 'messages', 'checks', r.result -> 'checks', 'totalTokens', CASE WHEN
            r.result ->> 'status' IN ('COMPLETED', 'LIMIT') THEN nullif(r.result -> 'total_tokens', '0') ELSE r.result -> 'total_tokens' END,
            'costUsd', r.result -> 'cost_usd', 'attempts', r.result -> 'attempts', 'latencyMs',
            CASE WHEN r.result ->> 'delivery' = 'BATCH' THEN NULL ELSE r.result -> 'latency_ms' END,
            'errorCode', r.result -> 'error_code', 'errorMessage', r.result -> 'error_message',
            'finishedAt', r.result -> 'finished_at')
        END\
        """;

    private static final String PLACE = "r.rerun, r.kind, r.ordinal, r.member";

    private final ListReader lists;
    private final FilteredTrials trials;

    ReplacedResults(ListReader lists, FilteredTrials trials) {
        this.lists = lists;
        this.trials = trials;
    }

    private record Placed(ReplacedRow row, int ordinal) {}

    /**
     * The results that re-runs of an existing campaign replaced, oldest re-run first.
     *
     * @param caseId only of this case; null: of all
     * @param trial only of this repetition, from 1; null: of all
     */
    public Page<ReplacedRow> page(
            String campaignId, @Nullable String caseId, @Nullable Integer trial, PageRequest request) {
        return lists.page(
                        request,
                        () -> list(campaignId, caseId, trial, request.token()),
                        last -> PageToken.of(
                                last.row().rerun(),
                                last.row().kind(),
                                last.ordinal(),
                                last.row().member()))
                .map(Placed::row);
    }

    private ListQuery<Placed> list(
            String campaignId, @Nullable String caseId, @Nullable Integer trial, @Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(campaignId));
        String where = "";
        if (caseId != null) {
            where += " AND r.ordinal = ANY (?)";
            parameters.add(trials.ofCase(campaignId, caseId));
        }
        if (trial != null) {
            where += FilteredTrials.ofRepetition("r", trial, parameters);
        }
        if (pageToken != null) {
            PageToken token = PageToken.parse(pageToken, 4);
            where += " AND (r.rerun, r.kind, r.ordinal, r.member) > (?, ?, ?, ?)";
            parameters.addAll(List.of(token.integer(0), token.keys().get(1), token.integer(2), token.integer(3)));
        }
        String page = """
             FROM (SELECT r.* FROM replaced_result r JOIN campaign c USING (campaign_id) WHERE r.campaign_id = ?\
            """ + where + " ORDER BY " + PLACE + " LIMIT ?) r ";
        return new ListQuery<>(
                "SELECT " + Octets.ofValues("r.result") + " AS octets" + page + "ORDER BY " + PLACE,
                "SELECT " + PLACE + ", r.replaced_at, k.case_id, b.branch_id, r.ordinal / c.case_count + 1 AS trial, "
                        + RESULT + " AS shown" + page + """
                        JOIN campaign c USING (campaign_id)
                        JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = r.ordinal % c.case_count
                        LEFT JOIN campaign_branch b
                            ON r.kind = 'outcome' AND b.campaign_id = r.campaign_id AND b.branch_index = r.member
                        ORDER BY\
                        """ + " " + PLACE,
                ReplacedResults::read,
                parameters);
    }

    private static Placed read(ResultSet row) throws SQLException {
        return new Placed(
                new ReplacedRow(
                        row.getInt("rerun"),
                        row.getString("kind"),
                        row.getString("case_id"),
                        row.getInt("trial"),
                        row.getInt("member"),
                        row.getString("branch_id"),
                        Columns.instant(row, "replaced_at"),
                        Columns.json(row, "shown", TREE)),
                row.getInt("ordinal"));
    }
}
