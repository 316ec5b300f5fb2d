package dev.assay.store;

import java.sql.SQLException;

/** A statement that PostgreSQL refused for good: a defect, or data that breaks a constraint. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreException(SQLException cause) {
        super("PostgreSQL refused a statement (SQLSTATE " + cause.getSQLState() + "): " + cause.getMessage(), cause);
    }
}
