package dev.assay.store.worker;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.Database;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Workers and their leases. */
@Singleton
public class WorkerRepository {

    private static final String REGISTER = """
        INSERT INTO worker (worker_id, host, pid, version, queues, providers, lease_until)
        VALUES (?, ?, ?, ?, ?, ?::jsonb, now() + interval '30 seconds')
        ON CONFLICT (worker_id) DO UPDATE SET lease_until = excluded.lease_until\
        """;

    private static final String RENEW =
            "UPDATE worker SET lease_until = now() + interval '30 seconds' WHERE worker_id = ?";

    // Its claims are free at once: the row says that nobody holds them any more.
    private static final String RETIRE = "UPDATE worker SET lease_until = '-infinity' WHERE worker_id = ?";

    private static final String LIVE = """
        SELECT worker_id, host, pid, version, queues, providers FROM worker
        WHERE worker_is_live(lease_until) AND lease_until <> '-infinity'
        ORDER BY started_at, worker_id\
        """;

    private static final String SWEEP = """
        WITH dead AS (
            UPDATE ledger l SET state = 'UNKNOWN', settled_at = now()
            WHERE l.state = 'SENT' AND NOT EXISTS (
                SELECT 1 FROM worker w WHERE w.worker_id = l.worker_id AND worker_is_live(w.lease_until))
            RETURNING l.campaign_id, l.reserved_usd),
        sums AS (SELECT campaign_id, sum(reserved_usd) AS usd FROM dead GROUP BY campaign_id),
        moved AS (
            UPDATE budget b SET spent_usd = b.spent_usd + s.usd, reserved_usd = greatest(b.reserved_usd - s.usd, 0)
            FROM sums s WHERE s.campaign_id = b.campaign_id AND s.usd IS NOT NULL)
        SELECT count(*) FROM dead\
        """;

    private static final String CONTROLS =
            "SELECT campaign_id, epoch, state, max_concurrent FROM campaign WHERE campaign_id = ANY (?)";

    private final Database database;

    public WorkerRepository(Database database) {
        this.database = database;
    }

    /**
     * A process that runs cells.
     *
     * @param id unique per start
     * @param host where it runs
     * @param pid its process id there
     * @param version of Assay
     * @param queues task queues that it polls
     * @param providers what it can ask
     */
    public record Worker(
            String id, String host, long pid, String version, List<String> queues, List<ProviderInfo> providers) {

        public Worker {
            queues = List.copyOf(queues);
            providers = List.copyOf(providers);
        }
    }

    /** What a worker must know of a campaign every second. */
    public record CampaignControl(String campaignId, int epoch, CampaignState state, int maxConcurrent) {}

    /** Registers a worker with a lease of 30 s by PostgreSQL's clock. */
    public void register(Worker worker) {
        database.write(connection -> {
            try (PreparedStatement register = connection.prepareStatement(REGISTER)) {
                register.setString(1, worker.id());
                register.setString(2, worker.host());
                register.setLong(3, worker.pid());
                register.setString(4, worker.version());
                register.setArray(
                        5, connection.createArrayOf("text", worker.queues().toArray()));
                register.setString(6, Json.write(worker.providers()));
                return register.executeUpdate();
            }
        });
    }

    /**
     * Renews the lease for 30 s from now.
     *
     * @return false when the worker is not registered
     */
    public boolean renew(String workerId) {
        return update(RENEW, workerId) > 0;
    }

    /** Ends the lease: the worker holds no claim any more. */
    public void retire(String workerId) {
        update(RETIRE, workerId);
    }

    private int update(String sql, String workerId) {
        return database.write(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, workerId);
                return statement.executeUpdate();
            }
        });
    }

    /** The workers whose lease has not lapsed, oldest first. */
    public List<Worker> live() {
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(LIVE);
                    ResultSet rows = select.executeQuery()) {
                List<Worker> workers = new ArrayList<>();
                while (rows.next()) {
                    workers.add(worker(rows));
                }
                return workers;
            }
        });
    }

    private static Worker worker(ResultSet row) throws SQLException {
        return new Worker(
                row.getString("worker_id"),
                row.getString("host"),
                row.getLong("pid"),
                row.getString("version"),
                List.of((String[]) row.getArray("queues").getArray()),
                List.of(Json.read(row.getString("providers"), ProviderInfo[].class)));
    }

    /**
     * Marks the unsettled requests of dead workers as UNKNOWN; they count as spent at their reservation.
     *
     * @return how many there were
     */
    public int sweepLedger() {
        return database.write(connection -> {
            try (PreparedStatement sweep = connection.prepareStatement(SWEEP);
                    ResultSet row = sweep.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        });
    }

    /** Epoch, state and limit of the given campaigns; an unknown one is left out. */
    public List<CampaignControl> controls(Collection<String> campaignIds) {
        if (campaignIds.isEmpty()) {
            return List.of();
        }
        return database.read(connection -> readControls(connection, campaignIds));
    }

    private static List<CampaignControl> readControls(Connection connection, Collection<String> campaignIds)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(CONTROLS)) {
            select.setArray(1, connection.createArrayOf("text", campaignIds.toArray()));
            try (ResultSet rows = select.executeQuery()) {
                List<CampaignControl> controls = new ArrayList<>();
                while (rows.next()) {
                    controls.add(new CampaignControl(
                            rows.getString(1),
                            rows.getInt(2),
                            CampaignState.valueOf(rows.getString(3)),
                            rows.getInt(4)));
                }
                return controls;
            }
        }
    }
}
