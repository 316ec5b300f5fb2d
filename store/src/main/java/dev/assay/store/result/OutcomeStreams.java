package dev.assay.store.result;

import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.ListReader;
import dev.assay.store.sql.ListReader.ListQuery;
import dev.assay.store.sql.Octets;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All outcomes of a campaign, handed over one by one: campaigns are larger than memory. */
@Singleton
public class OutcomeStreams {

    /** Rows in memory at once, unless their bytes are too many. */
    private static final int ROWS = 1_000;

    private final ListReader lists;

    OutcomeStreams(ListReader lists) {
        this.lists = lists;
    }

    /**
     * Hands over requests to models and their answers: completed outcomes by trial number, then completed judge calls. No transaction is
     * open meanwhile: the reader may wait for its client.
     */
    public <E extends Exception> void recordedAnswers(
            String campaignId, Page.ItemReader<? super RecordedAnswer, E> reader) throws E {
        Page.forEach(
                token -> lists.page(
                        PageRequest.of(token, ROWS),
                        () -> branches(campaignId, token),
                        last -> PageToken.of(
                                last.outcome().ordinal(), last.outcome().branchIndex())),
                reader);
        Page.forEach(
                token -> lists.page(
                        PageRequest.of(token, ROWS),
                        () -> judges(campaignId, token),
                        last -> PageToken.of(last.call().ordinal(), last.call().slot())),
                reader);
    }

    /** Without the output of programs. */
    private static ListQuery<RecordedAnswer.OfBranch> branches(String campaignId, @Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(campaignId));
        String where = " WHERE o.campaign_id = ? AND o.status = 'COMPLETED'"
                + after("o.ordinal, o.branch_index", pageToken, parameters);
        String page = " FROM (SELECT o.* FROM outcome o" + where + " ORDER BY o.ordinal, o.branch_index LIMIT ?) o"
                + " JOIN campaign c USING (campaign_id) " + ResultRows.caseOf("o")
                + " ORDER BY o.ordinal, o.branch_index";
        return new ListQuery<>(
                "SELECT " + OutcomeColumns.OCTETS + " + " + Octets.ofValues("o.messages", "k.context") + " AS octets"
                        + page,
                "SELECT " + OutcomeColumns.COLUMNS + ", o.checks, o.messages, k.context" + page,
                row -> new RecordedAnswer.OfBranch(
                        OutcomeColumns.messages(row, "context"),
                        OutcomeColumns.read(row, OutcomeColumns.messages(row, "messages"))),
                parameters);
    }

    private static ListQuery<RecordedAnswer.OfJudge> judges(String campaignId, @Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(campaignId));
        String page =
                """
                     FROM judge_call j JOIN judge_prompt p USING (prompt_hash)
                    WHERE j.campaign_id = ? AND j.status = 'COMPLETED' AND j.reply IS NOT NULL AND j.graded_branch IS NULL\
                    """ + after("j.ordinal, j.member", pageToken, parameters) + " ORDER BY j.ordinal, j.member LIMIT ?";
        return new ListQuery<>(
                "SELECT " + SelectionQueries.CALL_OCTETS + " AS octets" + page,
                "SELECT j.*, p.system_prompt, p.prompt" + page,
                row -> new RecordedAnswer.OfJudge(ResultRows.judgeCall(row)),
                parameters);
    }

    private static String after(String place, @Nullable String pageToken, List<@Nullable Object> parameters) {
        if (pageToken == null) {
            return "";
        }
        PageToken token = PageToken.parse(pageToken, 2);
        parameters.addAll(List.of(token.integer(0), token.integer(1)));
        return " AND (" + place + ") > (?, ?)";
    }
}
