package dev.assay.store.matrix;

import dev.assay.domain.matrix.MatrixEntries;
import dev.assay.store.sql.Sql;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Notes the changes of a transaction in matrices: one new row for each campaign, for which no other transaction waits (decision
 * 0036). It is written after the results themselves, so that the rows of one cell stand in the order of its changes.
 */
public final class MatrixWriter {

    private static final String INSERT = "INSERT INTO matrix_change (campaign_id, entries) VALUES (?, ?)";

    // Outcomes and selections that a re-run replaced: their cells are open, and nothing is chosen.
    private static final String REOPENED = """
        INSERT INTO matrix_change (campaign_id, entries)
        SELECT campaign_id, string_agg(int4send(ordinal) || CASE kind
                WHEN 'outcome' THEN int2send(member::smallint) || '\\x0000'::bytea ELSE '\\xffff0100'::bytea END, '')
        FROM replaced_result WHERE campaign_id = ? AND rerun = ? AND kind IN ('outcome', 'trial') GROUP BY campaign_id\
        """;

    private final Map<String, MatrixEntries> byCampaign = new TreeMap<>();

    /** The notes on a campaign. */
    public MatrixEntries of(String campaignId) {
        return byCampaign.computeIfAbsent(campaignId, _ -> new MatrixEntries());
    }

    /** Writes the notes, in the current transaction. */
    public void write(Sql sql) {
        sql.batch(
                INSERT,
                List.copyOf(byCampaign.entrySet()),
                entry -> Sql.row(entry.getKey(), entry.getValue().bytes()));
    }

    /** Notes the results that re-run number {@code rerun} of a campaign moved to {@code replaced_result}. */
    public static void reopen(Sql sql, String campaignId, int rerun) {
        sql.update(REOPENED, campaignId, rerun);
    }
}
