package dev.assay.store.result;

import dev.assay.domain.error.AssayException;
import dev.assay.store.journal.FinishedJudgeCall;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageToken;
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

    private final Sql sql;
    private final FilteredTrials trials;

    SelectionQueries(Sql sql, FilteredTrials trials) {
        this.sql = sql;
        this.trials = trials;
    }

    private record Named(String caseId, TrialSelection selection) {}

    /**
     * Selections of a campaign that exists, by trial, then case.
     *
     * @param caseId only of this case; null: of all
     * @param trial only of this repetition, from 1; null: of all
     * @param pageToken where to go on; null: at the start
     * @param pageSize at most so many, at least 1
     * @throws AssayException INVALID_INPUT when the campaign does not have the case
     */
    @ReadOnly
    public Page<SelectionRow> page(
            String campaignId,
            @Nullable String caseId,
            @Nullable Integer trial,
            @Nullable String pageToken,
            int pageSize) {
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
        parameters.add(pageSize + 1);
        List<Named> found = sql.list(
                "SELECT t.*, k.case_id FROM trial t JOIN campaign c USING (campaign_id) " + ResultRows.caseOf("t")
                        + " WHERE t.campaign_id = ?" + where + " ORDER BY t.ordinal LIMIT ?",
                row -> new Named(row.getString("case_id"), ResultRows.selection(row)),
                parameters.toArray());
        Page<Named> page =
                Page.of(found, pageSize, last -> PageToken.of(last.selection().ordinal()));
        Map<Integer, List<FinishedJudgeCall>> calls = judgeCalls(
                campaignId,
                page.items().stream().map(named -> named.selection().ordinal()).toList());
        return page.map(named -> new SelectionRow(
                named.caseId(),
                named.selection(),
                calls.getOrDefault(named.selection().ordinal(), List.of())));
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
