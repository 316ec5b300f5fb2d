package dev.assay.store.turn;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Measured;
import dev.assay.store.cell.CellKey;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stored turns of a loop that earlier attempts recorded. */
@Singleton
public class TurnRepository {

    private final Sql sql;

    TurnRepository(Sql sql) {
        this.sql = sql;
    }

    /** The recorded turns of a branch's cell, in order; empty when there are none. */
    @ReadOnly
    public List<RecordedTurn> find(CellKey cell) {
        Map<Integer, Map<Integer, RecordedTurn.Call>> calls = new HashMap<>();
        sql.forEach(
                "SELECT turn, call, result FROM tool_result WHERE campaign_id = ? AND ordinal = ? AND branch_index = ?",
                TurnRepository::call,
                call -> calls.computeIfAbsent(call.turn(), turn -> new HashMap<>())
                        .put(call.index(), call.call()),
                cell.campaignId(),
                cell.ordinal(),
                cell.slot());
        List<RecordedTurn> turns = new ArrayList<>();
        sql.forEach(
                """
                SELECT turn, message, input_tokens, output_tokens, reasoning_tokens, cache_read_tokens,
                    cache_write_tokens, total_tokens, cost_usd, latency_ms, elapsed_ms, provenance,
                    warnings
                FROM turn WHERE campaign_id = ? AND ordinal = ? AND branch_index = ? ORDER BY turn\
                """,
                row -> turn(row, calls.getOrDefault(row.getInt("turn"), Map.of())),
                turns::add,
                cell.campaignId(),
                cell.ordinal(),
                cell.slot());
        return turns;
    }

    private record StoredCall(int turn, int index, RecordedTurn.Call call) {}

    private static StoredCall call(ResultSet row) throws SQLException {
        String result = row.getString("result");
        return new StoredCall(
                row.getInt("turn"),
                row.getInt("call"),
                new RecordedTurn.Call(result == null ? null : Json.read(result, Message.class)));
    }

    private static RecordedTurn turn(ResultSet row, Map<Integer, RecordedTurn.Call> calls) throws SQLException {
        return new RecordedTurn(
                row.getInt("turn"),
                Json.read(row.getString("message"), Message.class),
                new Measured(
                        Columns.usage(row),
                        row.getBigDecimal("cost_usd"),
                        Duration.ofMillis(row.getLong("latency_ms"))),
                Duration.ofMillis(row.getLong("elapsed_ms")),
                calls,
                provenance(row.getString("provenance")),
                Columns.strings(row, "warnings"));
    }

    /** @param json null in rows of builds that did not note it */
    private static Provenance provenance(@Nullable String json) {
        return json == null ? Provenance.NONE : Json.read(json, Provenance.class);
    }
}
