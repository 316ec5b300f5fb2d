package dev.assay.store.restore;

import dev.assay.domain.campaign.LostTime;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.campaign.StoreMark;
import dev.assay.store.limit.UnitRepository;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notices that PostgreSQL went back to an earlier state: a restored backup, or a standby that took over without the last
 * transactions. Processes and workflows remember a {@link StoreMark}; a database that does not know it went back behind it.
 *
 * <p>Campaigns then go on in an epoch that none of them ever had, so that nothing from the lost time is taken for new. Their
 * records of that time are lost, and a row of {@code store_gap} says so.
 */
@Singleton
public class RestoreRepository {

    /** More than the epochs that a campaign may have begun in a lost time, of which nothing is known. */
    private static final int BEYOND_LOST_EPOCHS = 1_000;

    private static final String MARK = """
        WITH latest AS (SELECT number, token, marked_at FROM store_mark ORDER BY number DESC LIMIT 1),
        fresh AS (
            INSERT INTO store_mark (token) SELECT gen_random_uuid()
            WHERE NOT EXISTS (SELECT 1 FROM latest WHERE marked_at > clock_timestamp() - interval '5 seconds')
            RETURNING number, token, marked_at),
        pruned AS (
            DELETE FROM store_mark WHERE marked_at < now() - interval '7 days' AND EXISTS (SELECT FROM fresh))
        SELECT number, token, (extract(epoch FROM marked_at) * 1000000)::bigint AS micros
        FROM (SELECT * FROM fresh UNION ALL SELECT * FROM latest) marks ORDER BY number DESC LIMIT 1\
        """;

    // A number below all others was deleted for its age: nothing is known of it.
    private static final String GAP = """
        SELECT (SELECT max(marked_at) FROM store_mark WHERE marked_at <= s.at) AS lost_from,
               coalesce((SELECT min(marked_at) FROM store_mark WHERE marked_at > s.at), now()) AS lost_until
        FROM (SELECT timestamptz '1970-01-01 00:00+00' + ? * interval '1 microsecond' AS at) s
        WHERE ? >= (SELECT min(number) FROM store_mark)
          AND NOT EXISTS (SELECT 1 FROM store_mark WHERE number = ? AND token = ?::uuid)\
        """;

    private static final String LOSE = """
        INSERT INTO store_gap (campaign_id, lost_from, lost_until)
        SELECT campaign_id, ?::timestamptz, ?::timestamptz FROM campaign
        WHERE created_at < ? AND (campaign_id = ? OR ?::text IS NULL AND state IN ('PENDING', 'RUNNING', 'PAUSED'))
        ON CONFLICT DO NOTHING RETURNING campaign_id\
        """;

    private final Sql sql;
    private final UnitRepository units;

    RestoreRepository(Sql sql, UnitRepository units) {
        this.sql = sql;
        this.units = units;
    }

    private static LostTime lostTime(ResultSet row) throws SQLException {
        return new LostTime(Columns.instantOrNull(row, "lost_from"), Columns.instant(row, "lost_until"));
    }

    /**
     * Looks whether PostgreSQL went back behind {@code seen}. If so, every campaign that has not ended begins a new epoch.
     *
     * @param seen a mark that a process remembers; null: none
     * @return whether it went back, and the newest mark, to be remembered from now on
     */
    @Transactional
    public Sight look(@Nullable StoreMark seen) {
        StoreMark newest = mark();
        Optional<LostTime> gap = gapBehind(seen);
        gap.ifPresent(lost -> {
            lose(lost, null);
            units.beginFull();
        });
        return new Sight(newest, gap.isPresent());
    }

    /**
     * As {@link #look(StoreMark)}, for one campaign in any state. It also begins a new epoch when its workflow is in a later one
     * than PostgreSQL knows of.
     *
     * @param run the campaign, and the epoch of its workflow
     * @param seen a mark that the workflow remembers; null: none
     */
    @Transactional
    public Sight look(RunKey run, @Nullable StoreMark seen) {
        StoreMark newest = mark();
        Optional<LostTime> gap = gapBehind(seen).or(() -> gapBehind(run, seen));
        gap.ifPresent(lost -> lose(lost, run.campaignId()));
        sql.update(
                "UPDATE campaign SET epoch = ? + 1 WHERE campaign_id = ? AND epoch < ?",
                run.epoch(),
                run.campaignId(),
                run.epoch());
        return new Sight(newest, gap.isPresent());
    }

    /**
     * The result of a look.
     *
     * @param wentBack whether PostgreSQL is in an earlier state than it was seen in
     */
    public record Sight(StoreMark newest, boolean wentBack) {}

    private StoreMark mark() {
        return sql.first(MARK, row -> new StoreMark(row.getLong(1), row.getString(2), row.getLong(3)))
                .orElseThrow();
    }

    private Optional<LostTime> gapBehind(@Nullable StoreMark seen) {
        return seen == null
                ? Optional.empty()
                : sql.first(
                        GAP, RestoreRepository::lostTime, seen.atMicros(), seen.number(), seen.number(), seen.token());
    }

    /** Too short for a mark, but a new epoch began in it. */
    private Optional<LostTime> gapBehind(RunKey run, @Nullable StoreMark seen) {
        return sql.first(
                "SELECT now() AS found FROM campaign WHERE campaign_id = ? AND epoch < ?",
                row -> new LostTime(seen == null ? null : seen.at(), Columns.instant(row, "found")),
                run.campaignId(),
                run.epoch());
    }

    /** Notes the gap once, and with it begins a new epoch; for all campaigns that have not ended where none is named. */
    private void lose(LostTime gap, @Nullable String campaignId) {
        var lost =
                sql.list(LOSE, row -> row.getString(1), gap.from(), gap.until(), gap.until(), campaignId, campaignId);
        sql.update(
                "UPDATE campaign SET epoch = epoch + ? WHERE campaign_id = ANY (?::text[])", BEYOND_LOST_EPOCHS, lost);
    }
}
