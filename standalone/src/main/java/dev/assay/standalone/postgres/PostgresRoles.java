package dev.assay.standalone.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The roles of the embedded server. The superuser is for this package alone. A superuser may read files and start programs, so
 * Assay's own role is none, and owns nothing but its database. Older data directories have one role, a superuser.
 */
final class PostgresRoles {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresRoles.class);

    /** Otherwise a failed statement would stand in the server's log with its password. */
    private static final String QUIETLY = "SET log_min_error_statement TO panic";

    private static final String MAKE = "CREATE ROLE assay LOGIN PASSWORD '%s'";

    /** The role that made the data directory always stays superuser. So it is put aside, and its logins are refused. */
    private static final String PUT_ASIDE = """
        ALTER ROLE assay RENAME TO assay_superuser;
        ALTER ROLE assay_superuser NOLOGIN;\
        """;

    /** Tables bring their indexes and the sequences of their columns. */
    private static final String HAND_OVER = """
        DO $$
        DECLARE statement text;
        BEGIN
            FOR statement IN
                SELECT format('ALTER TABLE %s OWNER TO assay', c.oid::regclass) FROM pg_class c
                WHERE c.relowner = 'assay_superuser'::regrole AND c.relkind IN ('r', 'p', 'v', 'm')
                  AND c.relnamespace = 'public'::regnamespace
                UNION ALL
                SELECT format('ALTER ROUTINE %s OWNER TO assay', p.oid::regprocedure) FROM pg_proc p
                WHERE p.proowner = 'assay_superuser'::regrole AND p.pronamespace = 'public'::regnamespace
            LOOP
                EXECUTE statement;
            END LOOP;
        END $$\
        """;

    private PostgresRoles() {}

    /** Makes the superuser of a data directory whose only role was {@code assay}. Idempotent. */
    static void makeSuperuser(DatabaseAddress assay, String password) throws SQLException {
        try (Connection connection = assay.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(QUIETLY);
            boolean there = exists(statement, "SELECT 1 FROM pg_roles WHERE rolname = 'postgres'");
            statement.execute(
                    (there ? "ALTER" : "CREATE") + " ROLE postgres SUPERUSER LOGIN PASSWORD '" + password + "'");
        }
    }

    /**
     * Brings role and database to their intended state, in atomic steps.
     *
     * @param superuser a login to the database {@code postgres}
     * @param database a login as the same to the database {@code assay}, which may not exist
     * @param password of the role {@code assay}, hexadecimal digits
     */
    static void ensure(DatabaseAddress superuser, DatabaseAddress database, String password) throws SQLException {
        boolean isSuperuser;
        try (Connection connection = superuser.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(QUIETLY);
            if (!exists(statement, "SELECT 1 FROM pg_roles WHERE rolname = 'assay'")) {
                statement.execute(MAKE.formatted(password));
            }
            isSuperuser = exists(statement, "SELECT 1 FROM pg_roles WHERE rolname = 'assay' AND rolsuper");
            if (!exists(statement, "SELECT 1 FROM pg_database WHERE datname = 'assay'")) {
                statement.execute("CREATE DATABASE assay OWNER assay");
            }
        }
        if (isSuperuser) {
            demote(database, password);
        }
    }

    private static void demote(DatabaseAddress database, String password) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(QUIETLY);
            statement.execute(PUT_ASIDE);
            statement.execute(MAKE.formatted(password));
            statement.execute("ALTER DATABASE assay OWNER TO assay");
            statement.execute(HAND_OVER);
            connection.commit();
            LOG.info("The role assay of PostgreSQL is no superuser any more");
        }
    }

    private static boolean exists(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            return rows.next();
        }
    }
}
