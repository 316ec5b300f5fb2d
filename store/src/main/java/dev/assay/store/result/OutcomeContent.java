package dev.assay.store.result;

import dev.assay.store.label.LabelledOutcomes;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Octets;
import dev.assay.store.sql.RowReader;
import java.util.function.Function;

/**
 * How much of outcomes a list reads.
 *
 * @param <T> what it reads of each
 */
public final class OutcomeContent<T> {

    /** Of {@code outcome o}: its bytes with its transcript. */
    static final String TRANSCRIBED_OCTETS =
            OutcomeColumns.OCTETS + " + " + Octets.ofValues("o.messages") + " + " + LabelledOutcomes.OCTETS;

    /** Without the transcript. */
    public static final OutcomeContent<OutcomeRow> LISTED = new OutcomeContent<>(
            OutcomeColumns.OCTETS + " + " + LabelledOutcomes.OCTETS,
            ResultRows.OUTCOME,
            ResultRows::outcome,
            Function.identity());

    /** With the transcript. */
    public static final OutcomeContent<OutcomeRow> TRANSCRIBED = new OutcomeContent<>(
            TRANSCRIBED_OCTETS, ResultRows.OUTCOME + ", o.messages", ResultRows::transcribed, Function.identity());

    /** With the transcript as it is stored, and what evaluators read as a hash. */
    public static final OutcomeContent<OutcomeRecord> RECORDED = new OutcomeContent<>(
            TRANSCRIBED_OCTETS,
            ResultRows.OUTCOME + ", o.messages, o.answer_hash",
            row -> new OutcomeRecord(ResultRows.outcome(row), row.getString("messages"), row.getString("answer_hash")),
            OutcomeRecord::row);

    private final String octets;
    private final String columns;
    private final RowReader<T> reader;
    private final Function<T, OutcomeRow> row;

    private OutcomeContent(String octets, String columns, RowReader<T> reader, Function<T, OutcomeRow> row) {
        this.octets = octets;
        this.columns = columns;
        this.reader = reader;
        this.row = row;
    }

    /** The bytes of its texts, of {@code outcome o}. */
    String octets() {
        return octets;
    }

    String columns() {
        return columns;
    }

    RowReader<T> reader() {
        return reader;
    }

    OutcomeRow row(T read) {
        return row.apply(read);
    }
}
