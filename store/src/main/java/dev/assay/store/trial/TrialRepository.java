package dev.assay.store.trial;

import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.selection.Selection;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.ProgressDelta;
import dev.assay.store.matrix.MatrixWriter;
import dev.assay.store.sql.RowColumns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The open trials, and the selections of the finished ones. */
@Singleton
public class TrialRepository {

    // The gaps between closed trials. A trial is closed when all its cells are final, or when it was recorded in this
    // epoch.
    private static final String OPEN = """
        SELECT ordinal + 1, next_ordinal FROM (
            SELECT ordinal, lead(ordinal, 1, ?) OVER (ORDER BY ordinal) AS next_ordinal FROM (
                SELECT ? - 1 AS ordinal
                UNION ALL
                SELECT ordinal FROM trial
                WHERE campaign_id = ? AND ordinal >= ? AND ordinal < ? AND (complete OR epoch >= ?)) AS closed) AS gap
        WHERE next_ordinal > ordinal + 1
        ORDER BY 1 LIMIT ?\
        """;

    private static final String CLOSED = """
        SELECT ordinal FROM trial
        WHERE campaign_id = ? AND ordinal = ANY (?::integer[]) AND (complete OR epoch >= ?)\
        """;

    private static final RowColumns<RecordedTrial> COLUMNS = RowColumns.<RecordedTrial>of()
            .key("campaign_id", row -> row.run().campaignId())
            .key("ordinal", row -> row.trial().ordinal())
            .key("case_index", row -> row.trial().caseIndex())
            .key("trial", row -> row.trial().trial())
            .column("epoch", row -> row.run().epoch())
            .column("complete", row -> row.trial().complete())
            .column("selected_index", row -> row.selection().selectedIndex())
            .column("strategy", row -> row.selection().strategy())
            .column("reason", row -> row.selection().reason())
            .column("fallback", row -> row.selection().fallback())
            .column("decided", row -> row.selection().decided())
            .column("tied", row -> row.selection().tied())
            .column("not_needed", row -> row.trial().notNeeded())
            .json("votes", row -> row.selection().votes())
            .usage(row -> row.selection().usage());

    private static final String INSERT = COLUMNS.insert("trial AS t")
            + " ON CONFLICT (campaign_id, ordinal) DO UPDATE SET " + COLUMNS.replaced() + """
            , finished_at = now()
            WHERE NOT t.complete AND NOT (t.not_needed AND t.epoch >= excluded.epoch)\
            """;

    private static final String SAME_RERUNS =
            "SELECT 1 FROM campaign WHERE campaign_id = ? AND reruns = ? FOR KEY SHARE";

    private final Sql sql;

    TrialRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * A trial whose winner was selected.
     *
     * @param caseIndex the case, from 0
     * @param trial which repetition, from 1
     * @param complete whether all its cells are final
     * @param failed whether one of them ended in MODEL_ERROR or TIMED_OUT
     * @param notNeeded whether the remaining ones were not needed
     */
    public record SelectedTrial(
            int ordinal,
            int caseIndex,
            int trial,
            boolean complete,
            boolean failed,
            boolean notNeeded,
            Selection selection) {}

    /**
     * The open trials from {@code from} on, ascending.
     *
     * @param maxRanges how many ranges at most
     */
    @ReadOnly
    public List<OrdinalRange> open(RunKey run, int from, int total, int maxRanges) {
        return sql.list(
                OPEN,
                row -> new OrdinalRange(row.getInt(1), row.getInt(2)),
                total,
                from,
                run.campaignId(),
                from,
                total,
                run.epoch(),
                maxRanges);
    }

    /** Those of the given trials that need no work in this epoch. */
    @ReadOnly
    public Set<Integer> closed(RunKey run, Collection<Integer> ordinals) {
        return Set.copyOf(sql.list(CLOSED, row -> row.getInt(1), run.campaignId(), ordinals, run.epoch()));
    }

    /**
     * Records selections, in one transaction. A complete trial is never replaced.
     *
     * @param campaign as it was before the outcomes of the trials were read
     * @return false when a re-run opened cells meanwhile, perhaps of these trials: nothing is recorded then, select again
     */
    @Transactional
    public boolean record(StoredCampaign campaign, int epoch, String workerId, List<SelectedTrial> trials) {
        // A re-run waits for the lock, or this transaction waits for the re-run.
        if (!trials.isEmpty() && !sql.exists(SAME_RERUNS, campaign.id(), campaign.reruns())) {
            return false;
        }
        RunKey run = new RunKey(campaign.id(), epoch);
        ProgressDelta progress = new ProgressDelta();
        MatrixWriter matrices = new MatrixWriter();
        for (SelectedTrial trial :
                sql.changed(INSERT, trials, trial -> COLUMNS.parameters(new RecordedTrial(run, trial)))) {
            Selection selection = trial.selection();
            matrices.of(campaign.id())
                    .selection(
                            trial.ordinal(),
                            selection.selectedIndex(),
                            selection.fallback(),
                            selection.tied(),
                            trial.complete());
            if (trial.notNeeded()) {
                progress.trialNotNeeded(run);
            }
            if (trial.complete()) {
                progress.trialDone(campaign.id(), workerId, trial.failed(), selection.usage());
                Integer winner = selection.selectedIndex();
                if (selection.won() && winner != null) {
                    progress.win(campaign.id(), winner, workerId);
                }
            }
        }
        progress.write(sql);
        matrices.write(sql);
        return true;
    }

    /** A selection and the run in which it is recorded. */
    private record RecordedTrial(RunKey run, SelectedTrial trial) {

        Selection selection() {
            return trial.selection();
        }
    }
}
