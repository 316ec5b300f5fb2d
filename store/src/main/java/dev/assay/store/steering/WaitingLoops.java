package dev.assay.store.steering;

import dev.assay.domain.event.AgentEvent;
import dev.assay.store.evaluation.EventWriter;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.OutcomeWriter;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Loops that no worker runs, because they wait for their next attempt, and their ends. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class WaitingLoops implements QueryRepository {

    private final Sql sql;

    WaitingLoops(Sql sql) {
        this.sql = sql;
    }

    /** A loop between two attempts. */
    @Introspected
    public record WaitingLoop(int ordinal, int branchIndex, int attempts) {}

    /** The loops of a campaign that have said something. A live worker records what it holds itself. */
    @ReadOnly
    @Query("""
        SELECT DISTINCT t.ordinal, t.branch_index, c.attempts
        FROM turn t
        JOIN cell c ON c.campaign_id = t.campaign_id AND c.ordinal = t.ordinal AND c.kind = 'branch'
            AND c.member = t.branch_index
        WHERE t.campaign_id = :campaignId AND NOT c.is_final AND NOT EXISTS (
            SELECT 1 FROM worker w WHERE w.worker_id = c.claim_worker AND worker_is_live(w.lease_until))
        ORDER BY 1, 2
        """)
    public abstract List<WaitingLoop> of(String campaignId);

    /** Records the ends of loops; returns those that were written. The caller holds the campaign's row. */
    @Transactional
    public List<RecordOutcome> record(List<RecordOutcome> outcomes) {
        return OutcomeWriter.write(sql, outcomes);
    }

    /** The time of the transaction, which its events bear. */
    @ReadOnly
    public Instant now() {
        return sql.first("SELECT now()", row -> Columns.instant(row, "now")).orElseThrow();
    }

    /** Appends events of an evaluation. */
    @Transactional
    public void append(String evaluationId, List<AgentEvent> events) {
        EventWriter.append(sql, Map.of(evaluationId, events));
    }
}
