package dev.assay.store.sql;

import java.sql.ResultSet;
import java.sql.SQLException;

/** The reader of a value from the row on which a result set stands. */
@FunctionalInterface
public interface RowReader<T> {

    /** Reads columns; does not move the result set. */
    T read(ResultSet row) throws SQLException;
}
