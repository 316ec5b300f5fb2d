package dev.assay.standalone.postgres;

import dev.assay.standalone.engine.installation.BuildId;
import dev.assay.work.file.FileTree;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL unpacked, and a cluster with Assay's role and tables: made once by a build, copied by each first start. To make them
 * takes seconds. What tells one installation from another is made after the copy, and what is kept has no password.
 */
public final class PreparedCluster {

    private static final Logger LOG = LoggerFactory.getLogger(PreparedCluster.class);

    /** System property: the directory that holds what a build prepared. Without it each data directory makes its own. */
    public static final String DIRECTORY = "assay.prepared";

    private static final String TABLES = "/db/migration";
    private static final String FORGET = "ALTER ROLE assay PASSWORD NULL; ALTER ROLE postgres PASSWORD NULL";

    private final PostgresHome home;

    private PreparedCluster(PostgresHome home) {
        this.home = home;
    }

    /** What this process's build prepared; empty: nothing. */
    static Optional<PreparedCluster> ofBuild() {
        Optional<Path> directory = directory();
        if (directory.isEmpty()) {
            return Optional.empty();
        }
        try {
            Path prepared = place(directory.get());
            return Files.isDirectory(prepared)
                    ? Optional.of(new PreparedCluster(PostgresHome.in(prepared)))
                    : Optional.empty();
        } catch (IOException e) {
            LOG.warn("What the build prepared cannot be read: {}", e.toString());
            return Optional.empty();
        }
    }

    private static Optional<Path> directory() {
        return Optional.ofNullable(System.getProperty(DIRECTORY)).map(Path::of);
    }

    /** Prepares a cluster for this build where {@link #DIRECTORY} says, if it is not there. Others who want the same wait. */
    public static void make() throws IOException {
        if (directory().isPresent()) {
            makeBelow(directory().get());
        }
    }

    private static synchronized void makeBelow(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (FileChannel channel = FileChannel.open(
                        directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            Path prepared = place(directory);
            if (!Files.isDirectory(prepared)) {
                makeIn(Files.createTempDirectory(directory, "unfinished-"), prepared);
            }
        }
    }

    private static void makeIn(Path unfinished, Path prepared) throws IOException {
        PostgresHome home = PostgresHome.in(unfinished);
        try {
            try (LocalPostgres postgres = LocalPostgres.start(home, () -> {})) {
                DatabaseAddress address = postgres.address();
                Flyway.configure()
                        .dataSource(address.jdbcUrl(), address.user(), address.password())
                        .load()
                        .migrate();
                forgetPasswords(postgres.ofSuperuser(home));
            }
            for (Path own : List.of(home.passwordFile(), home.superuserFile(), home.portFile())) {
                Files.delete(own);
            }
            FileTree.delete(unfinished.resolve("logs"));
            // A build that was interrupted leaves nothing under this name.
            Files.move(unfinished, prepared, StandardCopyOption.ATOMIC_MOVE);
        } catch (SQLException e) {
            throw new IOException("No cluster could be prepared", e);
        } finally {
            FileTree.delete(unfinished);
        }
    }

    private static void forgetPasswords(DatabaseAddress superuser) throws SQLException {
        try (Connection connection = superuser.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(FORGET);
        }
    }

    /** Another PostgreSQL or other tables have another place. */
    private static Path place(Path directory) throws IOException {
        return directory.resolve(PostgresBinaries.checksum() + "-" + BuildId.hash(List.of(tables())));
    }

    private static Path tables() throws IOException {
        URL tables = PreparedCluster.class.getResource(TABLES);
        if (tables == null) {
            throw new IOException("No migrations are on the class path");
        }
        try {
            return tables.openConnection() instanceof JarURLConnection jar
                    ? Path.of(jar.getJarFileURL().toURI())
                    : Path.of(tables.toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    /** Where PostgreSQL is unpacked, as below a data directory. */
    Path binaries() {
        return home.binaries();
    }

    /**
     * Copies the cluster, with passwords and an installation of its own.
     *
     * @param target a directory that does not exist
     * @throws IOException when it cannot be copied, or PostgreSQL refuses the copy
     */
    void copy(PostgresTools tools, Path target, String superuserPassword, String password) throws IOException {
        FileTree.copy(home.data(), target);
        tools.alone(
                target,
                "assay",
                "ALTER ROLE postgres PASSWORD '" + superuserPassword + "'",
                "ALTER ROLE assay PASSWORD '" + password + "'",
                "UPDATE installation SET installation_id = gen_random_uuid()");
        tools.run(List.of(tools.executable("initdb").toString(), "--sync-only", "--pgdata=" + target));
    }
}
