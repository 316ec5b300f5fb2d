package dev.assay.store.journal;

import dev.assay.domain.evaluator.Evaluator;
import dev.assay.store.journal.JournalEntry.NoteEvaluator;
import dev.assay.store.sql.Sql;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The writer of evaluators, each once. */
public final class EvaluatorWriter {

    private static final String INSERT = """
        INSERT INTO evaluator (evaluator_hash, kind, definition) VALUES (?, ?, ?::jsonb)
        ON CONFLICT (evaluator_hash) DO NOTHING\
        """;

    private EvaluatorWriter() {}

    /**
     * Writes those that are not on record. It goes before all else in a transaction, in the order of the hashes: so no two transactions
     * wait for each other.
     */
    static void write(Sql sql, List<NoteEvaluator> entries) {
        writeAll(sql, entries.stream().map(NoteEvaluator::evaluator).toList());
    }

    /** Writes evaluators, likewise. */
    public static void writeAll(Sql sql, Collection<Evaluator> evaluators) {
        Map<String, Evaluator> byHash = new TreeMap<>();
        evaluators.forEach(one -> byHash.put(one.hash(), one));
        sql.batch(INSERT, List.copyOf(byHash.values()), one -> Sql.row(one.hash(), one.kind(), one.definition()));
    }
}
