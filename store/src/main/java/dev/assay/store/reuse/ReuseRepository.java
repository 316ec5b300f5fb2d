package dev.assay.store.reuse;

import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.draw.RequestName;
import dev.assay.domain.draw.ReusePolicy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.RowReader;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks for stored answers to the requests of a campaign. */
@Singleton
public class ReuseRepository {

    /** Candidates among which the latest is chosen: re-runs may have made the draw that counts older than its cell. */
    private static final int MOST = 20;

    // An answer of the campaign itself is no candidate.
    private static final String CANDIDATES = """
        SELECT o.campaign_id, o.ordinal, o.branch_index, o.source, o.status, o.answered_at, c.reruns
        FROM outcome o JOIN campaign c USING (campaign_id)
        WHERE o.request_key = ? AND o.request_rank = ? AND coalesce(o.origin_trial, o.trial) = ? AND o.campaign_id <> ?
          AND o.source IN ('LIVE', 'REUSED') AND c.deleted_at IS NULL%s
        ORDER BY o.answered_at DESC, (o.source <> 'LIVE'), o.campaign_id LIMIT %d\
        """;

    private static final String OF_ANY = CANDIDATES.formatted("", MOST);
    private static final String OF_NAMED = CANDIDATES.formatted(" AND o.campaign_id = ANY (?::text[])", MOST);

    /** Of a cell that was asked again the draw that counts: the oldest one with a verdict since its whole branch was asked again. */
    private static final String COUNTING = """
        SELECT r.rerun, r.result ->> 'status' AS status, (r.result ->> 'answered_at')::timestamptz AS answered_at
        FROM generate_series(1, ?) AS again (rerun)
        JOIN replaced_result r ON r.campaign_id = ? AND r.rerun = again.rerun AND r.kind = 'outcome' AND r.ordinal = ? AND r.member = ?
        WHERE r.result ->> 'status' IN ('COMPLETED', 'LIMIT') AND r.result ->> 'passed' IS NOT NULL
          AND r.rerun > coalesce((SELECT max(w.rerun) FROM whole_rerun w
                                  WHERE w.campaign_id = r.campaign_id AND w.branch_index = r.member), 0)
        ORDER BY r.rerun LIMIT 1\
        """;

    private static final String WAS_ASKED = """
        SELECT 1 FROM generate_series(1, ?) AS again (rerun)
        JOIN replaced_result r ON r.campaign_id = ? AND r.rerun = again.rerun AND r.kind = 'outcome' AND r.ordinal = ? AND r.member = ?\
        """;

    /** A draw, unless another cell of the asking campaign holds it. */
    private static final String READ = """
        SELECT d.* FROM (
            SELECT o.messages, o.original_context_length, o.response, o.finish_reason, o.requested, o.effective, o.served, o.warnings,
                   o.input_tokens, o.output_tokens, o.reasoning_tokens, o.cache_read_tokens, o.cache_write_tokens, o.total_tokens,
                   o.cost_usd, o.latency_ms, o.answered_at, o.request_key,
                   coalesce(o.origin_campaign, o.campaign_id) AS origin_campaign, coalesce(o.origin_case, k.case_id) AS origin_case,
                   coalesce(o.origin_branch, b.branch_id) AS origin_branch, coalesce(o.origin_trial, o.trial) AS origin_trial,
                   coalesce(o.origin_draw, %s) AS origin_draw
            FROM %s
            JOIN campaign c ON c.campaign_id = o.campaign_id
            JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = o.case_index
            JOIN campaign_branch b ON b.campaign_id = o.campaign_id AND b.branch_index = o.branch_index
            WHERE %s) d
        WHERE d.request_key = ? AND NOT EXISTS (
            SELECT 1 FROM outcome own
            WHERE own.campaign_id = ? AND (own.ordinal, own.branch_index) <> (?, ?)
              AND (own.origin_campaign, own.origin_case, own.origin_branch, own.origin_trial, own.origin_draw)
                = (d.origin_campaign, d.origin_case, d.origin_branch, d.origin_trial, d.origin_draw))\
        """;

    private static final String READ_RECORDED = READ.formatted(
            "CASE WHEN c.reruns = 0 THEN 0 ELSE draw_number(o.campaign_id, o.ordinal, o.branch_index) END",
            "outcome o",
            "o.campaign_id = ? AND o.ordinal = ? AND o.branch_index = ?");

