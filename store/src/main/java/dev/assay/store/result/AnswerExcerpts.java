package dev.assay.store.result;

import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.QueryRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.util.List;

/** The beginning of answers, for people who look through them. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class AnswerExcerpts implements QueryRepository {

    /**
     * The recorded outcomes of some cells of a campaign, in the order of their places.
     *
     * @param branches of the campaign
     * @param places of cells in the matrix, each once
     */
    // OFFSET 0: PostgreSQL looks each up by its key, without statistics too.
    @ReadOnly
    @Query("""
        SELECT p.place, o.status, o.passed, o.passed_before, o.answer, octet_length(o.answer) < o.octets AS cut, left(o.reason, 300) AS reason,
               o.score, o.cost_usd, o.latency_ms
        FROM unnest(CAST(:places AS bigint[])) AS p(place)
        CROSS JOIN LATERAL (
            SELECT o.passed, o.passed_before, left(o.response, 600) AS answer, octet_length(o.response) AS octets, o.score, o.cost_usd,
                   CASE WHEN o.delivery = 'LIVE' THEN o.latency_ms END AS latency_ms,
                   CASE WHEN o.passed THEN NULL ELSE coalesce(o.error_message,
                       jsonb_path_query_first(o.checks, '$[*] ? (@.status == "FAILED" && @.required == true).reason') #>> '{}',
                       jsonb_path_query_first(o.checks, '$[*] ? (@.status == "FAILED").reason') #>> '{}',
                       jsonb_path_query_first(o.checks, '$[*] ? (@.status == "UNSCORED").reason') #>> '{}') END AS reason,
        """ + OutcomeColumns.STATUS + """

            FROM outcome o
            WHERE o.campaign_id = :campaignId AND o.ordinal = p.place / :branches AND o.branch_index = p.place % :branches OFFSET 0) o
        ORDER BY p.place
        """)
    public abstract List<AnswerExcerpt> find(
            String campaignId, int branches, @TypeDef(type = DataType.LONG_ARRAY) List<Long> places);
}
