package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.standalone.postgres.DatabaseAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/** What PostgreSQL holds of one campaign. */
public final class Tables implements AutoCloseable {

    /** Written down, and given up before it was sent, as by a worker that is told to stop. */
    private static final String UNSENT = "(state = 'FAILED' AND error_code = 'CANCELLED' AND cost_usd = 0)";

    /** Requests that were sent. */
    public static final String SENT = "(" + UNSENT + " IS NOT TRUE)";

    // A request that was made again: another one of its cell follows it, though the provider did not refuse it.
    private static final String REPEATED = """
        SELECT w.pid, count(*) FROM (
            SELECT worker_id, state = 'FAILED' AND error_code <> 'CANCELLED' AS refused, row_number() OVER (
                PARTITION BY ordinal, kind, member ORDER BY sent_at DESC, request_id DESC) AS from_last
            FROM ledger WHERE campaign_id = ? AND %s) AS request
        JOIN worker w USING (worker_id)
        WHERE from_last > 1 AND NOT refused
        GROUP BY w.pid\
        """.formatted(SENT);

    private static final String COUNTED = """
        SELECT (SELECT sum(cells_done) FROM progress WHERE campaign_id = c.campaign_id AND kind = 'branch') AS cells,
               (SELECT sum(cells_done) FROM progress WHERE campaign_id = c.campaign_id AND kind = 'trial') AS calls,
               (SELECT sum(trials_done) FROM progress WHERE campaign_id = c.campaign_id) AS trials,
               (SELECT count(*) FROM outcome WHERE campaign_id = c.campaign_id) AS outcome_rows,
               (SELECT count(*) FROM judge_call WHERE campaign_id = c.campaign_id) AS call_rows,
               (SELECT count(*) FROM trial WHERE campaign_id = c.campaign_id AND complete) AS trial_rows
        FROM campaign c WHERE campaign_id = ?\
        """;

    private final Connection connection;
    private final String campaignId;

    Tables(DatabaseAddress database, String campaignId) throws SQLException {
        this.connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        this.campaignId = campaignId;
    }

    /** One number; {@code sql} has the campaign's id as its only parameter. */
    long count(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, campaignId);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** In one snapshot, while the campaign runs too: the counters say what the rows say. */
    void assertCountersEqualRows() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COUNTED)) {
            statement.setString(1, campaignId);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                assertThat(row.getLong("cells")).as("counted cells").isEqualTo(row.getLong("outcome_rows"));
                assertThat(row.getLong("calls")).as("counted judge calls").isEqualTo(row.getLong("call_rows"));
                assertThat(row.getLong("trials")).as("counted trials").isEqualTo(row.getLong("trial_rows"));
            }
        }
    }

    /** No answer waits for its grades, and none that was stored was asked for again. */
    void assertGradesPaidOnce(long grades, long inFlight) throws SQLException {
        assertThat(count("SELECT count(*) FROM ungraded_outcome WHERE campaign_id = ?"))
                .isZero();
        assertThat(count("SELECT count(*) FROM judge_call WHERE campaign_id = ? AND status = 'COMPLETED'"))
                .isEqualTo(grades);
        assertThat(count("""
            SELECT count(*) FROM ledger l JOIN judge_call j USING (campaign_id, ordinal, member)
            WHERE l.kind = 'grade' AND l.sent_at > j.finished_at AND campaign_id = ?\
            """)).as("requests for grades that were stored").isZero();
        assertThat(count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND kind = 'grade'") - grades)
                .as("graders that were being asked when the server was killed")
                .isBetween(0L, inFlight);
    }

    /** Requests that were made again, by the process that had made them first. */
    Map<Long, Long> repeatedRequests() throws SQLException {
        Map<Long, Long> repeated = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement(REPEATED)) {
            statement.setString(1, campaignId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    repeated.put(rows.getLong(1), rows.getLong(2));
                }
            }
        }
        return repeated;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