    private static final String READ_REPLACED = READ.formatted(
            """
            (SELECT count(*)::integer FROM generate_series(1, r.rerun - 1) AS before (rerun)
             JOIN replaced_result e ON e.campaign_id = r.campaign_id AND e.rerun = before.rerun AND e.kind = 'outcome'
                 AND e.ordinal = r.ordinal AND e.member = r.member AND NOT jsonb_exists(e.result, 'graded_again'))\
            """,
            "replaced_result r CROSS JOIN LATERAL jsonb_populate_record(NULL::outcome, r.result) o",
            "r.campaign_id = ? AND r.ordinal = ? AND r.member = ? AND r.kind = 'outcome' AND r.rerun = ?");

    /** A call that was made before in the campaign is made again: a re-run asked for it. */
    private static final String FIND_CALL = """
        SELECT j.reply, j.input_tokens, j.output_tokens, j.reasoning_tokens, j.cache_read_tokens, j.cache_write_tokens,
               j.total_tokens, j.cost_usd, j.latency_ms, j.requested, j.effective, j.served, j.answered_at,
               coalesce(j.origin_campaign, j.campaign_id) AS origin_campaign, coalesce(j.origin_case, k.case_id) AS origin_case,
               coalesce(j.origin_trial, j.ordinal / c.case_count + 1) AS origin_trial
        FROM judge_call j
        JOIN campaign c USING (campaign_id)
        JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = j.ordinal % c.case_count
        WHERE j.request_key = ? AND j.member = ? AND coalesce(j.origin_trial, j.ordinal / c.case_count + 1) = ?
          AND j.campaign_id <> ? AND c.deleted_at IS NULL AND j.status = 'COMPLETED' AND j.reply IS NOT NULL
          AND (?::text[] IS NULL OR j.campaign_id = ANY (?::text[]))
          AND (?::timestamptz IS NULL OR j.answered_at >= ?::timestamptz)
          AND NOT EXISTS (
              SELECT 1 FROM generate_series(1, ?) AS again (rerun)
              JOIN replaced_result own ON own.campaign_id = ? AND own.rerun = again.rerun AND own.kind = 'judge_call'
                AND own.ordinal = ? AND own.member = ?)
        ORDER BY j.answered_at DESC, (j.source <> 'LIVE'), j.campaign_id LIMIT 1\
        """;

    private static final String EARLIER_EQUALS = """
        SELECT case_index, earlier FROM (
            SELECT case_index, (row_number() OVER (PARTITION BY md5(jsonb_build_array(
                CASE WHEN ? THEN to_jsonb(prompts) END, CASE WHEN ? THEN prompt_messages END, context,
                CASE WHEN ?::text[] IS NULL THEN vars
                     ELSE (SELECT jsonb_object_agg(v.key, v.value ORDER BY v.key)
                           FROM jsonb_each(CASE WHEN jsonb_typeof(vars) = 'object' THEN vars END) v WHERE v.key = ANY (?::text[])) END)::text)
                ORDER BY case_index) - 1)::integer AS earlier
            FROM suite_case WHERE suite_id = ?) ranked
        WHERE earlier > 0\
        """;

    private final Sql sql;

    ReuseRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * The stored answer that a cell takes; empty: there is none, and it is asked.
     *
     * @param trial of the cell, from 1
     */
    @ReadOnly
    public Optional<ReusableAnswer> find(
            StoredCampaign campaign, ReusePolicy policy, int ordinal, int branchIndex, int trial, RequestName request) {
        if (campaign.reruns() > 0 && sql.exists(WAS_ASKED, campaign.reruns(), campaign.id(), ordinal, branchIndex)) {
            return Optional.empty();
        }
        Instant since = policy.since(campaign.createdAt());
        return candidates(campaign, policy, trial, request).stream()
                .map(this::counting)
                .filter(draw ->
                        draw.isAnswer() && (since == null || !draw.answeredAt().isBefore(since)))
                .sorted(BEST_FIRST)
                .flatMap(draw -> read(draw, campaign.id(), ordinal, branchIndex, request).stream())
                .findFirst();
    }

    /**
     * A draw that a cell may take.
     *
     * @param reruns of its campaign
     * @param rerun which re-run replaced it; null: none, it is in force
     */
    private record Candidate(
            String campaignId,
            int ordinal,
            int branchIndex,
            boolean isCopy,
            String status,
            Instant answeredAt,
            int reruns,
            @Nullable Integer rerun) {

        boolean isAnswer() {
            return status.equals(OutcomeStatus.COMPLETED.name());
        }
    }

    private static final Comparator<Candidate> BEST_FIRST = Comparator.comparing(Candidate::answeredAt)
            .reversed()
            .thenComparing(Candidate::isCopy)
            .thenComparing(Candidate::campaignId);

