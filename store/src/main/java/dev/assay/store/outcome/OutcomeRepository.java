package dev.assay.store.outcome;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.check.CheckResult;
import dev.assay.domain.evaluation.Outcome;
import dev.assay.domain.evaluation.OutcomeStatus;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import dev.assay.store.Database;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads outcomes back as the domain knows them. They are written by {@link dev.assay.store.journal.RunJournal}. */
@Singleton
public class OutcomeRepository {

    private static final TypeReference<List<Message>> MESSAGES = new TypeReference<>() {};
    private static final TypeReference<List<CheckResult>> CHECKS = new TypeReference<>() {};

    private static final String SELECT = """
        SELECT ordinal, branch_index, loop_id, status, messages, original_context_length, response, input_tokens,
            output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens, cost_usd, latency_ms,
            attempts, error_code, error_message, checks
        FROM outcome
        WHERE campaign_id = ? AND ordinal = ANY (?)
        ORDER BY ordinal, branch_index\
        """;

    private final Database database;

    public OutcomeRepository(Database database) {
        this.database = database;
    }

    /** The outcomes of the given trials, by trial number; within a trial in the order of the branches. */
    public Map<Integer, List<Outcome>> ofTrials(String campaignId, Collection<Integer> ordinals) {
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(SELECT)) {
                select.setString(1, campaignId);
                select.setArray(2, connection.createArrayOf("integer", ordinals.toArray()));
                try (ResultSet rows = select.executeQuery()) {
                    Map<Integer, List<Outcome>> outcomes = new TreeMap<>();
                    while (rows.next()) {
                        Outcome outcome = outcome(rows);
                        outcomes.computeIfAbsent(outcome.ordinal(), ordinal -> new ArrayList<>())
                                .add(outcome);
                    }
                    return outcomes;
                }
            }
        });
    }

    private static Outcome outcome(ResultSet row) throws SQLException {
        return new Outcome(
                row.getInt("ordinal"),
                row.getInt("branch_index"),
                row.getString("loop_id"),
                OutcomeStatus.valueOf(row.getString("status")),
                read(row.getString("messages"), MESSAGES),
                row.getInt("original_context_length"),
                row.getString("response"),
                usage(row),
                row.getBigDecimal("cost_usd"),
                Duration.ofMillis(row.getLong("latency_ms")),
                row.getInt("attempts"),
                FailureColumns.read(row),
                read(row.getString("checks"), CHECKS));
    }

    private static Usage usage(ResultSet row) throws SQLException {
        return new Usage(
                row.getLong("input_tokens"),
                row.getLong("output_tokens"),
                row.getLong("reasoning_tokens"),
                row.getLong("cache_read_tokens"),
                row.getLong("cache_write_tokens"),
                row.getLong("total_tokens"));
    }

    private static <T> T read(String json, TypeReference<T> type) {
        try {
            return Json.mapper().readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Stored JSON cannot be read as " + type.getType(), e);
        }
    }
}
