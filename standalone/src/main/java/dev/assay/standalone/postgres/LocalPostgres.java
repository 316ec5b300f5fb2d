package dev.assay.standalone.postgres;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.process.FreePort;
import dev.assay.standalone.process.SupervisedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded PostgreSQL: a supervised child process over a data directory that is kept.
 *
 * <p>It listens on 127.0.0.1 only, asks for a password, and writes every commit to disk before it answers. A server that dies is
 * started again on the same data and the same port. One that a killed parent left behind is stopped first. The next one takes its
 * port, so that earlier workers find it.
 */
public final class LocalPostgres implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LocalPostgres.class);
    private static final String DATABASE = "assay";

    private final SupervisedProcess process;
    private final DatabaseAddress address;

    private LocalPostgres(SupervisedProcess process, DatabaseAddress address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts the server and returns when it takes connections. The caller holds the lock of the data directory.
     *
     * @throws AssayException STORE_UNAVAILABLE when it does not start
     */
    public static LocalPostgres start(PostgresHome home, Runnable onRestart) {
        try {
            Files.createDirectories(home.log().toAbsolutePath().getParent());
            PostgresTools tools = new PostgresTools(PostgresBinaries.in(home.binaries()));
            PostgresLeftover.stop(tools, home.data());
            String password = PostgresCluster.ensure(tools, home);
            int port = FreePort.keptIn(home.portFile(), 0);
            SupervisedProcess process = SupervisedProcess.start(new PostgresServer(tools, home, port), onRestart);
            LocalPostgres postgres =
                    new LocalPostgres(process, address(port, DATABASE, PostgresCluster.USER, password));
            postgres.ensureRoles(home, port, password);
            LOG.info("PostgreSQL runs as process {} on port {}", process.pid(), port);
            return postgres;
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "PostgreSQL could not be started over " + home.data() + ": " + e.getMessage(),
                    e);
        }
    }

    private static DatabaseAddress address(int port, String database, String user, String password) {
        return new DatabaseAddress("jdbc:postgresql://127.0.0.1:" + port + "/" + database, user, password);
    }

    private void ensureRoles(PostgresHome home, int port, String password) throws IOException {
        try {
            if (!Files.exists(home.superuserFile())) {
                // The password is stored once the role has it: a start that was interrupted before makes another.
                String made = PostgresCluster.newPassword();
                PostgresRoles.makeSuperuser(address(port, "postgres", PostgresCluster.USER, password), made);
                PostgresCluster.writePassword(home.superuserFile(), made);
            }
            String superuser = PostgresCluster.password(home.superuserFile());
            PostgresRoles.ensure(
                    address(port, "postgres", PostgresCluster.SUPERUSER, superuser),
                    address(port, DATABASE, PostgresCluster.SUPERUSER, superuser),
                    password);
        } catch (SQLException e) {
            close();
            throw unavailable(e);
        }
    }

    private static AssayException unavailable(SQLException cause) {
        return new AssayException(
                ErrorCode.STORE_UNAVAILABLE, "PostgreSQL runs but refuses connections: " + cause.getMessage(), cause);
    }

    /** The address of the database; it stays the same over restarts. */
    public DatabaseAddress address() {
        return address;
    }

    /** The same server, as its superuser. */
    DatabaseAddress ofSuperuser(PostgresHome home) throws IOException {
        return new DatabaseAddress(
                address.jdbcUrl(), PostgresCluster.SUPERUSER, PostgresCluster.password(home.superuserFile()));
    }

    /** Id of the postmaster that runs now. */
    public long pid() {
        return process.pid();
    }

    /** Stops the server cleanly. */
    @Override
    public void close() {
        process.close();
    }
}
