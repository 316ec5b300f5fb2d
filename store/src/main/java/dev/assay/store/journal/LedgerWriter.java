package dev.assay.store.journal;

import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.JournalEntry.Settle;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes requests before they are sent, within the budget, and settles them after. */
final class LedgerWriter {

    private static final String CAMPAIGNS = """
        SELECT campaign_id, epoch, state = 'CANCELLED' OR state = 'FAILED', budget_usd
        FROM campaign WHERE campaign_id = ANY (?) ORDER BY campaign_id\
        """;

    // The first request under a budget finds what the ledger holds: the budget may have been set while the campaign
    // ran.
    private static final String OPEN_BUDGET = """
        INSERT INTO budget (campaign_id, spent_usd, reserved_usd)
        SELECT ?, coalesce(sum(CASE WHEN state = 'UNKNOWN' THEN reserved_usd ELSE cost_usd END)
                           FILTER (WHERE state <> 'SENT'), 0),
               coalesce(sum(reserved_usd) FILTER (WHERE state = 'SENT'), 0)
        FROM ledger WHERE campaign_id = ?
        ON CONFLICT (campaign_id) DO NOTHING\
        """;

    private static final String LOCK_BUDGET =
            "SELECT spent_usd, reserved_usd FROM budget WHERE campaign_id = ? FOR UPDATE";

    private static final String CHANGE_BUDGET =
            "UPDATE budget SET spent_usd = spent_usd + ?, reserved_usd = reserved_usd + ? WHERE campaign_id = ?";

    private static final String INSERT = """
        INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id,
            epoch, reserved_usd, state)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'SENT')
        ON CONFLICT (request_id) DO NOTHING\
        """;

    private static final String WRITTEN = "SELECT request_id FROM ledger WHERE request_id = ANY (?)";

    private static final String SETTLE = """
        UPDATE ledger SET state = ?, settled_at = now(), cost_usd = ?, total_tokens = ?, error_code = ?
        WHERE request_id = ? AND state = 'SENT'\
        """;

    private LedgerWriter() {}

    /** A campaign as the reservations of one transaction see it. */
    private static final class Standing {
        private final int epoch;
        private final boolean ended;
        private final @Nullable BigDecimal budget;
        private BigDecimal spent = BigDecimal.ZERO;
        private BigDecimal reserved = BigDecimal.ZERO;
        private BigDecimal added = BigDecimal.ZERO;

        Standing(int epoch, boolean ended, @Nullable BigDecimal budget) {
            this.epoch = epoch;
            this.ended = ended;
            this.budget = budget;
        }

        WriteResult decide(Reserve request) {
            if (ended || request.epoch() != epoch) {
                return WriteResult.STALE;
            }
            BigDecimal worstCase = request.worstCaseUsd();
            if (budget == null || worstCase == null) {
                return WriteResult.GRANTED;
            }
            if (spent.add(worstCase).compareTo(budget) > 0) {
                return WriteResult.OVER_BUDGET;
            }
            if (spent.add(reserved).add(worstCase).compareTo(budget) > 0) {
                return WriteResult.WAIT;
            }
            reserved = reserved.add(worstCase);
            added = added.add(worstCase);
            return WriteResult.GRANTED;
        }
    }

