package dev.assay.store;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.StoreRefusal;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The transient failures of PostgreSQL. */
public final class SqlState {

    // Connection failures, insufficient resources, operator intervention, and lost races between transactions.
    private static final Set<String> TRANSIENT_CLASSES = Set.of("08", "53", "57", "40");

    // A full disk, and a database that is read only: writes are refused, and reads are not.
    private static final String READ_ONLY = "25006";
    private static final Set<String> REFUSALS_FOR_NOW = Set.of("53100", READ_ONLY);

    // The process was frozen in the middle of a transaction, which PostgreSQL has ended since.
    private static final String FROZEN = "25P03";

    // HikariCP's words, without a state, for a connection that broke after it was taken from the pool.
    private static final String BROKEN = "Connection is closed";

    private SqlState() {}

    /** Whether the same transaction may succeed later. */
    public static boolean isTransient(@Nullable Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientException || cause instanceof SQLRecoverableException) {
                return true;
            }
            if (cause instanceof SQLException sql) {
                String state = sql.getSQLState();
                if (state == null ? BROKEN.equals(sql.getMessage()) : isTransientState(state)) {
                    return true;
                }
            }
            if (cause instanceof AssayException assay && assay.code() == ErrorCode.STORE_UNAVAILABLE) {
                return true;
            }
        }
        return false;
    }

    /** Whether PostgreSQL answers and refuses to write, until somebody mends that. */
    public static boolean isRefusalForNow(@Nullable Throwable error) {
        return refusal(error).isPresent();
    }

    /** What PostgreSQL says that answers and refuses to write, until somebody mends that. */
    public static Optional<StoreRefusal> refusal(@Nullable Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql
                    && sql.getSQLState() != null
                    && REFUSALS_FOR_NOW.contains(sql.getSQLState())) {
                return Optional.of(new StoreRefusal(sql.getSQLState().equals(READ_ONLY), StoreException.words(sql)));
            }
        }
        return Optional.empty();
    }

    private static boolean isTransientState(String state) {
        return REFUSALS_FOR_NOW.contains(state)
                || state.equals(FROZEN)
                || (state.length() >= 2 && TRANSIENT_CLASSES.contains(state.substring(0, 2)));
    }
}
