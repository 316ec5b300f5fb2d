package dev.assay.store.evaluator;

import dev.assay.domain.evaluator.Evaluator;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The evaluators on record. They are written by {@link dev.assay.store.journal.RunJournal}. */
@Singleton
public class EvaluatorRepository {

    private final Sql sql;

    EvaluatorRepository(Sql sql) {
        this.sql = sql;
    }

    /** The one with this hash. */
    @ReadOnly
    public Optional<StoredEvaluator> find(String hash) {
        return sql.first(
                "SELECT evaluator_hash, kind, definition, first_seen_at FROM evaluator WHERE evaluator_hash = ?",
                row -> new StoredEvaluator(
                        new Evaluator(
                                row.getString("evaluator_hash"), row.getString("kind"), row.getString("definition")),
                        Columns.instant(row, "first_seen_at")),
                hash);
    }
}
