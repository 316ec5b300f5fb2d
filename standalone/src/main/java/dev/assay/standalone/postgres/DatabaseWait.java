package dev.assay.standalone.postgres;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.start.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;

/** Waits for an external database. */
public final class DatabaseWait {

    private DatabaseWait() {}

    /**
     * Returns when the database takes connections.
     *
     * @throws AssayException STORE_UNAVAILABLE after {@code limit}, at once when the server refuses the login or has no such
     *     database
     */
    public static void untilConnected(DatabaseAddress address, Duration limit) {
        Waiting.until("PostgreSQL at " + address.place(), limit, () -> {
            try (Connection connection = address.connect()) {
                return connection.isValid(0) ? Optional.empty() : Optional.of("the connection broke");
            } catch (SQLException e) {
                return Optional.of(notYet(address, e));
            }
        });
    }

    private static String notYet(DatabaseAddress address, SQLException cause) {
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        // Invalid authorization, invalid catalog name: another try gets the same answer.
        if (state.startsWith("28") || state.startsWith("3D")) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "PostgreSQL at " + address.place() + " refuses the login: " + cause.getMessage()
                            + "; check ASSAY_DATABASE_URL and ASSAY_DATABASE_PASSWORD",
                    cause);
        }
        return String.valueOf(cause.getMessage());
    }

    /**
     * Returns when the database has every migration that this version of Assay knows. The server runs them; a newer schema is
     * accepted.
     *
     * @throws AssayException STORE_UNAVAILABLE after {@code limit}
     */
    public static void untilMigrated(DatabaseAddress address, Duration limit) {
        untilConnected(address, limit);
        Flyway flyway = Flyway.configure()
                .dataSource(address.jdbcUrl(), address.user(), address.password())
                .load();
        Waiting.until("PostgreSQL's schema at " + address.place(), limit, () -> missingMigrations(flyway));
    }

    private static Optional<String> missingMigrations(Flyway flyway) {
        try {
            MigrationInfo[] pending = flyway.info().pending();
            return pending.length == 0 ? Optional.empty() : Optional.of(names(pending));
        } catch (FlywayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static String names(MigrationInfo[] pending) {
        return Arrays.stream(pending)
                .map(migration -> "V" + migration.getVersion())
                .collect(Collectors.joining(
                        ", ", "migrations ", " are missing; assay server of this version makes them"));
    }
}
