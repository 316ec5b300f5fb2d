package dev.assay.store.outcome;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.trace.ModelUse;
import dev.assay.domain.trace.ProgramRun;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Reported;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Octets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Columns of an {@link Outcome} and how they are read. */
public final class OutcomeColumns {

    /** Of {@code outcome o}: how it ended. NOT_NEEDED is stored as cancelled, which builds know that do not stop early. */
    public static final String STATUS_OF =
            "CASE WHEN o.not_needed AND o.status = 'CANCELLED' THEN 'NOT_NEEDED' ELSE o.status END";

    /** {@link #STATUS_OF}, by name. */
    public static final String STATUS = STATUS_OF + " AS status";

    /** Of {@code outcome r}: whether the provider gave no answer, as {@code TrialVerdict.PROVIDER_ERROR} says. */
    public static final String IS_UNANSWERED = "r.status = 'MODEL_ERROR' AND r.error_code IN ('PROVIDER_RATE_LIMITED',"
            + " 'PROVIDER_UNAVAILABLE', 'PROVIDER_CONNECTION', 'PROVIDER_TIMEOUT', 'BATCH_EXPIRED')";

    /** Of {@code outcome o}: all but {@code checks}, which may be left out, and the transcript. */
    public static final String COLUMNS = """
        o.ordinal, o.branch_index, o.loop_id, o.original_context_length, o.response, o.input_tokens,
        o.output_tokens, o.reasoning_tokens, o.cache_read_tokens, o.cache_write_tokens, o.total_tokens, o.cost_usd,
        CASE WHEN o.delivery = 'BATCH' THEN -1 ELSE o.latency_ms END AS latency_ms, o.attempts, o.error_code, o.error_message, o.exit_code, o.stdout IS NOT NULL AS ran_program,
        o.isolation, o.finish_reason, o.reported, o.output,
        """ + STATUS + "\n";

    /** Of {@code outcome o}: the bytes of its texts, as lists have them: without its transcript, and without a program's output. */
    public static final String OCTETS = Octets.ofTexts("o.response", "o.output", "o.error_message") + " + "
            + Octets.ofValues("o.checks", "o.warnings", "o.requested", "o.effective", "o.served", "o.reported");

    /** The results of a column of checks. */
    public static final TypeReference<List<CheckResult>> CHECKS = new TypeReference<>() {};

    private static final TypeReference<List<Message>> MESSAGES = new TypeReference<>() {};

    private OutcomeColumns() {}

    /** The outcome of the current row, which has {@code checks}, too; without its provenance. */
    public static Outcome read(ResultSet row, List<Message> newMessages) throws SQLException {
        return read(row, newMessages, Provenance.NONE);
    }

    /** As {@link #read(ResultSet, List)}, with its provenance. */
    public static Outcome read(ResultSet row, List<Message> newMessages, Provenance provenance) throws SQLException {
        return new Outcome(
                row.getInt("ordinal"),
                row.getInt("branch_index"),
                row.getString("loop_id"),
                new Outcome.End(
                        OutcomeStatus.valueOf(row.getString("status")), Columns.failure(row), row.getInt("attempts")),
                new Outcome.Answer(
                        newMessages,
                        row.getInt("original_context_length"),
                        row.getString("response"),
                        provenance,
                        program(row),
                        row.getString("finish_reason"),
                        output(row)),
                new Measured(
                        Columns.usage(row),
                        row.getBigDecimal("cost_usd"),
                        Duration.ofMillis(row.getLong("latency_ms"))),
                Columns.json(row, "checks", CHECKS));
    }

    private static @Nullable JsonNode output(ResultSet row) throws SQLException {
        String written = row.getString("output");
        return written == null ? null : Json.tree(written);
    }

    /** The run of a program without its output, which is read on request only. */
    private static @Nullable ProgramRun program(ResultSet row) throws SQLException {
        return row.getBoolean("ran_program")
                ? new ProgramRun(
                        new byte[0],
                        new byte[0],
                        new Evidence(null, List.of(), null, Columns.integerOrNull(row, "exit_code")),
                        models(row),
                        isolation(row))
                : null;
    }

    private static @Nullable IsolationLevel isolation(ResultSet row) throws SQLException {
        String word = row.getString("isolation");
        return word == null ? null : IsolationLevel.of(word);
    }

    private static @Nullable ModelUse models(ResultSet row) throws SQLException {
        String reported = row.getString("reported");
        return reported == null ? null : new ModelUse("", Json.read(reported, Reported.class));
    }

    /** The messages of a column. */
    public static List<Message> messages(ResultSet row, String column) throws SQLException {
        return Columns.json(row, column, MESSAGES);
    }
}
