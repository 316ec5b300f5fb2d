package dev.assay.store;

import dev.assay.domain.text.Excerpt;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Objects;

/** A statement that PostgreSQL refused for good: a defect, or data that breaks a constraint. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int LONGEST = 300;

    public StoreException(SQLException cause) {
        super("PostgreSQL refused a statement (SQLSTATE " + cause.getSQLState() + "): " + words(cause), cause);
    }

    /** PostgreSQL's first line. What follows it, and what a batch says, holds the values of the row. */
    static String words(SQLException cause) {
        boolean isBatch = cause instanceof BatchUpdateException && cause.getNextException() != null;
        SQLException refused = isBatch ? cause.getNextException() : cause;
        String line = Objects.requireNonNullElse(refused.getMessage(), "no reason")
                .lines()
                .findFirst()
                .orElse("no reason");
        return Excerpt.of(line, LONGEST);
    }
}
