package dev.assay.store.imported;

import dev.assay.domain.evaluator.Evaluator;
import dev.assay.store.journal.EvaluatorWriter;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.OutcomeWriter;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;

/** The outcomes of other tools as rows of a campaign. */
@Singleton
public class ImportedOutcomes {

    private final Sql sql;

    ImportedOutcomes(Sql sql) {
        this.sql = sql;
    }

    /**
     * Has the current transaction join rows by hash or order. PostgreSQL has no statistics of the rows that it has just written, takes
     * them for few, and would compare each with each.
     */
    @Transactional
    public void expectMany() {
        sql.exists("SELECT set_config('enable_nestloop', 'off', true)");
    }

    /** Writes outcomes, each cell once. */
    @Transactional
    public void write(List<RecordOutcome> outcomes) {
        OutcomeWriter.writeImported(sql, outcomes);
    }

    /** Writes what decided on them. */
    @Transactional
    public void write(Collection<Evaluator> evaluators) {
        EvaluatorWriter.writeAll(sql, evaluators);
    }

    /** Cells of a campaign without an outcome. */
    @ReadOnly
    public long missing(String campaignId) {
        return sql.first("""
            SELECT c.case_count::bigint * c.trials * (SELECT count(*) FROM campaign_branch b WHERE b.campaign_id = c.campaign_id)
                - (SELECT count(*) FROM outcome o WHERE o.campaign_id = c.campaign_id) AS missing
            FROM campaign c WHERE c.campaign_id = ?\
            """, row -> row.getLong("missing"), campaignId).orElseThrow();
    }
}
