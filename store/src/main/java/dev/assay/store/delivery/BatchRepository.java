package dev.assay.store.delivery;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.delivery.BatchState;
import dev.assay.store.cell.CellKey;
import dev.assay.store.delivery.ProviderBatch.Problem;
import dev.assay.store.journal.JournalEntry.EndItem.OutItem;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of provider batches. A state changes by one UPDATE that names the old one; false: another one changed it. */
@Singleton
public class BatchRepository {

    private static final String SELECT = "SELECT " + BatchRows.COLUMNS + " FROM provider_batch b ";

    private static final String ITEMS = """
        SELECT i.batch_id, i.request_id, i.campaign_id, i.ordinal, i.kind, i.member, i.attempt, l.reserved_usd,
               coalesce(c.batches, 1) AS batches
        FROM provider_batch_item i LEFT JOIN ledger l USING (request_id)
        LEFT JOIN cell c ON c.campaign_id = i.campaign_id AND c.ordinal = i.ordinal AND c.kind = i.kind AND c.member = i.member \
        """;

    private static final String COUNT_OUT = """
        SELECT count(*) FROM provider_batch b
        WHERE b.campaign_id = ? AND b.state NOT IN ('COLLECTED', 'REFUSED', 'ABANDONED')\
        """;

    private final Sql sql;

    BatchRepository(Sql sql) {
        this.sql = sql;
    }

    /** A batch by its id. */
    @ReadOnly
    public Optional<ProviderBatch> find(String id) {
        return sql.first(SELECT + "WHERE b.id = ?", BatchRows::read, id);
    }

    /** The batches in which cells may be out, the oldest first, at most {@code most}. */
    @ReadOnly
    public List<ProviderBatch> open(int most) {
        return sql.list(
                SELECT + "WHERE b.state NOT IN ('COLLECTED', 'REFUSED', 'ABANDONED') ORDER BY b.created_at LIMIT ?",
                BatchRows::read,
                most);
    }

    /** The batches of a campaign in which cells may be out, the oldest first. */
    @ReadOnly
    public List<ProviderBatch> openOf(String campaignId) {
        return sql.list(
                SELECT
                        + "WHERE b.campaign_id = ? AND b.state NOT IN ('COLLECTED', 'REFUSED', 'ABANDONED') ORDER BY"
                        + " b.created_at",
                BatchRows::read,
                campaignId);
    }

    /** The cells of branches of a campaign that are out with providers. */
    @ReadOnly
    public long requestsOut(String campaignId) {
        return sql.first(
                        "SELECT coalesce(sum(lines - answered - failed - expired - canceled - missing), 0) FROM"
                                + " provider_batch WHERE campaign_id = ? AND kind = 'branch' AND state NOT IN"
                                + " ('COLLECTED', 'REFUSED', 'ABANDONED')",
                        row -> row.getLong(1),
                        campaignId)
                .orElse(0L);
    }

    /** How many batches of a campaign are out. */
    @ReadOnly
    public int countOpen(String campaignId) {
        return sql.first(COUNT_OUT, row -> row.getInt(1), campaignId).orElse(0);
    }

    /** The estimated input tokens of a model that are out with a provider. */
    @ReadOnly
    public long tokensOut(String provider, String model) {
        return sql.first(
                        "SELECT coalesce(sum(estimated_tokens), 0) FROM provider_batch b WHERE b.provider = ? AND"
                                + " b.model = ? AND b.state NOT IN ('COLLECTED', 'REFUSED', 'ABANDONED')",
                        row -> row.getLong(1),
                        provider,
                        model)
                .orElse(0L);
    }

    /**
     * How long the last 20 batches of a model took, the newest first. One that was cancelled would have taken longer; it counts when its
     * deadline had it cancelled.
     */
    @ReadOnly
    public List<Duration> lastDurations(String provider, String model) {
        return sql.list("""
            SELECT (extract(epoch FROM b.ended_at - b.submitted_at) * 1000)::bigint FROM provider_batch b
            WHERE b.provider = ? AND b.model = ? AND b.state = 'COLLECTED'
              AND (b.cancel_requested_at IS NULL OR b.cancel_requested_at >= b.deadline_at)
            ORDER BY b.ended_at DESC LIMIT 20\
            """, row -> Duration.ofMillis(row.getLong(1)), provider, model);
    }

