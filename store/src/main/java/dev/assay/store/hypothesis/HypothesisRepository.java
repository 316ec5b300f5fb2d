package dev.assay.store.hypothesis;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.campaignfile.HypothesisReader.HypothesisSubmission;
import dev.assay.domain.hypothesis.BatchPlan;
import dev.assay.domain.hypothesis.Hypothesis;
import dev.assay.domain.hypothesis.HypothesisBatch;
import dev.assay.domain.hypothesis.Rubric;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.CampaignRow;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.hypothesis.BatchRow.End;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.ListReader;
import dev.assay.store.sql.ListReader.ListQuery;
import dev.assay.store.sql.Octets;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Hypothesis evaluations: campaigns of batches with a rubric. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class HypothesisRepository implements QueryRepository {

    private static final String FROM =
            CampaignRow.FROM + " JOIN hypothesis_evaluation h ON h.evaluation_id = c.campaign_id";

    private static final String SELECT = "SELECT h.mode, h.batch_size, h.max_concurrent AS planned_concurrent,"
            + " h.shuffle_seed, h.rubric, " + CampaignRow.COLUMNS + FROM;

    /** Of {@code campaign c}: the bytes of what the result of an evaluation is made of, replies included. */
    private static final String OCTETS = CampaignRow.OCTETS + " + coalesce((SELECT sum("
            + Octets.ofValues("b.hypothesis_ids", "b.shown", "o.messages") + """
            ) FROM hypothesis_batch b LEFT JOIN outcome o ON o.campaign_id = b.evaluation_id AND o.ordinal = b.batch_index
            WHERE b.evaluation_id = c.campaign_id), 0)\
            """;

    private static final TypeReference<Rubric> RUBRIC = new TypeReference<>() {};
    private static final TypeReference<List<Hypothesis>> HYPOTHESES = new TypeReference<>() {};

    private final Sql sql;
    private final ListReader lists;
    private final CampaignRepository campaigns;

    HypothesisRepository(Sql sql, ListReader lists, CampaignRepository campaigns) {
        this.sql = sql;
        this.lists = lists;
        this.campaigns = campaigns;
    }

    /**
     * The question of one call.
     *
     * @param rubric by which the hypotheses are scored
     */
    public record Question(Rubric rubric, HypothesisBatch batch) {}

    /**
     * Requests of an evaluation by its ledger.
     *
     * @param repairs batches that were asked again after an unusable reply
     */
    @Introspected
    public record Requests(long calls, long repairs) {}

    /**
     * Stores an evaluation and its campaign in one transaction, or nothing.
     *
     * @return the id of the evaluation that was created, now or earlier with the same key
     * @throws dev.assay.domain.error.AssayException CONFLICT when the key came with other content
     */
    @Transactional
    public String create(String evaluationId, HypothesisSubmission submission, SubmissionOrigin origin) {
        String created = campaigns.create(evaluationId, submission.campaign(), origin);
        if (!created.equals(evaluationId)) {
            return created;
        }
        BatchPlan plan = submission.plan();
        sql.update(
                """
                INSERT INTO hypothesis_evaluation (evaluation_id, mode, batch_size, max_concurrent, shuffle_seed, rubric)
                VALUES (?, ?, ?, ?, ?, ?::jsonb)\
                """,
                evaluationId,
                plan.mode().word(),
                plan.batchSize(),
                plan.maxConcurrent(),
                submission.shuffleSeed(),
                Json.write(submission.rubric()));
        List<HypothesisBatch> batches = submission.batches();
        sql.batch(
                """
                INSERT INTO hypothesis_batch (evaluation_id, batch_index, hypothesis_ids, shown, hypotheses)
                VALUES (?, ?, ?, ?, ?::jsonb)\
                """,
                IntStream.range(0, batches.size()).boxed().toList(),
                i -> Sql.row(
                        evaluationId,
                        i,
                        batches.get(i).ids(),
                        batches.get(i).shown(),
                        Json.write(batches.get(i).hypotheses())));
        return evaluationId;
    }

    /** The evaluation; empty when there is none with this id. */
    @ReadOnly
    public Optional<StoredHypotheses> find(String evaluationId) {
        return sql.first(SELECT + " WHERE h.evaluation_id = ?", HypothesisRepository::read, evaluationId);
    }

    /** The bytes of what the result of an evaluation is made of, replies included; 0 when there is none with this id. */
    @ReadOnly
    public long octets(String evaluationId) {
        return sql.first(
                        "SELECT " + OCTETS + " AS octets FROM campaign c WHERE c.campaign_id = ?",
                        row -> row.getLong("octets"),
                        evaluationId)
                .orElse(0L);
    }

    /** Evaluations, newest first. */
    public Page<StoredHypotheses> list(PageRequest request) {
        return lists.page(
                request,
                () -> query(request.token()),
                last -> PageToken.of(last.campaign().createdAt(), last.id()));
    }

    private static ListQuery<StoredHypotheses> query(@Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>();
        String where = " WHERE true" + CampaignRow.after(pageToken, parameters);
        return new ListQuery<>(
                CampaignRow.sizes(OCTETS, FROM + where),
                SELECT + where + CampaignRow.NEWEST_FIRST,
                HypothesisRepository::read,
                parameters);
    }

    private static StoredHypotheses read(ResultSet row) throws SQLException {
        long seed = row.getLong("shuffle_seed");
        Long shuffleSeed = row.wasNull() ? null : seed;
        BatchPlan plan = new BatchPlan(
                BatchPlan.Mode.valueOf(row.getString("mode").toUpperCase(Locale.ROOT)),
                row.getInt("batch_size"),
                row.getInt("planned_concurrent"));
        return new StoredHypotheses(CampaignRow.read(row), plan, shuffleSeed, Columns.json(row, "rubric", RUBRIC));
    }

    /** The question of the call of batch number {@code batchIndex}. */
    @ReadOnly
    public Question question(String evaluationId, int batchIndex) {
        return sql.first(
                        """
                        SELECT h.rubric, b.hypotheses, b.shown
                        FROM hypothesis_batch b JOIN hypothesis_evaluation h USING (evaluation_id)
                        WHERE b.evaluation_id = ? AND b.batch_index = ?\
                        """,
                        row -> new Question(
                                Columns.json(row, "rubric", RUBRIC),
                                new HypothesisBatch(
                                        Columns.json(row, "hypotheses", HYPOTHESES), Columns.strings(row, "shown"))),
                        evaluationId,
                        batchIndex)
                .orElseThrow();
    }

    /** The batches of an evaluation in order, with the result of each. Prompts are left out: they may take megabytes. */
    @ReadOnly
    public List<BatchRow> batches(String evaluationId) {
        return sql.list("""
            SELECT b.batch_index, b.hypothesis_ids, b.shown, o.status, o.error_code, o.error_message, o.cost_usd,
                   o.input_tokens, o.output_tokens, o.reasoning_tokens, o.cache_read_tokens, o.cache_write_tokens,
                   o.total_tokens,
                   coalesce(jsonb_path_query_array(o.messages, '$[*] ? (@.role == "assistant")'), '[]') AS replies
            FROM hypothesis_batch b
            LEFT JOIN outcome o ON o.campaign_id = b.evaluation_id AND o.ordinal = b.batch_index AND o.branch_index = 0
            WHERE b.evaluation_id = ? ORDER BY b.batch_index\
            """, HypothesisRepository::batch, evaluationId);
    }

    private static BatchRow batch(ResultSet row) throws SQLException {
        return new BatchRow(
                row.getInt("batch_index"),
                Columns.strings(row, "hypothesis_ids"),
                Columns.strings(row, "shown"),
                row.getString("status") == null ? null : end(row));
    }

    private static End end(ResultSet row) throws SQLException {
        List<String> replies = OutcomeColumns.messages(row, "replies").stream()
                .map(Message::text)
                .toList();
        return new End(replies, Columns.failure(row), Columns.usageOfAnswer(row), row.getBigDecimal("cost_usd"));
    }

    /** The requests that were sent for an evaluation. Those that were given up before had a reservation, but cost nothing. */
    @ReadOnly
    @Query("""
        SELECT count(*) AS calls, count(DISTINCT ordinal) FILTER (WHERE turn > 1) AS repairs
        FROM ledger
        WHERE campaign_id = :evaluationId
          AND (state = 'FAILED' AND error_code = 'CANCELLED' AND cost_usd = 0
               AND reserved_usd IS DISTINCT FROM 0) IS NOT TRUE
        """)
    public abstract Requests requests(String evaluationId);
}
