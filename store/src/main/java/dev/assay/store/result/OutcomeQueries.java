package dev.assay.store.result;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.message.Message;
import dev.assay.store.label.LabelledOutcomes;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Outcomes for people. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class OutcomeQueries implements QueryRepository {

    /** More than a campaign has. */
    private static final int BRANCHES = 1_000;

    private static final String PLACE = "o.ordinal, o.branch_index";

    private static final String NEWEST = "o.finished_at DESC, o.ordinal DESC, o.branch_index DESC";

    /** The outcome of a campaign's branch in a trial of a case. */
    private static final String NAMED = """
        WHERE o.campaign_id = ? AND b.branch_id = ? AND o.ordinal = (
            SELECT (?::bigint - 1) * n.case_count + s.case_index
            FROM campaign n JOIN suite_case s USING (suite_id)
            WHERE n.campaign_id = ? AND s.case_id = ?)\
        """;

    /** Of the trial that {@code place} names: the bytes of what its judges read and said. */
    private static String calls(String place) {
        return "coalesce((SELECT sum(" + SelectionQueries.CALL_OCTETS
                + ") FROM judge_call j JOIN judge_prompt p USING (prompt_hash)"
                + " WHERE (j.campaign_id, j.ordinal) = " + place + " AND j.graded_branch IS NULL), 0)::bigint";
    }

    private final Sql sql;
    private final ListReader lists;
    private final FilteredTrials trials;
    private final SelectionQueries selections;

    OutcomeQueries(Sql sql, ListReader lists, FilteredTrials trials, SelectionQueries selections) {
        this.sql = sql;
        this.lists = lists;
        this.trials = trials;
        this.selections = selections;
    }

    /**
     * Outcomes of a campaign that exists, by trial, then case, then branch.
     *
     * @throws AssayException INVALID_INPUT when the filter names a case or branch that the campaign does not have
     */
    public Page<OutcomeRow> page(String campaignId, OutcomeFilter filter, PageRequest request) {
        return page(campaignId, filter, null, OutcomeContent.LISTED, request);
    }

    /**
     * The same.
     *
     * @param ordinals only of these trials; null: of all
     * @param content how much is read of each
     * @throws AssayException as {@link #page(String, OutcomeFilter, PageRequest)}
     */
    public <T> Page<T> page(
            String campaignId,
            OutcomeFilter filter,
            @Nullable List<Integer> ordinals,
            OutcomeContent<T> content,
            PageRequest request) {
        return lists.page(
                request,
                () -> list(campaignId, filter, ordinals, content, request.token()),
                read -> placeOf(content.row(read)));
    }

    private static PageToken placeOf(OutcomeRow row) {
        return PageToken.of(row.outcome().ordinal(), row.outcome().branchIndex());
    }

    private <T> ListQuery<T> list(
            String campaignId,
            OutcomeFilter filter,
            @Nullable List<Integer> ordinals,
            OutcomeContent<T> content,
            @Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(campaignId));
        String where = where(campaignId, filter, parameters);
        if (ordinals != null) {
            where += " AND o.ordinal = ANY (?::integer[])";
            parameters.add(ordinals);
        }
        if (pageToken != null) {
            PageToken token = PageToken.parse(pageToken, 2);
            where += " AND (o.ordinal, o.branch_index) > (?, ?)";
            parameters.addAll(List.of(token.integer(0), token.integer(1)));
        }
        return query(where, PLACE, content, parameters);
    }

    /**
     * Outcomes that did not pass, of a campaign that exists: what was recorded last comes first.
     *
     * @param branchId of this branch; null: of any
     * @throws AssayException as {@link #page}
     */
    public Page<OutcomeRow> failures(String campaignId, @Nullable String branchId, PageRequest request) {
        return lists.page(
                request,
                () -> failed(campaignId, branchId, request.token()),
                last -> PageToken.of(
                        last.finishedAt(),
                        last.outcome().ordinal(),
                        last.outcome().branchIndex()));
    }

    private ListQuery<OutcomeRow> failed(String campaignId, @Nullable String branchId, @Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(campaignId));
        // With these words PostgreSQL sees that the index outcome_failed covers the query.
        String where = " AND NOT o.passed"
                + where(campaignId, new OutcomeFilter(null, branchId, null, null, null), parameters);
        if (pageToken != null) {
            PageToken token = PageToken.parse(pageToken, 3);
            where += " AND (o.finished_at, o.ordinal, o.branch_index) < (?, ?, ?)";
            parameters.addAll(List.of(token.instant(0), token.integer(1), token.integer(2)));
        }
        return query(where, NEWEST, OutcomeContent.LISTED, parameters);
    }

    /** The page is taken before anything is joined: PostgreSQL may otherwise join all outcomes and sort them. */
    private static <T> ListQuery<T> query(
            String where, String order, OutcomeContent<T> content, List<@Nullable Object> parameters) {
        String page = """
            FROM (SELECT * FROM campaign WHERE campaign_id = ?) c
            CROSS JOIN LATERAL (SELECT o.* FROM outcome o WHERE o.campaign_id = c.campaign_id\
            """ + where + " ORDER BY " + order + " LIMIT ?) o";
        return new ListQuery<>(
                "SELECT " + content.octets() + " AS octets " + page + " ORDER BY " + order,
                "SELECT " + content.columns() + " " + page + ResultRows.CAMPAIGN_JOINS + "ORDER BY " + order,
                content.reader(),
                parameters);
    }

    /** The bytes of the texts of {@link #find}, and of what a program wrote; 0 when it is not recorded. */
    @ReadOnly
    public long octets(String campaignId, String caseId, String branchId, int trial) {
        return sql.first(
                        "SELECT " + OutcomeContent.TRANSCRIBED_OCTETS + " + "
                                + Octets.ofValues("k.context", "o.model_turns") + " + "
                                + Octets.ofTexts("o.stdout", "o.stderr") + " + " + calls("(o.campaign_id, o.ordinal)")
                                + " AS octets FROM outcome o"
                                + ResultRows.OUTCOME_JOINS + NAMED,
                        row -> row.getLong("octets"),
                        campaignId,
                        branchId,
                        trial,
                        campaignId,
                        caseId)
                .orElse(0L);
    }

    /** The bytes of the texts of a trial: of all its transcripts, and of what its judges read and said. */
    @ReadOnly
    public long octets(String campaignId, int ordinal) {
        return sql.first(
                        "SELECT coalesce(sum(" + OutcomeContent.TRANSCRIBED_OCTETS + "), 0)::bigint + "
                                + calls("(?, ?)")
                                + " AS octets FROM outcome o WHERE o.campaign_id = ? AND o.ordinal = ?",
                        row -> row.getLong("octets"),
                        campaignId,
                        ordinal,
                        campaignId,
                        ordinal)
                .orElseThrow();
    }

    /** One outcome with its transcript, the trial's selection and judge calls; empty when it is not recorded. */
    @ReadOnly
    public Optional<OutcomeDetail> find(String campaignId, String caseId, String branchId, int trial) {
        return sql.first(
                "SELECT " + ResultRows.OUTCOME + ", o.messages, k.context FROM outcome o" + ResultRows.OUTCOME_JOINS
                        + NAMED,
                row -> detail(campaignId, ResultRows.transcribed(row), OutcomeColumns.messages(row, "context")),
                campaignId,
                branchId,
                trial,
                campaignId,
                caseId);
    }

    /** The output of the program that answered; empty when none ran. */
    @ReadOnly
    @Query("""
        SELECT stdout, stderr, model_turns FROM outcome
        WHERE campaign_id = :campaignId AND ordinal = :ordinal AND branch_index = :branchIndex AND stdout IS NOT NULL
        """)
    public abstract Optional<ProgramOutput> programOutput(String campaignId, int ordinal, int branchIndex);

    private OutcomeDetail detail(String campaignId, OutcomeRow row, List<Message> context) {
        int ordinal = row.outcome().ordinal();
        return new OutcomeDetail(
                row,
                context,
                selections.find(campaignId, ordinal).orElse(null),
                selections.judgeCalls(campaignId, List.of(ordinal)).getOrDefault(ordinal, List.of()));
    }

    /** The recorded transcripts of every branch in trial number {@code ordinal}, in the order of the branches. */
    public List<OutcomeRow> transcripts(String campaignId, int ordinal) {
        List<OutcomeRow> all = new ArrayList<>();
        Page.forEach(token -> transcripts(campaignId, ordinal, PageRequest.of(token, BRANCHES)), all::add);
        return all;
    }

    /** The same, page by page. */
    public Page<OutcomeRow> transcripts(String campaignId, int ordinal, PageRequest request) {
        return lists.page(
                request,
                () -> transcribed(campaignId, ordinal, request.token()),
                last -> PageToken.of(last.outcome().branchIndex()));
    }

    private static ListQuery<OutcomeRow> transcribed(String campaignId, int ordinal, @Nullable String pageToken) {
        int after = pageToken == null ? -1 : PageToken.parse(pageToken, 1).integer(0);
        String where =
                "WHERE o.campaign_id = ? AND o.ordinal = ? AND o.branch_index > ? ORDER BY o.branch_index LIMIT ?";
        return new ListQuery<>(
                "SELECT " + OutcomeContent.TRANSCRIBED_OCTETS + " AS octets FROM outcome o " + where,
                "SELECT " + ResultRows.OUTCOME + ", o.messages FROM outcome o" + ResultRows.OUTCOME_JOINS + where,
                ResultRows::transcribed,
                List.of(campaignId, ordinal, after));
    }

    /** The totals of the campaign's ledger. */
    @ReadOnly
    public LedgerTotals spend(String campaignId) {
        return ledger(campaignId).orElse(LedgerTotals.NONE);
    }

    @Query("SELECT * FROM campaign_spend WHERE campaign_id = :campaignId")
    abstract Optional<LedgerTotals> ledger(String campaignId);

    private String where(String campaignId, OutcomeFilter filter, List<@Nullable Object> parameters) {
        StringBuilder where = new StringBuilder();
        if (filter.caseId() != null) {
            // As trial numbers, so that the primary key finds them among a million outcomes.
            where.append(" AND o.ordinal = ANY (?)");
            parameters.add(trials.ofCase(campaignId, filter.caseId()));
        }
        if (filter.branchId() != null) {
            where.append(" AND o.branch_index = ?");
            parameters.add(branchIndex(campaignId, filter.branchId()));
        }
        if (filter.trial() != null) {
            where.append(FilteredTrials.ofRepetition("o", filter.trial(), parameters));
        }
        if (filter.status() != null) {
            where.append(" AND " + OutcomeColumns.STATUS_OF + " = ?");
            parameters.add(filter.status().name());
        }
        if (filter.passed() != null) {
            where.append(" AND o.passed = ?");
            parameters.add(filter.passed());
        }
        if (filter.label() != null) {
            where.append(LabelledOutcomes.where(filter.label()));
            parameters.add(campaignId);
        }
        if (filter.source() != null) {
            where.append(" AND o.source = ?");
            parameters.add(filter.source().name());
        }
        return where.toString();
    }

    private int branchIndex(String campaignId, String branchId) {
        return sql.first(
                        "SELECT branch_index FROM campaign_branch WHERE campaign_id = ? AND branch_id = ?",
                        row -> row.getInt("branch_index"),
                        campaignId,
                        branchId)
                .orElseThrow(() -> FilteredTrials.unknown("branchId", "branch", branchId));
    }
}
