package dev.assay.store.outcome;

import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.outcome.Outcomes;
import dev.assay.store.sql.Octets;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The stored outcomes as the domain knows them. They are written by {@link dev.assay.store.journal.RunJournal}. */
@Singleton
public class OutcomeRepository {

    private final Sql sql;

    OutcomeRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * The outcomes of the given trials as strategies and judges see them, by trial number; within a trial in the order of the
     * branches. Transcripts, which neither looks at, are left empty.
     *
     * @param withChecks whether to read the results of checks; else they are left empty, too
     */
    @ReadOnly
    public Map<Integer, List<Outcome>> forSelection(
            String campaignId, Collection<Integer> ordinals, boolean withChecks) {
        return sql.grouped(
                "SELECT " + OutcomeColumns.COLUMNS + """
                    , CASE WHEN ? THEN o.checks ELSE '[]' END AS checks FROM outcome o
                    WHERE o.campaign_id = ? AND o.ordinal = ANY (?::integer[])
                    ORDER BY o.ordinal, o.branch_index\
                    """,
                row -> row.getInt("ordinal"),
                row -> OutcomeColumns.read(row, List.of()),
                withChecks,
                campaignId,
                ordinals);
    }

    /**
     * The bytes of the texts that graders and judges read of the given trials, by trial number. Trials without outcomes are missing.
     */
    @ReadOnly
    public Map<Integer, Long> octets(String campaignId, Collection<Integer> ordinals) {
        return sql.byKey(
                "SELECT ordinal, sum(octets)::bigint AS octets FROM (SELECT ordinal, "
                        + Octets.ofTexts("response") + """
                         AS octets FROM outcome WHERE campaign_id = ? AND ordinal = ANY (?::integer[])
                        UNION ALL SELECT ordinal, \
                        """ + Octets.ofValues("outcome") + """
                         FROM ungraded_outcome WHERE campaign_id = ? AND ordinal = ANY (?::integer[])) o
                        GROUP BY ordinal\
                        """,
                row -> row.getInt("ordinal"),
                row -> row.getLong("octets"),
                campaignId,
                ordinals,
                campaignId,
                ordinals);
    }

    /** Those of the given trials in which the branch has an outcome that cannot be chosen. An outcome that waits for grades is none. */
    @ReadOnly
    public SortedSet<Integer> unanswered(String campaignId, int branchIndex, Collection<Integer> ordinals) {
        return sql
                .list(
                        """
                        SELECT ordinal, status, response FROM outcome
                        WHERE campaign_id = ? AND branch_index = ? AND ordinal = ANY (?::integer[])
                          AND status <> 'COMPLETED'\
                        """,
                        row -> new Ended(
                                row.getInt("ordinal"),
                                OutcomeStatus.valueOf(row.getString("status")),
                                row.getString("response")),
                        campaignId,
                        branchIndex,
                        ordinals)
                .stream()
                .filter(ended -> !Outcomes.isSelectable(ended.status(), ended.response()))
                .map(Ended::ordinal)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The end of a cell. */
    private record Ended(int ordinal, OutcomeStatus status, String response) {}

    /** The outcomes of one trial with everything in them, in the order of the branches. */
    @ReadOnly
    public List<Outcome> withTranscripts(String campaignId, int ordinal) {
        return sql.list(
                "SELECT " + OutcomeColumns.COLUMNS + """
                    , o.checks, o.messages FROM outcome o
                    WHERE o.campaign_id = ? AND o.ordinal = ? ORDER BY o.branch_index\
                    """,
                row -> OutcomeColumns.read(row, OutcomeColumns.messages(row, "messages")),
                campaignId,
                ordinal);
    }
}
