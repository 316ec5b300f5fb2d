package dev.assay.store.journal;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.error.Failure;
import dev.assay.store.cell.CellClaim;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.Excuse;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.JournalEntry.Settle;
import dev.assay.store.sql.RowColumns;
import dev.assay.store.sql.Sql;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The writer of requests: before they are sent, within the budget, and again to settle them. */
final class LedgerWriter {

    private static final String CAMPAIGNS = """
        SELECT campaign_id, epoch,
               state IN ('CANCELLED', 'FAILED') OR state = 'PAUSED' AND failure_reason IS NOT NULL, budget_usd
        FROM campaign WHERE campaign_id = ANY (?) ORDER BY campaign_id\
        """;

    // The first request under a budget reads the ledger's totals: the budget may have been set while the campaign ran.
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

    private static final RowColumns<Reserve> COLUMNS = RowColumns.<Reserve>of()
            .key("request_id", Reserve::requestId)
            .key("campaign_id", request -> request.attempt().cell().campaignId())
            .key("ordinal", request -> request.attempt().cell().ordinal())
            .key("kind", request -> request.attempt().cell().kind().word())
            .key("member", request -> request.attempt().cell().slot())
            .key("attempt", request -> request.attempt().number())
            .key("turn", Reserve::turn)
            .key("provider", Reserve::provider)
            .key("model", Reserve::model)
            .key("worker_id", request -> request.attempt().claim().workerId())
            .key("epoch", request -> request.attempt().claim().epoch())
            .key("reserved_usd", Reserve::worstCaseUsd)
            .constant("state", "'SENT'");

    private static final String INSERT = COLUMNS.insert("ledger") + " ON CONFLICT (request_id) DO NOTHING";

    private static final String WRITTEN = "SELECT request_id FROM ledger WHERE request_id = ANY (?)";

    // An attempt is given back where its worker still holds the cell, and was where a later epoch took it over.
    private static final String NO_ATTEMPT = """
        UPDATE ledger SET no_attempt = ?
        WHERE request_id = ? AND EXISTS (
            SELECT 1 FROM cell WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ?
              AND (claim_epoch > ? OR claim_worker = ? AND claim_epoch = ? AND begun AND attempts = ?))\
        """;

    private static final String EXCUSED = "UPDATE ledger SET no_attempt = ? WHERE request_id = ?";

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
            if (ended || request.attempt().claim().epoch() != epoch) {
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

        /** Takes a grant back. */
        void takeBack(Reserve request) {
            BigDecimal worstCase = request.worstCaseUsd();
            if (budget != null && worstCase != null) {
                reserved = reserved.subtract(worstCase);
                added = added.subtract(worstCase);
            }
        }
    }

    static List<WriteResult> reserve(Sql sql, List<Reserve> requests) {
        if (requests.isEmpty()) {
            return List.of();
        }
        Map<String, Standing> standings = standings(sql, requests);
        Set<Long> written = written(sql, requests, standings);
        List<WriteResult> decisions = new ArrayList<>(requests.size());
        for (Reserve request : requests) {
            Standing standing = standings.get(request.campaignId());
            decisions.add(
                    standing == null
                            ? WriteResult.STALE
                            : written.contains(request.requestId()) ? WriteResult.GRANTED : standing.decide(request));
        }
        begin(sql, requests, decisions, standings);
        sql.batch(
                INSERT,
                IntStream.range(0, requests.size())
                        .filter(i -> decisions.get(i) == WriteResult.GRANTED)
                        .mapToObj(requests::get)
                        .toList(),
                COLUMNS::parameters);
        standings.forEach((campaignId, standing) -> {
            if (standing.added.signum() > 0) {
                reserveAll(sql, campaignId, standing.added);
            }
        });
        return decisions;
    }

    /** Counts the attempts that begin with granted requests; what may not begin is not granted. */
    private static void begin(
            Sql sql, List<Reserve> requests, List<WriteResult> decisions, Map<String, Standing> standings) {
        List<Integer> beginning = IntStream.range(0, requests.size())
                .filter(i -> decisions.get(i) == WriteResult.GRANTED
                        && requests.get(i).mostAttempts() != null)
                .boxed()
                .toList();
        List<WriteResult> begun = CellWriter.begin(
                sql,
                beginning.stream().map(requests::get).map(LedgerWriter::begin).toList());
        for (int i = 0; i < begun.size(); i++) {
            if (begun.get(i) != WriteResult.GRANTED) {
                Reserve request = requests.get(beginning.get(i));
                decisions.set(beginning.get(i), begun.get(i));
                requireNonNull(standings.get(request.campaignId())).takeBack(request);
            }
        }
    }

    private static Begin begin(Reserve request) {
        return new Begin(request.attempt(), requireNonNull(request.mostAttempts()));
    }