    /** What a list of batches shows. */
    public record Wanted(
            @Nullable String campaignId, @Nullable String state) {}

    /** A place in the list. */
    public record Place(Instant created, String id) {}

    /**
     * The newest batches.
     *
     * @param after the last one of the page before; null: from the first
     */
    @ReadOnly
    public List<ProviderBatch> page(Wanted wanted, @Nullable Place after, int most) {
        StringBuilder where = new StringBuilder();
        List<Object> parameters = new ArrayList<>();
        if (wanted.campaignId() != null) {
            where.append(" AND b.campaign_id = ?");
            parameters.add(wanted.campaignId());
        }
        if (wanted.state() != null) {
            where.append(" AND b.state = ?");
            parameters.add(wanted.state());
        }
        if (after != null) {
            where.append(" AND (b.created_at, b.id) < (?, ?)");
            parameters.add(after.created());
            parameters.add(after.id());
        }
        parameters.add(most);
        return sql.list(
                SELECT + "WHERE true" + where + " ORDER BY b.created_at DESC, b.id DESC LIMIT ?",
                BatchRows::read,
                parameters.toArray());
    }

    /**
     * The provider has the file of requests.
     *
     * @param keyName of the key whose account has it; null: the provider needs none
     */
    @Transactional
    public boolean uploaded(String id, @Nullable String fileId, @Nullable String keyName) {
        return sql.update("""
            UPDATE provider_batch SET state = 'UPLOADED', file_id = ?, key_name = ?, error_code = NULL,
                error_message = NULL
            WHERE id = ? AND state IN ('BUILDING', 'UPLOADED')\
            """, fileId, keyName, id) > 0;
    }

    /**
     * Its one submission is about to be sent.
     *
     * @param account that the provider named for the key; null: none
     */
    @Transactional
    public boolean submitting(String id, @Nullable String account) {
        return sql.update("""
            UPDATE provider_batch SET state = 'SUBMITTING', submitting_at = now(), clean_at = NULL, account_hash = ?
            WHERE id = ? AND state = 'UPLOADED'\
            """, account, id) > 0;
    }

    /** Another key sees it, of the same account. */
    @Transactional
    public void seenBy(String id, String keyName) {
        sql.update("UPDATE provider_batch SET key_name = ? WHERE id = ?", keyName, id);
    }

    /** When it is looked at next. */
    @Transactional
    public void nextLook(String id, Duration after) {
        sql.update("""
            UPDATE provider_batch SET next_poll_at = now() + ? * interval '1 millisecond'
            WHERE id = ? AND state NOT IN ('COLLECTED', 'REFUSED', 'ABANDONED')\
            """, after.toMillis(), id);
    }

    /**
     * The last batch of a model of which the provider took no line, since too many tokens were out.
     *
     * @param since its end
     * @param isOver whether a batch has ended since then
     */
    public record TooMuch(int lines, Duration since, boolean isOver) {}

    /** That of the last day; empty: there is none. */
    @ReadOnly
    public Optional<TooMuch> tooMuch(String provider, String model) {
        return sql.first(
                """
                SELECT b.lines, (extract(epoch FROM now() - b.ended_at) * 1000)::bigint,
                       EXISTS (SELECT 1 FROM provider_batch e WHERE e.provider = b.provider AND e.model = b.model
                               AND e.state = 'COLLECTED' AND e.ended_at > b.ended_at)
                FROM provider_batch b
                WHERE b.provider = ? AND b.model = ? AND b.state = 'REFUSED' AND b.error_code = 'token_limit_exceeded'
                  AND b.ended_at > now() - interval '1 day'
                ORDER BY b.ended_at DESC LIMIT 1\
                """,
                row -> new TooMuch(row.getInt(1), Duration.ofMillis(row.getLong(2)), row.getBoolean(3)),
                provider,
                model);
    }

