package dev.assay.store.health;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.LostTime;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.HealthFacts;
import dev.assay.domain.health.HealthFacts.Blocked;
import dev.assay.domain.health.HealthFacts.Budget;
import dev.assay.domain.health.HealthFacts.Cells;
import dev.assay.domain.health.HealthFacts.Down;
import dev.assay.domain.health.HealthFacts.Driver;
import dev.assay.domain.health.HealthFacts.KeysLeft;
import dev.assay.domain.health.HealthFacts.Killed;
import dev.assay.domain.health.HealthFacts.Kills;
import dev.assay.domain.health.HealthFacts.Limit;
import dev.assay.domain.health.HealthFacts.MissingKey;
import dev.assay.domain.health.HealthFacts.Outages;
import dev.assay.domain.health.HealthFacts.RefusedKey;
import dev.assay.domain.health.HealthFacts.Retry;
import dev.assay.domain.health.HealthFacts.Spend;
import dev.assay.domain.health.HealthFacts.Store;
import dev.assay.domain.health.LiveWorkers;
import dev.assay.domain.health.LiveWorkers.LiveWorker;
import dev.assay.domain.health.StoreRefusal;
import dev.assay.domain.health.WorkerLoad;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.EffectiveLimit;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPattern;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.provider.KeyState;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.limit.LimitQueries;
import dev.assay.store.limit.LimitState;
import dev.assay.store.limit.ManualLimits;
import dev.assay.store.limit.ThrottleQueries;
import dev.assay.store.limit.ThrottleState;
import dev.assay.store.outage.KeyStates;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the facts by which the health of a campaign is judged. Its cost depends on the calls in flight, not on the campaign's size. */
@Singleton
public class HealthRepository {

    private static final TypeReference<List<ProviderInfo>> PROVIDERS = new TypeReference<>() {};
    private static final TypeReference<List<WorkerLoad>> LOAD = new TypeReference<>() {};

    private static final String STANDING = """
        SELECT extract(epoch FROM clock_timestamp() - greatest(c.changed_at,
                   (SELECT max(counted_at) FROM progress p WHERE p.campaign_id = c.campaign_id))) * 1000 AS idle_ms,
               c.paused_for IS NOT NULL AS paused_for_outage, coalesce(b.spent_usd, 0) AS spent_usd, coalesce(b.reserved_usd, 0) AS reserved_usd
        FROM campaign c LEFT JOIN budget b USING (campaign_id) WHERE c.campaign_id = ?\
        """;

    private static final String WORKERS = """
        SELECT queues, providers, tools, load, refusals -> ? AS refusal, makes_batches,
               (extract(epoch FROM now() - (lease_until - interval '30 seconds')) * 1000)::bigint AS silent_ms
        FROM worker WHERE worker_is_live(lease_until)\
        """;

    private static final String RETRIES = """
        SELECT kind, member, error_code, count(*) AS cells, min(next_try_at) AS next
        FROM cell WHERE campaign_id = ? AND next_try_at > now() AND closed_epoch IS NULL AND error_code IS NOT NULL
        GROUP BY kind, member, error_code\
        """;

    private static final String UNSTORED =
            "SELECT count(*) AS answers, sum(cost_usd) AS cost_usd FROM unstored_answer WHERE campaign_id = ?";

    // An outage of a worker that has ended says nothing.
    private static final String DOWN = """
        SELECT o.provider, o.models, count(w.worker_id) AS workers, min(o.since) AS since, max(o.signal) AS signal,
               min(o.next_probe) AS next_probe
        FROM outage o LEFT JOIN worker w ON w.worker_id = o.worker_id AND worker_is_live(w.lease_until)
        WHERE (o.provider, o.models) IN (SELECT * FROM unnest(?::text[], ?::text[])) AND o.key = ''
          AND (o.worker_id = '' OR w.worker_id IS NOT NULL)
        GROUP BY o.provider, o.models, o.worker_id = '' ORDER BY o.provider, o.models\
        """;

    // A value that no live worker has says nothing.
    private static final String REFUSED = """
        SELECT * FROM (
            SELECT o.provider, left(o.key, -13) AS name, max(o.reason) AS reason, min(o.since) AS since, max(o.signal) AS signal, min(o.next_probe) AS next_probe,
                (SELECT count(*) FROM key_use u JOIN worker w ON w.worker_id = u.worker_id AND worker_is_live(w.lease_until)
                 WHERE u.provider = o.provider AND u.key_name || '/' || u.fingerprint = o.key) AS workers,
                (SELECT count(DISTINCT u.key_name) FROM key_use u
                 JOIN worker w ON w.worker_id = u.worker_id AND worker_is_live(w.lease_until)
                 WHERE u.provider = o.provider AND key_is_usable(u.provider, u.key_name, u.fingerprint)) AS going,
                EXISTS (SELECT FROM key_use u JOIN worker w ON w.worker_id = u.worker_id AND worker_is_live(w.lease_until)
                 WHERE u.provider = o.provider AND u.key_name = left(o.key, -13)
                   AND key_is_usable(u.provider, u.key_name, u.fingerprint)) AS same,
                (SELECT count(DISTINCT k ->> 'name') FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p
                 CROSS JOIN jsonb_array_elements(p -> 'keys') AS k
                 WHERE worker_is_live(w.lease_until) AND p ->> 'name' = o.provider) AS keys
            FROM outage o WHERE o.key <> '' AND (o.provider, o.models) IN (SELECT * FROM unnest(?::text[], ?::text[]))
            GROUP BY o.provider, o.key) AS keys
        WHERE workers > 0 ORDER BY provider, since\
        """;

