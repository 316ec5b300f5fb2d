package dev.assay.store;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;

/** Runs work in transactions. A connection that PostgreSQL does not give is STORE_UNAVAILABLE. */
@Singleton
public final class Database {

    private final TransactionOperations<Connection> transactions;

    public Database(TransactionOperations<Connection> transactions) {
        this.transactions = transactions;
    }

    /** What is done inside a transaction. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Commits what {@code work} did, or nothing of it. Joins a transaction of the calling thread. */
    public <T> T write(Work<T> work) {
        return transactions.executeWrite(status -> run(work, status.getConnection()));
    }

    /** Reads one consistent state. */
    public <T> T read(Work<T> work) {
        return transactions.executeRead(status -> run(work, status.getConnection()));
    }

    private static <T> T run(Work<T> work, Connection connection) {
        try {
            return work.on(connection);
        } catch (SQLException e) {
            if (SqlState.isTransient(e)) {
                throw new AssayException(
                        ErrorCode.STORE_UNAVAILABLE, "PostgreSQL does not answer: " + e.getMessage(), e);
            }
            throw new StoreException(e);
        }
    }
}