    /** Whether each of these ids of a provider belongs to a batch that is known. */
    @ReadOnly
    public boolean areKnown(Collection<String> providerIds) {
        return providerIds.isEmpty()
                || sql.first(
                                        "SELECT count(DISTINCT provider_id) FROM provider_batch WHERE provider_id ="
                                                + " ANY (?::text[])",
                                        row -> row.getInt(1),
                                        providerIds)
                                .orElse(0)
                        >= Set.copyOf(providerIds).size();
    }

    /** The provider has it. */
    @Transactional
    public boolean submitted(String id, String providerId, @Nullable Instant expires, @Nullable String account) {
        return sql.update("""
            UPDATE provider_batch SET state = 'SUBMITTED', submitted_at = now(), provider_id = ?, expires_at = ?,
                account_hash = coalesce(?, account_hash), error_code = NULL, error_message = NULL
            WHERE id = ? AND state IN ('SUBMITTING', 'UNCERTAIN')\
            """, providerId, expires, account, id) > 0;
    }

    /** The provider surely did not accept it: it is to be submitted again. */
    @Transactional
    public boolean notAccepted(String id, @Nullable String fileId, @Nullable Problem problem) {
        return sql.update(
                        """
                        UPDATE provider_batch SET state = 'UPLOADED', file_id = ?, clean_at = NULL, error_code = ?, error_message = ?
                        WHERE id = ? AND state IN ('SUBMITTING', 'UNCERTAIN')\
                        """,
                        fileId,
                        problem == null ? null : problem.code(),
                        problem == null ? null : problem.message(),
                        id)
                > 0;
    }

    /** A complete list of the account did not have it. */
    @Transactional
    public void clean(String id) {
        sql.update(
                "UPDATE provider_batch SET clean_at = coalesce(clean_at, now()), state = 'SUBMITTING'"
                        + " WHERE id = ? AND state IN ('SUBMITTING', 'UNCERTAIN')",
                id);
    }

    /** Nobody can tell whether it was accepted. */
    @Transactional
    public void uncertain(String id, Problem problem) {
        sql.update("""
            UPDATE provider_batch SET state = 'UNCERTAIN', clean_at = NULL, error_code = ?, error_message = ?
            WHERE id = ? AND state IN ('SUBMITTING', 'UNCERTAIN')\
            """, problem.code(), problem.message(), id);
    }

    /** What went wrong with it last; null: nothing. Its state stays. */
    @Transactional
    public void note(String id, @Nullable Problem problem) {
        sql.update(
                "UPDATE provider_batch SET error_code = ?, error_message = ? WHERE id = ?",
                problem == null ? null : problem.code(),
                problem == null ? null : problem.message(),
                id);
    }

    /** It was looked at, and goes on. */
    @Transactional
    public void polled(String id, int saidDone, @Nullable Instant expires) {
        sql.update("""
            UPDATE provider_batch SET said_done = ?, expires_at = coalesce(?, expires_at), error_code = NULL, error_message = NULL
            WHERE id = ? AND state = 'SUBMITTED'\
            """, saidDone, expires, id);
    }

    /** No line changes any more. */
    @Transactional
    public boolean ended(String id, int saidDone) {
        return sql.update("""
            UPDATE provider_batch SET state = 'ENDED', ended_at = now(), said_done = ?, tries = 0, next_poll_at = NULL,
                error_code = NULL, error_message = NULL
            WHERE id = ? AND state = 'SUBMITTED'\
            """, saidDone, id) > 0;
    }

    /** Its results could not be read whole. */
    @Transactional
    public void unread(String id, Problem problem) {
        sql.update(
                "UPDATE provider_batch SET tries = tries + 1, error_code = ?, error_message = ? WHERE id = ?",
                problem.code(),
                problem.message(),
                id);
    }

    /** Its results hold lines of others and none of its own. */
    @Transactional
    public void foreign(String id, int strangers, Problem problem) {
        sql.update("""
            UPDATE provider_batch SET state = 'UNCERTAIN', strangers = ?, provider_id = NULL, error_code = ?, error_message = ?
            WHERE id = ? AND state = 'ENDED'\
            """, strangers, problem.code(), problem.message(), id);
    }