    private static final int KILLS_SHOWN = 3;
    private static final String KILLED =
            "SELECT what, kills FROM compute_kill WHERE campaign_id = ? ORDER BY kills DESC, definition LIMIT ?";
    private static final String KILLS = "SELECT sum(kills) AS kills FROM compute_kill WHERE campaign_id = ?";

    private final Sql sql;
    private final LimitQueries limits;
    private final ManualLimits manual;
    private final ThrottleQueries throttles;
    private final KeyStates keys;

    HealthRepository(Sql sql, LimitQueries limits, ManualLimits manual, ThrottleQueries throttles, KeyStates keys) {
        this.sql = sql;
        this.limits = limits;
        this.manual = manual;
        this.throttles = throttles;
        this.keys = keys;
    }

    private static LiveWorker worker(ResultSet row) throws SQLException {
        return new LiveWorker(
                Columns.strings(row, "queues"),
                Columns.json(row, "providers", PROVIDERS),
                Json.read(row.getString("tools"), ToolPolicy.class),
                Columns.json(row, "load", LOAD),
                readRefusal(row.getString("refusal")),
                Duration.ofMillis(row.getLong("silent_ms")),
                row.getBoolean("makes_batches"));
    }

    private static @Nullable StoreRefusal readRefusal(@Nullable String json) {
        return json == null ? null : Json.read(json, StoreRefusal.class);
    }

    /** The time since something was recorded, and the spend. */
    private record Standing(Duration idle, boolean isPausedForOutage, BigDecimal spentUsd, BigDecimal reservedUsd) {}

    /**
     * The facts of a campaign, on the assumption that its workflow runs: only Temporal knows that.
     *
     * @param cellsOpen cells without a final outcome
     * @param queueOf the task queue of the calls to a provider
     */
    @ReadOnly
    public HealthFacts facts(StoredCampaign campaign, long cellsOpen, UnaryOperator<String> queueOf) {
        Standing standing =
                sql.first(STANDING, HealthRepository::standing, campaign.id()).orElseThrow();
        LiveWorkers workers = new LiveWorkers(sql.list(WORKERS, HealthRepository::worker, campaign.id()));
        BigDecimal limit = campaign.budgetUsd();
        return new HealthFacts(
                campaign.state(),
                campaign.failureReason(),
                Driver.RUNNING,
                limited(campaign, workers.cells(campaign.id(), cellsOpen, campaign.maxConcurrent())),
                retries(campaign),
                workers.reaching(
                        campaign.definition().providersAsked(),
                        queueOf,
                        campaign.definition().mayBeOut()),
                new Spend(
                        limit == null ? null : new Budget(limit, standing.spentUsd(), standing.reservedUsd()),
                        lostTimes(campaign.id())),
                store(campaign.id(), workers.refusal()),
                kills(campaign.id()),
                new Outages(standing.isPausedForOutage(), down(campaign), refused(campaign), missing(campaign)),
                standing.idle());
    }

    /** With the limits for whose units calls wait, and the pools that are blocked, of the providers for which the campaign's cells wait. */
    private Cells limited(StoredCampaign campaign, Cells cells) {
        List<Limit> holding = new ArrayList<>();
        for (LimitState state : limits.of(cells.awaited())) {
            state.limits().stream()
                    .filter(room -> room.kind() == state.holding())
                    .map(room -> new Limit(
                            state.pool().provider(),
                            state.pool().models(),
                            room.kind(),
                            room.limit(),
                            state.waiting(),
                            state.sinceGrant(),
                            setBy(state, room.kind())))
                    .forEach(holding::add);
        }
        return cells.limitedBy(holding, blocked(campaign, cells.awaited()));
    }

    private List<Blocked> blocked(StoredCampaign campaign, List<String> providers) {
        List<ModelPool> asked = campaign.definition().poolsAsked();
        List<Blocked> blocked = new ArrayList<>();
        for (ThrottleState state : throttles.of(providers)) {
            Instant until = state.blockedUntil();
            ModelPool pool = state.pool();
            ModelPattern models = new ModelPattern(pool.models());
            if (until != null
                    && !state.goesElsewhere()
                    && asked.stream()
                            .anyMatch(one -> one.provider().equals(pool.provider()) && models.matches(one.models()))) {
                blocked.add(new Blocked(pool.provider(), until));
            }
        }
        return blocked;
    }

