package dev.assay.store.sql;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Makes a value of the row on which a result set stands. */
@FunctionalInterface
public interface RowReader<T> {

    /** Reads columns; does not move the result set. */
    T read(ResultSet row) throws SQLException;
}