    /** Its files were read whole. */
    @Transactional
    public void counted(String id, int duplicates, int strangers) {
        sql.update("UPDATE provider_batch SET duplicates = ?, strangers = ? WHERE id = ?", duplicates, strangers, id);
    }

    /** Nothing is out in it any more, since it ended, was refused or given up. */
    @Transactional
    public boolean finished(String id, BatchState from, BatchState end, @Nullable Problem problem) {
        return sql.update(
                        """
                        UPDATE provider_batch SET state = ?, collected_at = now(), next_poll_at = NULL,
                            error_code = coalesce(?, error_code), error_message = coalesce(?, error_message)
                        WHERE id = ? AND state = ?
                          AND NOT EXISTS (SELECT 1 FROM provider_batch_item i WHERE i.batch_id = ? AND i.state = 'OUT')\
                        """,
                        end.name(),
                        problem == null ? null : problem.code(),
                        problem == null ? null : problem.message(),
                        id,
                        from.name(),
                        id)
                > 0;
    }

    /** The provider refuses it as a whole. Its cells are open or closed next. */
    @Transactional
    public boolean refused(String id, Problem problem) {
        return sql.update("""
            UPDATE provider_batch SET state = 'REFUSED', ended_at = now(), next_poll_at = NULL, error_code = ?,
                error_message = ?
            WHERE id = ? AND state IN ('BUILDING', 'UPLOADED', 'SUBMITTING', 'SUBMITTED')\
            """, problem.code(), problem.message(), id) > 0;
    }

    /** A user gives it up. */
    @Transactional
    public boolean abandon(String id) {
        return sql.update(
                        "UPDATE provider_batch SET state = 'ABANDONED', ended_at = now(), next_poll_at = NULL"
                                + " WHERE id = ? AND state IN ('SUBMITTED', 'UNCERTAIN')",
                        id)
                > 0;
    }

    /** Marks a batch that is to be cancelled. */
    @Transactional
    public void requestCancel(String id) {
        sql.update(
                "UPDATE provider_batch SET cancel_requested_at = coalesce(cancel_requested_at, now()) WHERE id = ?",
                id);
    }

    /** The items of a batch that are among {@code requestIds}, whatever their state. */
    @ReadOnly
    public Map<Long, OutItem> items(String batchId, Collection<Long> requestIds) {
        return sql.byKey(
                ITEMS + "WHERE i.batch_id = ? AND i.request_id = ANY (?::bigint[])",
                row -> row.getLong("request_id"),
                BatchRepository::item,
                batchId,
                requestIds);
    }

    /** The requests of a batch. */
    @ReadOnly
    public Set<Long> requestIds(String batchId) {
        return Set.copyOf(sql.list(
                "SELECT request_id FROM provider_batch_item WHERE batch_id = ?", row -> row.getLong(1), batchId));
    }

    /** The items of a batch behind request {@code after}, in order, at most {@code most}. */
    @ReadOnly
    public List<OutItem> itemsAfter(String batchId, long after, int most) {
        return sql.list(
                ITEMS + "WHERE i.batch_id = ? AND i.request_id > ? ORDER BY i.request_id LIMIT ?",
                BatchRepository::item,
                batchId,
                after,
                most);
    }

    /** Items of a batch that are out, at most {@code most}. */
    @ReadOnly
    public List<OutItem> out(String batchId, int most) {
        return sql.list(
                ITEMS + "WHERE i.batch_id = ? AND i.state = 'OUT' ORDER BY i.request_id LIMIT ?",
                BatchRepository::item,
                batchId,
                most);
    }

    private static OutItem item(ResultSet row) throws SQLException {
        return new OutItem(
                row.getString("batch_id"),
                row.getLong("request_id"),
                new CellKey(
                        row.getString("campaign_id"),
                        row.getInt("ordinal"),
                        CellKind.ofWord(row.getString("kind")),
                        row.getInt("member")),
                row.getInt("attempt"),
                row.getInt("batches"),
                row.getBigDecimal("reserved_usd"));
    }
}
