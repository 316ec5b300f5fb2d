package dev.assay.store.estimate;

import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.estimate.RecordedUse;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the records of earlier campaigns from which a new one is planned. */
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
        SELECT b.campaign_id, sum(p.cells_done - p.unknown_usage)::bigint AS calls,
            (SELECT sum(s.busy_ms)::float8 / nullif(sum(s.cells), 0) / 1000 FROM series s
             WHERE s.campaign_id = b.campaign_id AND NOT EXISTS (
                 SELECT 1 FROM provider_batch d WHERE d.campaign_id = b.campaign_id)) AS seconds, %s
        FROM campaign_branch b JOIN campaign c USING (campaign_id)
            JOIN progress p ON p.campaign_id = b.campaign_id AND p.kind = 'branch' AND p.member = b.branch_index
        WHERE b.provider = ? AND b.model = ? AND (?::text IS NULL OR b.campaign_id = ?) AND c.deleted_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.evaluation_id = c.campaign_id)
            AND NOT EXISTS (SELECT 1 FROM hypothesis_evaluation h WHERE h.evaluation_id = c.campaign_id)
        GROUP BY b.campaign_id, b.branch_index, c.name, c.created_at
        HAVING sum(p.cells_done - p.unknown_usage) > 0 AND sum(p.total_tokens) > 0
        ORDER BY c.name = ? DESC, c.created_at DESC, b.branch_index LIMIT 1\
        """.formatted(TOKENS.formatted("p"));

    /** The newest campaigns that asked a model, and requests of each, are looked at: what that takes is bounded. */
    private static final String MEAN_LIVE_CALL = """
        SELECT (avg(extract(epoch FROM l.settled_at - l.sent_at)) * 1000)::bigint
        FROM (SELECT DISTINCT ON (c.created_at, b.campaign_id) b.campaign_id
              FROM campaign_branch b JOIN campaign c USING (campaign_id)
              WHERE b.provider = ? AND b.model = ? AND c.deleted_at IS NULL
              ORDER BY c.created_at DESC, b.campaign_id LIMIT 5) n
        CROSS JOIN LATERAL (SELECT * FROM ledger a WHERE a.campaign_id = n.campaign_id AND a.state = 'ANSWERED' LIMIT 2000) l
        WHERE l.provider = ? AND l.model = ? AND l.kind = 'branch' AND l.batch_id IS NULL\
        """;

    private static final String USE_OF_JUDGES = "SELECT count(*) AS calls,"
            + " avg(j.latency_ms) FILTER (WHERE j.delivery = 'LIVE')::float8 / 1000 AS seconds, "
            + TOKENS.formatted("j")
            + "FROM judge_call j WHERE campaign_id = ? AND graded_branch IS NULL AND input_tokens IS NOT NULL"
            + " AND output_tokens IS NOT NULL AND total_tokens > 0 HAVING count(*) > 0";

    /** Campaigns that are looked at, the newest first: one of a name and model most often has the same cases. */
    private static final int MOST = 20;

    /** Branches that asked what a planned one will ask: a model, program or system, or else one of the same id. */
    private static final String ENDED = """
        SELECT b.campaign_id, b.branch_index, s.suite_id, s.name AS suite_name
        FROM campaign_branch b JOIN campaign c USING (campaign_id) JOIN suite s USING (suite_id)
        WHERE b.provider = ? AND b.model IS NOT DISTINCT FROM ? AND (b.model IS NOT NULL OR b.branch_id = ?)
            AND s.case_count = ? AND c.state IN ('COMPLETED', 'CANCELLED', 'FAILED')
            AND (?::text IS NULL OR c.campaign_id = ?) AND c.deleted_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.evaluation_id = c.campaign_id)
            AND NOT EXISTS (SELECT 1 FROM hypothesis_evaluation h WHERE h.evaluation_id = c.campaign_id)
        ORDER BY c.name = ? DESC, c.created_at DESC, b.branch_index LIMIT %d\
        """.formatted(MOST);

    private final Sql sql;

    RecordedRunsRepository(Sql sql) {
        this.sql = sql;
    }

    /** A branch of a campaign that has ended. */
    public record EndedBranch(String campaignId, int branchIndex, String suiteId, String suiteName) {

        static EndedBranch read(ResultSet row) throws SQLException {
            return new EndedBranch(
                    row.getString("campaign_id"),
                    row.getInt("branch_index"),
                    row.getString("suite_id"),
                    row.getString("suite_name"));
        }
    }

    /**
     * The tokens of a branch that asked a model: of the newest campaign called {@code name}, else of the newest.
     *
     * @param from only of this campaign; null: of any
     */
    @ReadOnly
    public Optional<RecordedUse> ofModel(ModelChoice choice, String name, @Nullable String from) {
        return sql.first(
                USE_OF_MODEL,
                row -> use(row.getString("campaign_id"), row),
                choice.provider(),
                choice.model(),
                from,
                from,
                name);
    }

    /** The mean time of live calls of a model, as the ledger has them; empty: none is known. */
    @ReadOnly
    public Optional<Duration> meanLiveCall(String provider, String model) {
        return sql.first(
                        MEAN_LIVE_CALL,
                        row -> Optional.ofNullable(row.getObject(1, Long.class)).map(Duration::ofMillis),
                        provider,
                        model,
                        provider,
                        model)
                .flatMap(mean -> mean);
    }

    /** The tokens of a campaign's judge calls. */
    @ReadOnly
    public Optional<RecordedUse> ofJudges(String campaignId) {
        return sql.first(USE_OF_JUDGES, row -> use(campaignId, row), campaignId);
    }

    private static RecordedUse use(String campaignId, ResultSet row) throws SQLException {
        return new RecordedUse(
                campaignId, row.getLong("calls"), Columns.usage(row), row.getObject("seconds", Double.class));
    }

    /**
     * Branches like {@code branch} of ended campaigns over as many cases: those called {@code name} first, then the newest; 20 at
     * most.
     *
     * @param from only of this campaign; null: of any
     */
    @ReadOnly
    public List<EndedBranch> ended(Branch branch, int cases, String name, @Nullable String from) {
        return sql.list(
                ENDED,
                EndedBranch::read,
                branch.agent().provider(),
                branch.agent().storedName(),
                branch.id(),
                cases,
                from,
                from,
                name);
    }
}
