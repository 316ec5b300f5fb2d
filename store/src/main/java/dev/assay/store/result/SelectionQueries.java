package dev.assay.store.result;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.usage.Measured;
import dev.assay.store.journal.FinishedJudgeCall;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.ListReader;
import dev.assay.store.sql.ListReader.ListQuery;
import dev.assay.store.sql.Octets;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Selections and judge calls for people. */
@Singleton
public class SelectionQueries {

    /** Of {@code judge_call j} and {@code judge_prompt p}: the bytes of what was read and said. */
    static final String CALL_OCTETS =
            Octets.ofTexts("p.system_prompt", "p.prompt", "j.reply", "j.warning", "j.error_message") + " + "
                    + Octets.ofValues("j.compaction", "j.requested", "j.effective", "j.served");

    /** Of {@code trial t}: the bytes of the selection, and of its judge calls. */
    private static final String OCTETS = Octets.ofTexts("t.reason") + " + " + Octets.ofValues("t.votes")
            + " + coalesce((SELECT sum(512 + " + CALL_OCTETS + """
            ) FROM judge_call j JOIN judge_prompt p USING (prompt_hash)
            WHERE j.campaign_id = t.campaign_id AND j.ordinal = t.ordinal AND j.graded_branch IS NULL), 0)\
            """;

    private final Sql sql;
    private final ListReader lists;
    private final FilteredTrials trials;

    SelectionQueries(Sql sql, ListReader lists, FilteredTrials trials) {
        this.sql = sql;
        this.lists = lists;
        this.trials = trials;
    }

    private record Named(String caseId, TrialSelection selection) {}

    /**
     * Selections of a campaign that exists, by trial, then case.
     *
     * @param caseId only of this case; null: of all
     * @param trial only of this repetition, from 1; null: of all
     * @throws AssayException INVALID_INPUT when the campaign does not have the case
     */
    public Page<SelectionRow> page(
            String campaignId, @Nullable String caseId, @Nullable Integer trial, PageRequest request) {
        Page<Named> page = lists.page(
                request,
                () -> list(campaignId, caseId, trial, request.token()),
                last -> PageToken.of(last.selection().ordinal()));
        Map<Integer, List<FinishedJudgeCall>> calls = judgeCalls(
                campaignId,
                page.items().stream().map(named -> named.selection().ordinal()).toList());
        return page.map(named -> new SelectionRow(
                named.caseId(),
                named.selection(),
                calls.getOrDefault(named.selection().ordinal(), List.of())));
    }

    private ListQuery<Named> list(
            String campaignId, @Nullable String caseId, @Nullable Integer trial, @Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(campaignId));
        String where = "";
        if (caseId != null) {
            where += " AND t.ordinal = ANY (?)";
            parameters.add(trials.ofCase(campaignId, caseId));
        }
        if (trial != null) {
            where += FilteredTrials.ofRepetition("t", trial, parameters);
        }
        if (pageToken != null) {
            where += " AND t.ordinal > ?";
            parameters.add(PageToken.parse(pageToken, 1).integer(0));
        }
        String page = " FROM (SELECT t.* FROM trial t JOIN campaign c USING (campaign_id) WHERE t.campaign_id = ?"
                + where + " ORDER BY t.ordinal LIMIT ?) t ";
        return new ListQuery<>(
                "SELECT " + OCTETS + " AS octets" + page + "ORDER BY t.ordinal",
                "SELECT t.*, k.case_id" + page + "JOIN campaign c USING (campaign_id) " + ResultRows.caseOf("t")
                        + " ORDER BY t.ordinal",
                row -> new Named(row.getString("case_id"), ResultRows.selection(row)),
                parameters);
    }

    /** The decision for trial number {@code ordinal}; empty when none is recorded. */
    @ReadOnly
    public Optional<TrialSelection> find(String campaignId, int ordinal) {
        return sql.first(
                "SELECT * FROM trial WHERE campaign_id = ? AND ordinal = ?",
                ResultRows::selection,
                campaignId,
                ordinal);
    }

    /** What the judge calls of trial number {@code ordinal} cost, in order. Their texts are not read. */
    @ReadOnly
    public List<Measured> spend(String campaignId, int ordinal) {
        return sql.list("""
            SELECT j.input_tokens, j.output_tokens, j.reasoning_tokens, j.cache_read_tokens, j.cache_write_tokens,
                   j.total_tokens, j.cost_usd, j.latency_ms
            FROM judge_call j WHERE j.campaign_id = ? AND j.ordinal = ? AND j.graded_branch IS NULL ORDER BY j.member\
            """, ResultRows::measured, campaignId, ordinal);
    }

    /** The judge calls of the given trials, by trial number, in order. */
    @ReadOnly
    public Map<Integer, List<FinishedJudgeCall>> judgeCalls(String campaignId, Collection<Integer> ordinals) {
        return sql.grouped("""
            SELECT j.*, p.system_prompt, p.prompt FROM judge_call j JOIN judge_prompt p USING (prompt_hash)
            WHERE j.campaign_id = ? AND j.ordinal = ANY (?::integer[]) AND j.graded_branch IS NULL
            ORDER BY j.ordinal, j.member\
            """, row -> row.getInt("ordinal"), ResultRows::judgeCall, campaignId, ordinals);
    }
}
