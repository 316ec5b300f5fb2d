package dev.assay.store.limit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.answer.Throttle;
import dev.assay.domain.provider.CallBounds;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.domain.provider.ManualLimitChange;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bounds of calls in flight that people set while workers run. */
@Singleton
class ManualCalls {

    private static final String SET = """
        INSERT INTO manual_calls (provider, models, least, most, who, reason) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (provider, models) DO UPDATE
        SET least = excluded.least, most = excluded.most, who = excluded.who, reason = excluded.reason, changed_at = now()\
        """;

    private static final String TAKE_BACK = "DELETE FROM manual_calls WHERE provider = ? AND models = ?";

    private final Sql sql;
    private final CallRanges ranges;
    private final ThrottleRows rows;
    private final ChangeRows changes;

    ManualCalls(Sql sql, CallRanges ranges, ThrottleRows rows, ChangeRows changes) {
        this.sql = sql;
        this.ranges = ranges;
        this.rows = rows;
        this.changes = changes;
    }

    /**
     * Sets the bounds of a group, or takes them back. Workers read its row four times a second.
     *
     * @param bounds null: back to what is configured
     */
    void set(ModelPool group, @Nullable CallBounds bounds, ManualLimits.Author author) {
        CallRanges.Known before = ranges.known();
        if (Objects.equals(before.manual(group), bounds)) {
            return;
        }
        if (bounds == null) {
            sql.update(TAKE_BACK, group.provider(), group.models());
        } else {
            sql.update(
                    SET, group.provider(), group.models(), bounds.min(), bounds.max(), author.who(), author.reason());
        }
        ConcurrencyRange range = ranges.known().of(group);
        apply(group, range, bounds == null);
        changes.add(new ChangeRows.Change(
                group,
                ManualLimitChange.CONCURRENT,
                text(before.of(group)),
                text(range),
                ManualLimits.MANUAL,
                author.who(),
                author.reason()));
    }

    private static String text(ConcurrencyRange range) {
        return new CallBounds(range.min(), range.max()).text();
    }

    /** @param isAnew whether the number of calls is found anew; otherwise it stays where the bounds allow it */
    private void apply(ModelPool group, ConcurrencyRange range, boolean isAnew) {
        rows.lock(List.of(group));
        Instant now = rows.now();
        Map<ModelPool, ThrottleRows.Found> found = rows.find(List.of(group));
        ThrottleRows.Found known = found.get(group);
        Throttle after = known == null
                ? Throttle.begun(range.min(), range.start(), range.max())
                : known.throttle().within(range.min(), range.max());
        rows.put(group, isAnew ? after.restarted(range.start()) : after, now, known == null);
    }
}
