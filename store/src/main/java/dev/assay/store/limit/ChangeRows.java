package dev.assay.store.limit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Writes what changed of pools. */
@Singleton
class ChangeRows {

    private static final String ADD = """
        INSERT INTO limit_change (provider, account, models, name, old_value, new_value, why, who, reason)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)\
        """;

    // The newest change of the pool, where it is of the same kind and of this minute.
    private static final String JOIN = """
        UPDATE limit_change SET new_value = ? WHERE change_id = (
            SELECT change_id FROM limit_change WHERE provider = ? AND account = ? AND models = ? AND name = ?
            ORDER BY change_id DESC LIMIT 1)
        AND why = ? AND at >= date_trunc('minute', clock_timestamp())\
        """;

    private final Sql sql;

    ChangeRows(Sql sql) {
        this.sql = sql;
    }

    /**
     * A change.
     *
     * @param name of the limit, or what else changed
     * @param before what was in force; null: nothing was
     * @param after what is in force since; null: nothing is
     * @param why a word of {@code limit_change}
     * @param reason the words of a person; null: none were said
     */
    record Change(
            ModelPool pool,
            String name,
            @Nullable String before,
            @Nullable String after,
            String why,
            String who,
            @Nullable String reason) {

        /** One that no person made. */
        static Change of(ModelPool pool, String name, @Nullable Object before, Object after, String why, String who) {
            return new Change(pool, name, before == null ? null : before.toString(), after.toString(), why, who, null);
        }
    }

    /** Records a change. */
    void add(Change change) {
        ModelPool pool = change.pool();
        sql.update(
                ADD,
                pool.provider(),
                pool.account(),
                pool.models(),
                change.name(),
                change.before(),
                change.after(),
                change.why(),
                change.who(),
                change.reason());
    }

    /** Records one of many: those of a pool and a minute are one row, from the first value to the last. */
    void addOften(Change change) {
        ModelPool pool = change.pool();
        boolean isJoined = sql.update(
                        JOIN,
                        change.after(),
                        pool.provider(),
                        pool.account(),
                        pool.models(),
                        change.name(),
                        change.why())
                > 0;
        if (!isJoined) {
            add(change);
        }
    }
}