    private @Nullable String setBy(LimitState state, LimitKind kind) {
        return state.known(kind).inForce().why() == EffectiveLimit.Why.MANUAL
                ? manual.setBy(state.pool(), kind).orElse(null)
                : null;
    }

    private List<Down> down(StoredCampaign campaign) {
        List<ModelPool> pools = campaign.definition().poolsAsked();
        return sql.list(
                DOWN,
                row -> new Down(
                        row.getString("provider"),
                        row.getString("models"),
                        row.getInt("workers"),
                        Columns.instant(row, "since"),
                        row.getString("signal"),
                        Columns.instant(row, "next_probe")),
                pools.stream().map(ModelPool::provider).toList(),
                pools.stream().map(ModelPool::models).toList());
    }

    private List<RefusedKey> refused(StoredCampaign campaign) {
        List<ModelPool> pools = campaign.definition().poolsAsked();
        return sql.list(
                REFUSED,
                row -> new RefusedKey(
                        row.getString("provider"),
                        row.getString("name"),
                        Outage.Reason.valueOf(row.getString("reason")),
                        row.getInt("workers"),
                        new KeysLeft(row.getInt("going"), row.getInt("keys"), row.getBoolean("same")),
                        Columns.instant(row, "since"),
                        row.getString("signal"),
                        Columns.instant(row, "next_probe")),
                pools.stream().map(ModelPool::provider).toList(),
                pools.stream().map(ModelPool::models).toList());
    }

    private List<MissingKey> missing(StoredCampaign campaign) {
        Map<String, List<KeyState>> all = keys.byProvider();
        return campaign.definition().poolsAsked().stream()
                .map(ModelPool::provider)
                .distinct()
                .sorted()
                .flatMap(provider -> missing(provider, all.getOrDefault(provider, List.of())))
                .toList();
    }

    /** Of a provider of which no key goes on, others say more. */
    private static Stream<MissingKey> missing(String provider, List<KeyState> keys) {
        int going = (int)
                keys.stream().filter(key -> key.use() == KeyState.Use.ENABLED).count();
        return going == 0
                ? Stream.empty()
                : keys.stream()
                        .filter(key -> key.use() == KeyState.Use.MISSING)
                        .map(KeyState::key)
                        .map(key -> new MissingKey(provider, key.name(), key.variable(), going, keys.size()));
    }

    private Kills kills(String campaignId) {
        List<Killed> mostOften = sql.list(
                KILLED, row -> new Killed(row.getString("what"), row.getLong("kills")), campaignId, KILLS_SHOWN);
        return mostOften.isEmpty()
                ? Kills.NONE
                : sql.first(KILLS, row -> new Kills(row.getLong("kills"), mostOften), campaignId)
                        .orElseThrow();
    }

    private Store store(String campaignId, @Nullable StoreRefusal refusal) {
        return sql.first(
                        UNSTORED,
                        row -> new Store(refusal, row.getLong("answers"), row.getBigDecimal("cost_usd")),
                        campaignId)
                .orElseThrow();
    }

    private List<LostTime> lostTimes(String campaignId) {
        return sql.list(
                "SELECT lost_from, lost_until FROM store_gap WHERE campaign_id = ? ORDER BY lost_until",
                row -> new LostTime(Columns.instantOrNull(row, "lost_from"), Columns.instant(row, "lost_until")),
                campaignId);
    }

    private static Standing standing(ResultSet row) throws SQLException {
        return new Standing(
                Duration.ofMillis(Math.max(0, row.getLong("idle_ms"))),
                row.getBoolean("paused_for_outage"),
                row.getBigDecimal("spent_usd"),
                row.getBigDecimal("reserved_usd"));
    }

    private List<Retry> retries(StoredCampaign campaign) {
        Map<String, Retry> merged = new TreeMap<>();
        sql.forEach(
                RETRIES,
                row -> retry(campaign, row),
                retry -> merged.merge(retry.code() + " " + retry.provider(), retry, Retry::plus),
                campaign.id());
        return List.copyOf(merged.values());
    }

    private static Retry retry(StoredCampaign campaign, ResultSet row) throws SQLException {
        CellKind kind = CellKind.ofWord(row.getString("kind"));
        String providers = kind.agents(campaign.definition(), row.getInt("member")).stream()
                .map(Agent::provider)
                .distinct()
                .collect(Collectors.joining(" or "));
        return new Retry(
                ErrorCode.valueOf(row.getString("error_code")),
                providers,
                row.getLong("cells"),
                Columns.instant(row, "next"));
    }
}
