package dev.assay.store.campaign;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.plan.OrderRule;
import dev.assay.store.cassette.CassetteRepository;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.ListReader;
import dev.assay.store.sql.ListReader.ListQuery;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.RowColumns;
import dev.assay.store.sql.Sql;
import dev.assay.store.suite.CaseRepository;
import dev.assay.store.workspace.WorkspaceRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Campaigns: created once, moved from state to state by single statements that check as they write. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class CampaignRepository implements QueryRepository {

    private static final RowColumns<NewCampaign> COLUMNS = RowColumns.<NewCampaign>of()
            .key("campaign_id", NewCampaign::id)
            .column("name", row -> row.definition().name())
            .column("suite_id", NewCampaign::suiteId)
            .column("case_count", row -> row.submission().suite().cases().size())
            .column("trials", row -> row.definition().trials())
            .column("definition", "jsonb", NewCampaign::document)
            .constant("state", "'PENDING'")
            .column("max_concurrent", row -> row.definition().limits().maxConcurrent())
            .column("budget_usd", row -> row.definition().limits().budgetUsd())
            .column("idempotency_key", row -> row.origin().idempotencyKey())
            .column("stop", row -> row.submission().stop().word())
            .column("order_seed", row -> seed(row.submission().order()))
            .column("created_by", row -> row.origin().createdBy())
            .column("metadata", "jsonb", row -> noted(row.submission()))
            .column(
                    "warnings",
                    row -> row.submission().warnings().stream().map(Enum::name).toList());

    private static final String INSERT = COLUMNS.insert("campaign") + " ON CONFLICT DO NOTHING";

    private static final String RUNS_A_SUITE = """
        NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.evaluation_id = c.campaign_id)
        AND NOT EXISTS (SELECT 1 FROM hypothesis_evaluation h WHERE h.evaluation_id = c.campaign_id)\
        """;

    private final Sql sql;
    private final ListReader lists;
    private final CaseRepository cases;
    private final CassetteRepository cassettes;
    private final WorkspaceRepository workspaces;

    CampaignRepository(
            Sql sql,
            ListReader lists,
            CaseRepository cases,
            CassetteRepository cassettes,
            WorkspaceRepository workspaces) {
        this.workspaces = workspaces;
        this.sql = sql;
        this.lists = lists;
        this.cases = cases;
        this.cassettes = cassettes;
    }

    /**
     * Stores suite, cassettes, campaign and branches in one transaction, or nothing. The campaign is PENDING. Idempotent for the
     * same id with the same content.
     *
     * @throws AssayException CONFLICT when another campaign has the id
     */
    @Transactional
    public void create(String campaignId, CampaignSubmission submission) {
        create(campaignId, submission, SubmissionOrigin.UNKNOWN);
    }

    /**
     * As {@link #create(String, CampaignSubmission)}, but at most once for each idempotency key. The creator stays who sent it first.
     *
     * @return the id of the campaign that was created, now or earlier with the same key
     * @throws AssayException CONFLICT when another campaign has the id, or the key came with other content
     */
    @Transactional
    public String create(String campaignId, CampaignSubmission submission, SubmissionOrigin origin) {
        String idempotencyKey = origin.idempotencyKey();
        String suiteId = cases.store(submission.suite());
        String document = submission.document().toString();
        if (insert(campaignId, suiteId, submission, document, origin)) {
            insertBranches(campaignId, submission.definition());
            submission.cassettes().forEach(cassettes::store);
            if (!workspaces.name(campaignId, submission.definition().workspaceIds())) {
                throw missingWorkspace();
            }
            return campaignId;
        }
        return sql.first(
                        """
                        SELECT campaign_id FROM campaign
                        WHERE (campaign_id = ? OR idempotency_key = ?) AND suite_id = ? AND definition = ?::jsonb AND stop = ?
                          AND (order_seed IS NOT NULL) = ? AND metadata IS NOT DISTINCT FROM ?::jsonb
                        ORDER BY idempotency_key = ? DESC NULLS LAST LIMIT 1\
                        """,
                        row -> row.getString("campaign_id"),
                        campaignId,
                        idempotencyKey,
                        suiteId,
                        document,
                        submission.stop().word(),
                        submission.order() == OrderRule.DRAWN,
                        noted(submission),
                        idempotencyKey)
                .orElseThrow(() -> taken(campaignId, idempotencyKey));
    }

    private static AssayException missingWorkspace() {
        return AssayException.invalid(
                "The campaign names a workspace that is not stored",
                List.of(new FieldError(
                        "branches", "A `workspace` is not stored; upload it by PUT /api/v1/workspaces first.")));
    }

    /** The campaign; empty when there is none with this id. */
    @ReadOnly
    public Optional<StoredCampaign> find(String campaignId) {
        return sql.first(
                "SELECT " + CampaignRow.COLUMNS + CampaignRow.FROM + " WHERE c.campaign_id = ?",
                CampaignRow::read,
                campaignId);
    }

    /**
     * The campaign.
     *
     * @throws AssayException NOT_FOUND
     */
    @ReadOnly
    public StoredCampaign required(String campaignId) {
        return find(campaignId).orElseThrow(() -> missing(campaignId));
    }

    /** The error of a request that names a campaign which does not exist. */
    public static AssayException missing(String campaignId) {
        return new AssayException(ErrorCode.NOT_FOUND, "There is no campaign " + campaignId);
    }

    /** The summary, as JSON, that was stored when the campaign completed; empty before, and for an unknown one. */
    @ReadOnly
    @Query("SELECT summary FROM campaign WHERE campaign_id = :campaignId AND summary IS NOT NULL")
    public abstract Optional<String> summary(String campaignId);

    /** The sentence of that summary which names the rule that decided; empty before, and where an earlier build stored it. */
    @ReadOnly
    @Query("SELECT summary ->> 'sentence' FROM campaign WHERE campaign_id = :campaignId AND summary ->> 'sentence' IS"
            + " NOT NULL")
    public abstract Optional<String> rule(String campaignId);

    /** Campaigns that run suites, and are no evaluations of any kind, newest first. */
    public Page<StoredCampaign> list(CampaignSearch filter, PageRequest request) {
        return lists.page(
                request, () -> query(filter, request.token()), last -> PageToken.of(last.createdAt(), last.id()));
    }

    private static ListQuery<StoredCampaign> query(CampaignSearch filter, @Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>();
        String from = CampaignRow.FROM + " WHERE " + RUNS_A_SUITE + filter.where(parameters)
                + CampaignRow.after(pageToken, parameters);
        return new ListQuery<>(
                CampaignRow.sizes(CampaignRow.OCTETS, from),
                "SELECT " + CampaignRow.COLUMNS + from + CampaignRow.NEWEST_FIRST,
                CampaignRow::read,
                parameters);
    }

    /**
     * The ids of the campaigns that have not ended: PENDING, RUNNING and PAUSED, oldest first. Those whose state or epoch changed
     * within the last 5 s are left out: the process that changed it may be starting the workflow now.
     *
     * @param justRunningToo whether RUNNING ones are taken however lately they changed
     */
    @ReadOnly
    @Query("""
        SELECT campaign_id FROM campaign
        WHERE state IN ('PENDING', 'RUNNING', 'PAUSED')
          AND (changed_at <= clock_timestamp() - interval '5 seconds' OR (:justRunningToo AND state = 'RUNNING'))
        ORDER BY created_at, campaign_id
        """)
    public abstract List<String> unfinished(boolean justRunningToo);

    /**
     * Moves a campaign to another state if it is in one of {@code from}. A campaign that goes on loses its end, verdict, reason and
     * summary.
     *
     * @param raiseEpoch whether work in progress becomes stale
     * @param reason why it could not go on; kept only for FAILED and CANCELLED
     * @return the campaign after the change; empty when it does not exist or is in another state
     */
    @Transactional
    public Optional<StoredCampaign> transition(
            String campaignId, Set<CampaignState> from, CampaignState to, boolean raiseEpoch, @Nullable String reason) {
        return sql.first(
                """
                    UPDATE campaign c SET
                        state = ?,
                        epoch = c.epoch + ?,
                        failure_reason = ?,
                        paused_for = NULL,
                        started_at = CASE WHEN ? THEN coalesce(c.started_at, now()) ELSE c.started_at END,
                        finished_at = CASE WHEN ? THEN now() END,
                        verdict = CASE WHEN ? THEN c.verdict END,
                        summary = CASE WHEN ? THEN c.summary END
                    FROM suite s
                    WHERE s.suite_id = c.suite_id AND c.campaign_id = ? AND c.state = ANY (?)
                    RETURNING\
                    """ + " " + CampaignRow.COLUMNS,
                CampaignRow::read,
                to.name(),
                raiseEpoch ? 1 : 0,
                to == CampaignState.FAILED || to == CampaignState.CANCELLED ? reason : null,
                to == CampaignState.RUNNING,
                to.ended(),
                to.ended(),
                to.ended(),
                campaignId,
                names(from));
    }

    /**
     * Raises the epoch of a campaign that is in one of {@code states}, so that work in progress becomes stale.
     *
     * @return the campaign after the change; empty when it does not exist or is in another state
     */
    @Transactional
    public Optional<StoredCampaign> raiseEpoch(String campaignId, Set<CampaignState> states) {
        return sql.first("""
            UPDATE campaign c SET epoch = c.epoch + 1 FROM suite s
            WHERE s.suite_id = c.suite_id AND c.campaign_id = ? AND c.state = ANY (?)
            RETURNING\
            """ + " " + CampaignRow.COLUMNS, CampaignRow::read, campaignId, names(states));
    }

    /**
     * Ends a RUNNING campaign with its verdict, unless it has changed since it was read. A new epoch, more trials, a re-run or a
     * raised budget may have opened cells.
     *
     * @param seen the campaign as it was when nothing was open
     * @param trialRates the pass rate of each branch's trials, by its id
     * @return whether it did
     */
    @Transactional
    public boolean complete(
            StoredCampaign seen, Verdict verdict, String summaryJson, Map<String, Proportion> trialRates) {
        boolean ends =
                sql.update("""
                    UPDATE campaign SET state = 'COMPLETED', verdict = ?, summary = ?::jsonb, finished_at = now()
                    WHERE campaign_id = ? AND epoch = ? AND trials = ? AND reruns = ? AND state = 'RUNNING'
                      AND NOT reopens_skipped\
                    """, verdict.name(), summaryJson, seen.id(), seen.epoch(), seen.trials(), seen.reruns())
                        == 1;
        if (ends) {
            sql.batch(
                    "UPDATE campaign_branch SET trial_rate = ?::jsonb WHERE campaign_id = ? AND branch_id = ?",
                    List.copyOf(trialRates.entrySet()),
                    rate -> Sql.row(Json.write(rate.getValue()), seen.id(), rate.getKey()));
        }
        return ends;
    }

    /**
     * Opens the cells that a RUNNING campaign skipped before its budget was raised, by a new epoch. For a campaign without work in
     * progress: the new epoch then aborts nothing.
     */
    @Transactional
    public void reopenSkipped(RunKey run) {
        sql.update("""
            UPDATE campaign SET epoch = epoch + 1, reopens_skipped = false
            WHERE campaign_id = ? AND epoch = ? AND state = 'RUNNING' AND reopens_skipped\
            """, run.campaignId(), run.epoch());
    }

    /**
     * Ends a PENDING or RUNNING campaign that could not go on, unless its epoch has moved on.
     *
     * @return whether it did
     */
    @Transactional
    public boolean fail(RunKey run, String reason) {
        return sql.update("""
            UPDATE campaign SET state = 'FAILED', failure_reason = ?, finished_at = now()
            WHERE campaign_id = ? AND epoch = ? AND state IN ('PENDING', 'RUNNING')\
            """, reason, run.campaignId(), run.epoch()) == 1;
    }

    private boolean insert(
            String campaignId,
            String suiteId,
            CampaignSubmission submission,
            String document,
            SubmissionOrigin origin) {
        NewCampaign row = new NewCampaign(campaignId, suiteId, submission, document, origin);
        return sql.update(INSERT, COLUMNS.parameters(row)) == 1;
    }

    private record NewCampaign(
            String id, String suiteId, CampaignSubmission submission, String document, SubmissionOrigin origin) {

        CampaignDefinition definition() {
            return submission.definition();
        }
    }

    /** The metadata as it is stored; null: there is none. */
    private static @Nullable String noted(CampaignSubmission submission) {
        Map<String, String> values = submission.metadata().values();
        return values.isEmpty() ? null : Json.write(values);
    }

    private static @Nullable Long seed(OrderRule order) {
        return switch (order) {
            case GIVEN -> null;
            case DRAWN -> ThreadLocalRandom.current().nextLong();
        };
    }

    private void insertBranches(String campaignId, CampaignDefinition definition) {
        List<Branch> branches = definition.branches();
        sql.batch(
                """
                INSERT INTO campaign_branch (campaign_id, branch_index, branch_id, provider, model)
                VALUES (?, ?, ?, ?, ?)\
                """,
                IntStream.range(0, branches.size()).boxed().toList(),
                i -> Sql.row(
                        campaignId,
                        i,
                        branches.get(i).id(),
                        branches.get(i).agent().storedProvider(),
                        branches.get(i).agent().storedName()));
    }

    private static AssayException taken(String campaignId, @Nullable String idempotencyKey) {
        return new AssayException(
                ErrorCode.CONFLICT,
                idempotencyKey == null
                        ? "Campaign id " + campaignId + " is taken by another campaign: choose another one"
                        : "Idempotency key " + idempotencyKey
                                + " was used for another campaign: send a new key with new content");
    }

    private static List<String> names(Collection<CampaignState> states) {
        return states.stream().map(Enum::name).toList();
    }
}
