package dev.assay.store.evaluation;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CancelPolicy;
import dev.assay.domain.campaignfile.EvaluationSubmission;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.selection.JudgePlan;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.CampaignRow;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.ListReader;
import dev.assay.store.sql.ListReader.ListQuery;
import dev.assay.store.sql.Octets;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Evaluations: campaigns of one case with a place in a session. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class EvaluationRepository implements QueryRepository {

    private static final String FROM = CampaignRow.FROM + " JOIN evaluation v ON v.evaluation_id = c.campaign_id";

    private static final String SELECT =
            "SELECT v.continues_id, v.on_cancel, v.keeps_concurrency, " + CampaignRow.COLUMNS + FROM;

    /** Of {@code campaign c}: the bytes of an evaluation, its outcomes and its selection, as lists have them. */
    private static final String OCTETS = CampaignRow.OCTETS + " + coalesce((SELECT sum(512 + " + OutcomeColumns.OCTETS
            + ") FROM outcome o WHERE o.campaign_id = c.campaign_id), 0) + coalesce((SELECT sum("
            + Octets.ofTexts("t.reason") + " + " + Octets.ofValues("t.votes")
            + ") FROM trial t WHERE t.campaign_id = c.campaign_id), 0)";

    private final Sql sql;
    private final ListReader lists;
    private final CampaignRepository campaigns;
    private final EventRepository events;

    EvaluationRepository(Sql sql, ListReader lists, CampaignRepository campaigns, EventRepository events) {
        this.sql = sql;
        this.lists = lists;
        this.campaigns = campaigns;
        this.events = events;
    }

    /**
     * The place of an evaluation in its session.
     *
     * @param sessionId the session, which is new when nothing is continued
     * @param continuesId the evaluation that is continued; null: none
     */
    public record Place(String sessionId, @Nullable String continuesId) {}

    /**
     * Stores an evaluation and its campaign in one transaction, or nothing. It takes the next loop numbers of its session.
     *
     * @return the id of the evaluation that was created, now or earlier with the same key
     * @throws dev.assay.domain.error.AssayException CONFLICT when the key came with other content
     */
    @Transactional
    public String create(String evaluationId, EvaluationSubmission submission, Place place, SubmissionOrigin origin) {
        String created = campaigns.create(evaluationId, submission.campaign(), origin);
        if (!created.equals(evaluationId)) {
            return created;
        }
        int loops = loops(submission.campaign().definition());
        int last = sql.first("""
            INSERT INTO session (session_id, loops) VALUES (?, ?)
            ON CONFLICT (session_id) DO UPDATE SET loops = session.loops + excluded.loops RETURNING loops\
            """, row -> row.getInt("loops"), place.sessionId(), loops)
                .orElseThrow();
        sql.update(
                """
                INSERT INTO evaluation (evaluation_id, session_id, first_loop, continues_id, on_cancel, keeps_concurrency)
                VALUES (?, ?, ?, ?, ?, ?)\
                """,
                evaluationId,
                place.sessionId(),
                last - loops + 1,
                place.continuesId(),
                submission.onCancel().name(),
                submission.keepsConcurrency());
        StoredCampaign campaign = campaigns.find(evaluationId).orElseThrow();
        List<Branch> branches = campaign.definition().branches();
        List<String> loopIds = IntStream.range(0, branches.size())
                .mapToObj(i -> campaign.loopId(0, i, branches.get(i).segment()).text())
                .toList();
        events.append(
                evaluationId,
                List.of(new AgentEvent.ParallelLoopStart(place.sessionId(), loopIds, campaign.createdAt())));
        return evaluationId;
    }

    /** The number of loops: of its branches, and of all agents that may be asked to choose among them. */
    private static int loops(CampaignDefinition definition) {
        int branches = definition.branches().size();
        int own = definition.strategy().plugin().isPresent() ? 1 : 0;
        return branches + own + JudgePlan.slotBound(definition.strategy(), branches);
    }

    /** The evaluation; empty when there is none with this id. */
    @ReadOnly
    public Optional<StoredEvaluation> find(String evaluationId) {
        return sql.first(SELECT + " WHERE v.evaluation_id = ?", EvaluationRepository::read, evaluationId);
    }

    /**
     * Evaluations, newest first.
     *
     * @param sessionId only those of this session; null: all
     */
    public Page<StoredEvaluation> list(@Nullable String sessionId, PageRequest request) {
        return lists.page(
                request,
                () -> query(sessionId, request.token()),
                last -> PageToken.of(last.campaign().createdAt(), last.id()));
    }

    private static ListQuery<StoredEvaluation> query(@Nullable String sessionId, @Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>();
        String where = " WHERE true";
        if (sessionId != null) {
            where += " AND v.session_id = ?";
            parameters.add(sessionId);
        }
        where += CampaignRow.after(pageToken, parameters);
        return new ListQuery<>(
                CampaignRow.sizes(OCTETS, FROM + where),
                SELECT + where + CampaignRow.NEWEST_FIRST,
                EvaluationRepository::read,
                parameters);
    }

    private static StoredEvaluation read(ResultSet row) throws SQLException {
        return new StoredEvaluation(
                CampaignRow.read(row),
                row.getString("continues_id"),
                CancelPolicy.valueOf(row.getString("on_cancel")),
                row.getBoolean("keeps_concurrency"));
    }

    /** Whether a worker that is alive still runs cells of the evaluation. */
    @ReadOnly
    @Query("""
        SELECT EXISTS (
            SELECT FROM cell c JOIN worker w ON w.worker_id = c.claim_worker
            WHERE c.campaign_id = :evaluationId AND worker_is_live(w.lease_until))
        """)
    public abstract boolean isBusy(String evaluationId);

    /**
     * Cancels one branch of an evaluation that goes on; the others go on. Workers stop its calls, and close its cell at once if it
     * waits for another attempt.
     */
    @Transactional
    public void cancelBranch(String evaluationId, int branchIndex) {
        // No attempt is postponed meanwhile: later ones see the cancellation.
        sql.exists("SELECT 1 FROM campaign WHERE campaign_id = ? FOR UPDATE", evaluationId);
        sql.update(
                "INSERT INTO cancelled_branch (campaign_id, branch_index) VALUES (?, ?) ON CONFLICT DO NOTHING",
                evaluationId,
                branchIndex);
        sql.update("""
            UPDATE cell SET next_try_at = NULL
            WHERE campaign_id = ? AND kind = 'branch' AND member = ? AND NOT is_final AND next_try_at IS NOT NULL\
            """, evaluationId, branchIndex);
    }
}