    /**
     * Requests under a budget that are in the ledger: PostgreSQL went away after it had committed them and before it could answer.
     * They hold their reservation and must not wait for themselves.
     */
    private static Set<Long> written(Sql sql, List<Reserve> requests, Map<String, Standing> standings) {
        if (standings.values().stream().allMatch(standing -> standing.budget == null)) {
            return Set.of();
        }
        return Set.copyOf(sql.list(
                WRITTEN,
                row -> row.getLong(1),
                requests.stream().map(Reserve::requestId).toList()));
    }

    private static Map<String, Standing> standings(Sql sql, List<Reserve> requests) {
        Map<String, Standing> standings = new TreeMap<>();
        sql.forEach(
                CAMPAIGNS,
                row -> Map.entry(
                        row.getString(1), new Standing(row.getInt(2), row.getBoolean(3), row.getBigDecimal(4))),
                entry -> standings.put(entry.getKey(), entry.getValue()),
                requests.stream()
                        .map(request -> request.campaignId())
                        .distinct()
                        .toList());
        standings.forEach((campaignId, standing) -> {
            if (standing.budget != null) {
                Held held = hold(sql, campaignId);
                standing.spent = held.spent();
                standing.reserved = held.reserved();
            }
        });
        return standings;
    }

    static void settle(Sql sql, List<Settle> settlements) {
        List<Settle> noAttempts =
                settlements.stream().filter(entry -> entry.noAttempt() != null).toList();
        sql.batch(NO_ATTEMPT, noAttempts, LedgerWriter::noAttempt);
        CellWriter.giveBack(sql, noAttempts.stream().map(Settle::attempt).toList());
        Map<String, BigDecimal[]> changes = new TreeMap<>();
        for (Settle entry : sql.changed(SETTLE, settlements, LedgerWriter::columns)) {
            if (entry.reservedUsd() != null) {
                add(changes, entry.campaignId(), entry.costUsd(), entry.reservedUsd());
            }
        }
        changeBudgets(sql, changes);
    }

    /** Adds to the changes of budgets: what is spent, and what is reserved no more. */
    static void add(
            Map<String, BigDecimal[]> changes,
            String campaignId,
            @Nullable BigDecimal costUsd,
            BigDecimal reservedUsd) {
        BigDecimal[] change =
                changes.computeIfAbsent(campaignId, id -> new BigDecimal[] {BigDecimal.ZERO, BigDecimal.ZERO});
        change[0] = costUsd == null ? change[0] : change[0].add(costUsd);
        change[1] = change[1].subtract(reservedUsd);
    }

    static void changeBudgets(Sql sql, Map<String, BigDecimal[]> changes) {
        changes.forEach((campaignId, change) -> sql.update(CHANGE_BUDGET, change[0], change[1], campaignId));
    }

    /**
     * What is left of a campaign's budget, which no other transaction changes then.
     *
     * @param spent in US dollars
     * @param reserved for requests in flight and in batches, in US dollars
     */
    record Held(BigDecimal spent, BigDecimal reserved) {}

    /** Locks the budget of a campaign that has one. */
    static Held hold(Sql sql, String campaignId) {
        return locked(sql, campaignId)
                .or(() -> {
                    sql.update(OPEN_BUDGET, campaignId, campaignId);
                    return locked(sql, campaignId);
                })
                .orElseThrow();
    }

    static void reserveAll(Sql sql, String campaignId, BigDecimal usd) {
        sql.update(CHANGE_BUDGET, BigDecimal.ZERO, usd, campaignId);
    }

    private static Optional<Held> locked(Sql sql, String campaignId) {
        return sql.first(LOCK_BUDGET, row -> new Held(row.getBigDecimal(1), row.getBigDecimal(2)), campaignId);
    }

    /** Excuses attempts that met an outage or a refusal. The answer for each is GRANTED, or EXHAUSTED when it counts. */
    static List<WriteResult> excuse(Sql sql, List<Excuse> entries) {
        List<Excuse> excused = CellWriter.excuse(sql, entries);
        sql.batch(EXCUSED, excused, entry -> Sql.row(entry.why().name(), entry.requestId()));
        return entries.stream()
                .map(entry -> excused.contains(entry) ? WriteResult.GRANTED : WriteResult.EXHAUSTED)
                .toList();
    }

    private static @Nullable Object[] noAttempt(Settle entry) {
        CellClaim claim = entry.attempt().claim();
        return Sql.row(
                requireNonNull(entry.noAttempt()).name(),
                entry.requestId(),
                CellWriter.columns(claim.cell()),
                claim.epoch(),
                claim.workerId(),
                claim.epoch(),
                entry.attempt().number());
    }

    private static @Nullable Object[] columns(Settle entry) {
        Failure failure = entry.failure();
        return Sql.row(
                failure == null ? "ANSWERED" : "FAILED",
                entry.costUsd(),
                entry.totalTokens(),
                failure == null ? null : failure.code().name(),
                entry.requestId());
    }
}
