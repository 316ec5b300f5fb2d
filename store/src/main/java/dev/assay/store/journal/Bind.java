package dev.assay.store.journal;

import dev.assay.domain.error.Failure;
import dev.assay.domain.usage.Usage;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Binds the parameters of one statement in order. */
final class Bind {

    private final PreparedStatement statement;
    private int index;

    private Bind(PreparedStatement statement) {
        this.statement = statement;
    }

    /** Starts with the statement's first parameter. */
    static Bind to(PreparedStatement statement) {
        return new Bind(statement);
    }

    /** Null becomes NULL of the type that PostgreSQL infers. */
    Bind value(@Nullable Object value) throws SQLException {
        if (value == null) {
            statement.setNull(++index, Types.OTHER);
        } else {
            statement.setObject(++index, value);
        }
        return this;
    }

    Bind values(@Nullable Object... values) throws SQLException {
        for (Object value : values) {
            value(value);
        }
        return this;
    }

    /** Input, output, reasoning, cache read, cache write, total. */
    Bind usage(Usage usage) throws SQLException {
        return values(
                usage.input(), usage.output(), usage.reasoning(), usage.cacheRead(), usage.cacheWrite(), usage.total());
    }

    /** Code and message. */
    Bind failure(@Nullable Failure failure) throws SQLException {
        return failure == null ? values(null, null) : values(failure.code().name(), failure.message());
    }

    void addBatch() throws SQLException {
        statement.addBatch();
    }
}
