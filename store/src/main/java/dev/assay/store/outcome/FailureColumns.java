package dev.assay.store.outcome;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The columns {@code error_code} and {@code error_message}. */
final class FailureColumns {

    private FailureColumns() {}

    /** The failure of the current row; null when there was none. */
    static @Nullable Failure read(ResultSet row) throws SQLException {
        String code = row.getString("error_code");
        return code == null ? null : new Failure(ErrorCode.valueOf(code), row.getString("error_message"));
    }
}
