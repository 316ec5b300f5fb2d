package dev.assay.store.outcome;

import dev.assay.domain.error.Failure;
import dev.assay.store.Database;
import jakarta.inject.Singleton;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what judges said. Written by {@link dev.assay.store.journal.RunJournal}. */
@Singleton
public class JudgeCallRepository {

    private static final String SELECT = """
        SELECT ordinal, shown, reply, error_code, error_message, status IN ('CANCELLED', 'BUDGET_SKIPPED') AS skipped
        FROM judge_call
        WHERE campaign_id = ? AND member = 0 AND ordinal = ANY (?)
          AND (status NOT IN ('CANCELLED', 'BUDGET_SKIPPED') OR epoch >= ?)\
        """;

    private final Database database;

    public JudgeCallRepository(Database database) {
        this.database = database;
    }

    /**
     * What a judge said.
     *
     * @param shown branch indexes in the order in which their responses were shown
     * @param reply its words; null when it failed or was skipped
     * @param failure why there is no reply; null when there is one
     * @param isFinal whether it will not be asked again
     */
    public record JudgeReplyRow(
            List<Integer> shown,
            @Nullable String reply,
            @Nullable Failure failure,
            boolean isFinal) {}

    /** The judge's replies for the given trials that stand in this epoch, by trial number. */
    public Map<Integer, JudgeReplyRow> ofTrials(String campaignId, int epoch, Collection<Integer> ordinals) {
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(SELECT)) {
                select.setString(1, campaignId);
                select.setArray(2, connection.createArrayOf("integer", ordinals.toArray()));
                select.setInt(3, epoch);
                try (ResultSet rows = select.executeQuery()) {
                    Map<Integer, JudgeReplyRow> replies = new HashMap<>();
                    while (rows.next()) {
                        replies.put(rows.getInt("ordinal"), row(rows));
                    }
                    return replies;
                }
            }
        });
    }

    private static JudgeReplyRow row(ResultSet row) throws SQLException {
        Array shown = row.getArray("shown");
        return new JudgeReplyRow(
                List.of((Integer[]) shown.getArray()),
                row.getString("reply"),
                FailureColumns.read(row),
                !row.getBoolean("skipped"));
    }
}