    static List<WriteResult> reserve(Connection connection, List<Reserve> requests) throws SQLException {
        if (requests.isEmpty()) {
            return List.of();
        }
        Map<String, Standing> standings = standings(connection, requests);
        Set<Long> written = written(connection, requests, standings);
        List<WriteResult> decisions = new ArrayList<>(requests.size());
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            boolean any = false;
            for (Reserve request : requests) {
                Standing standing = standings.get(request.cell().campaignId());
                WriteResult decision = standing == null
                        ? WriteResult.STALE
                        : written.contains(request.requestId()) ? WriteResult.GRANTED : standing.decide(request);
                decisions.add(decision);
                if (decision == WriteResult.GRANTED) {
                    bind(insert, request);
                    any = true;
                }
            }
            if (any) {
                insert.executeBatch();
            }
        }
        CellWriter.begin(connection, begun(requests, decisions));
        for (Map.Entry<String, Standing> entry : standings.entrySet()) {
            if (entry.getValue().added.signum() > 0) {
                changeBudget(connection, entry.getKey(), BigDecimal.ZERO, entry.getValue().added);
            }
        }
        return decisions;
    }

    /** The cells whose first request will be sent. */
    private static List<Begin> begun(List<Reserve> requests, List<WriteResult> decisions) {
        return IntStream.range(0, requests.size())
                .filter(i -> requests.get(i).begins() && decisions.get(i) == WriteResult.GRANTED)
                .mapToObj(requests::get)
                .map(request -> new Begin(request.cell(), request.epoch(), request.workerId()))
                .toList();
    }

    /**
     * Requests under a budget that are in the ledger: PostgreSQL went away after it had committed them and before it could say
     * so. They hold their reservation and must not wait for themselves.
     */
    private static Set<Long> written(Connection connection, List<Reserve> requests, Map<String, Standing> standings)
            throws SQLException {
        if (standings.values().stream().allMatch(standing -> standing.budget == null)) {
            return Set.of();
        }
        Set<Long> written = new HashSet<>();
        try (PreparedStatement select = connection.prepareStatement(WRITTEN)) {
            Object[] ids = requests.stream().map(Reserve::requestId).toArray();
            select.setArray(1, connection.createArrayOf("bigint", ids));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    written.add(rows.getLong(1));
                }
            }
        }
        return written;
    }

    private static void bind(PreparedStatement insert, Reserve request) throws SQLException {
        CellKey cell = request.cell();
        Bind.to(insert)
                .values(
                        request.requestId(),
                        cell.campaignId(),
                        cell.ordinal(),
                        cell.kind().word(),
                        cell.slot())
                .values(request.attempt(), request.turn(), request.provider(), request.model())
                .values(request.workerId(), request.epoch(), request.worstCaseUsd())
                .addBatch();
    }

    private static Map<String, Standing> standings(Connection connection, List<Reserve> requests) throws SQLException {
        Map<String, Standing> standings = new TreeMap<>();
        String[] ids = requests.stream()
                .map(request -> request.cell().campaignId())
                .distinct()
                .toArray(String[]::new);
        try (PreparedStatement select = connection.prepareStatement(CAMPAIGNS)) {
            select.setArray(1, connection.createArrayOf("text", ids));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    standings.put(
                            rows.getString(1), new Standing(rows.getInt(2), rows.getBoolean(3), rows.getBigDecimal(4)));
                }
            }
        }
        for (Map.Entry<String, Standing> entry : standings.entrySet()) {
            if (entry.getValue().budget != null) {
                lockBudget(connection, entry.getKey(), entry.getValue());
            }
        }
        return standings;
    }

    private static void lockBudget(Connection connection, String campaignId, Standing standing) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(LOCK_BUDGET)) {
            lock.setString(1, campaignId);
            if (readBudget(lock, standing)) {
                return;
            }
            try (PreparedStatement open = connection.prepareStatement(OPEN_BUDGET)) {
                Bind.to(open).values(campaignId, campaignId);
                open.executeUpdate();
            }
            readBudget(lock, standing);
        }
    }

    private static boolean readBudget(PreparedStatement lock, Standing standing) throws SQLException {
        try (ResultSet row = lock.executeQuery()) {
            if (!row.next()) {
                return false;
            }
            standing.spent = row.getBigDecimal(1);
            standing.reserved = row.getBigDecimal(2);
            return true;
        }
    }

    private static void changeBudget(Connection connection, String campaignId, BigDecimal spent, BigDecimal reserved)
            throws SQLException {
        try (PreparedStatement change = connection.prepareStatement(CHANGE_BUDGET)) {
            Bind.to(change).values(spent, reserved, campaignId);
            change.executeUpdate();
        }
    }

    static void settle(Connection connection, List<Settle> settlements) throws SQLException {
        if (settlements.isEmpty()) {
            return;
        }
        int[] settled;
        try (PreparedStatement update = connection.prepareStatement(SETTLE)) {
            for (Settle entry : settlements) {
                Bind.to(update)
                        .values(entry.failure() == null ? "ANSWERED" : "FAILED", entry.costUsd(), entry.totalTokens())
                        .value(
                                entry.failure() == null
                                        ? null
                                        : entry.failure().code().name())
                        .value(entry.requestId())
                        .addBatch();
            }
            settled = update.executeBatch();
        }
        Map<String, BigDecimal[]> changes = new TreeMap<>();
        for (int i = 0; i < settled.length; i++) {
            Settle entry = settlements.get(i);
            if (settled[i] > 0 && entry.reservedUsd() != null) {
                BigDecimal[] change = changes.computeIfAbsent(
                        entry.campaignId(), id -> new BigDecimal[] {BigDecimal.ZERO, BigDecimal.ZERO});
                change[0] = entry.costUsd() == null ? change[0] : change[0].add(entry.costUsd());
                change[1] = change[1].subtract(entry.reservedUsd());
            }
        }
        for (Map.Entry<String, BigDecimal[]> change : changes.entrySet()) {
            changeBudget(connection, change.getKey(), change.getValue()[0], change.getValue()[1]);
        }
    }
}