    private List<Candidate> candidates(StoredCampaign campaign, ReusePolicy policy, int trial, RequestName request) {
        RowReader<Candidate> reader = row -> new Candidate(
                row.getString("campaign_id"),
                row.getInt("ordinal"),
                row.getInt("branch_index"),
                !row.getString("source").equals(AnswerSource.LIVE.name()),
                row.getString("status"),
                Columns.instant(row, "answered_at"),
                row.getInt("reruns"),
                null);
        return policy.campaigns().isEmpty()
                ? sql.list(OF_ANY, reader, request.key(), request.rank(), trial, campaign.id())
                : sql.list(OF_NAMED, reader, request.key(), request.rank(), trial, campaign.id(), policy.campaigns());
    }

    private Candidate counting(Candidate inForce) {
        if (inForce.reruns() == 0) {
            return inForce;
        }
        return sql.first(
                        COUNTING,
                        row -> new Candidate(
                                inForce.campaignId(),
                                inForce.ordinal(),
                                inForce.branchIndex(),
                                inForce.isCopy(),
                                row.getString("status"),
                                Objects.requireNonNullElse(
                                        Columns.instantOrNull(row, "answered_at"), inForce.answeredAt()),
                                inForce.reruns(),
                                row.getInt("rerun")),
                        inForce.reruns(),
                        inForce.campaignId(),
                        inForce.ordinal(),
                        inForce.branchIndex())
                .orElse(inForce);
    }

    private Optional<ReusableAnswer> read(
            Candidate draw, String asking, int ordinal, int branchIndex, RequestName request) {
        Object[] cell = {draw.campaignId(), draw.ordinal(), draw.branchIndex()};
        Object[] asked = {request.key(), asking, ordinal, branchIndex};
        return draw.rerun() == null
                ? sql.first(READ_RECORDED, ReuseRepository::read, Sql.row(cell), Sql.row(asked))
                : sql.first(READ_REPLACED, ReuseRepository::read, Sql.row(cell), draw.rerun(), Sql.row(asked));
    }

    private static ReusableAnswer read(ResultSet row) throws SQLException {
        return new ReusableAnswer(
                new Outcome.Answer(
                        OutcomeColumns.messages(row, "messages"),
                        row.getInt("original_context_length"),
                        row.getString("response"),
                        Columns.provenance(row),
                        null,
                        row.getString("finish_reason")),
                measured(row),
                Columns.strings(row, "warnings"),
                new AnswerOrigin(
                        AnswerSource.REUSED,
                        new Draw(
                                row.getString("origin_campaign"),
                                row.getString("origin_case"),
                                row.getString("origin_branch"),
                                row.getInt("origin_trial"),
                                row.getInt("origin_draw")),
                        Columns.instant(row, "answered_at")));
    }

    /**
     * The stored call of the same slot and trial that stands in for one of a judge or grader; empty: it is made.
     *
     * @param slot number of the call in its trial
     * @param trial of the cell, from 1
     */
    @ReadOnly
    public Optional<ReusableCall> findCall(
            StoredCampaign campaign, ReusePolicy policy, int ordinal, int slot, int trial, String key) {
        Collection<String> campaigns = policy.campaigns().isEmpty() ? null : policy.campaigns();
        Instant since = policy.since(campaign.createdAt());
        return sql.first(
                FIND_CALL,
                ReuseRepository::readCall,
                key,
                slot,
                trial,
                campaign.id(),
                campaigns,
                campaigns,
                since,
                since,
                campaign.reruns(),
                campaign.id(),
                ordinal,
                slot);
    }

    private static ReusableCall readCall(ResultSet row) throws SQLException {
        return new ReusableCall(
                row.getString("reply"),
                measured(row),
                Columns.provenance(row),
                new AnswerOrigin(
                        AnswerSource.REUSED,
                        new Draw(
                                row.getString("origin_campaign"),
                                row.getString("origin_case"),
                                "",
                                row.getInt("origin_trial"),
                                0),
                        Columns.instant(row, "answered_at")));
    }

    private static Measured measured(ResultSet row) throws SQLException {
        return new Measured(
                Columns.usage(row), row.getBigDecimal("cost_usd"), Duration.ofMillis(row.getLong("latency_ms")));
    }

    /**
     * How many earlier cases of a suite are asked as a case is, for the cases of which that is not 0.
     *
     * @param prompts whether prompts are part of what is asked
     * @param vars the vars that are; null: all
     */
    @ReadOnly
    public Map<Integer, Integer> earlierEquals(String suiteId, boolean prompts, @Nullable Set<String> vars) {
        return sql.byKey(
                EARLIER_EQUALS,
                row -> row.getInt("case_index"),
                row -> row.getInt("earlier"),
                prompts,
                prompts,
                vars,
                vars,
                suiteId);
    }
}
