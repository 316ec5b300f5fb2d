package dev.assay.store;

import com.github.dockerjava.api.exception.NotFoundException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** The one PostgreSQL server of a test JVM. Databases are copies of a template that was migrated once. */
final class PostgresServer {

    private static final String IMAGE = "postgres:18";
    private static final String TEMPLATE = "assay_template";
    private static final int START_ATTEMPTS = 5;
    private static final int FIRST_PORT = 10_000;
    private static final int FIRST_OF_CONNECTIONS = 32_768;
    /** Longer than the library's 10 s, which a busy machine exceeds. */
    private static final Duration STARTUP_WAIT = Duration.ofSeconds(60);

    private static final PostgresChoice CHOICE =
            PostgresChoice.of(System.getProperty("assay.test.database"), System.getenv(PostgresChoice.VARIABLE));

    private static final Optional<String> UNAVAILABLE = CHOICE.container() ? whyNoContainer() : Optional.empty();

    private final String host;
    private final int port;
    private final String user;
    private final String password;
    private final AtomicInteger databases = new AtomicInteger();

    private PostgresServer(String host, int port, String user, String password) {
        this.host = host;
        this.port = port;
        this.user = user;
        this.password = password;
    }

    /**
     * Why the server that was asked for cannot be had; empty when it can.
     *
     * @throws IllegalStateException when tests must not be skipped for that
     */
    static Optional<String> unavailable() {
        return CHOICE.skipped(UNAVAILABLE);
    }

    /** Whether it runs in a container. */
    static boolean isContainer() {
        return CHOICE.container();
    }

    /** The running server; started when it is first asked for. */
    static PostgresServer shared() {
        return Shared.SERVER;
    }

    String user() {
        return user;
    }

    String password() {
        return password;
    }

    String url(String database) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }

    /** Creates an empty database and says its name. */
    String createEmptyDatabase() {
        return createDatabase("template0");
    }

    /** Creates a database with the whole schema and says its name. */
    String createMigratedDatabase() {
        return createDatabase(TEMPLATE);
    }

    void dropDatabase(String name) {
        execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }

    private String createDatabase(String template) {
        String name = "assay_" + databases.incrementAndGet();
        execute("CREATE DATABASE " + name + " TEMPLATE " + template);
        return name;
    }

    private void migrateTemplate() {
        execute("CREATE DATABASE " + TEMPLATE);
        Flyway.configure().dataSource(url(TEMPLATE), user, password).load().migrate();
    }

    private String version() {
        try (Connection connection = DriverManager.getConnection(url("postgres"), user, password)) {
            return "PostgreSQL " + connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new IllegalStateException("The version of PostgreSQL", e);
        }
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url("postgres"), user, password);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /**
     * Starts a server. Its port is chosen before it listens, so another program may take the port in between: then the start fails,
     * and the next one chooses another.
     */
    private static PostgresServer startEmbedded() {
        for (int attempt = 1; ; attempt++) {
            try {
                // fsync off: what a test wrote need not outlive the machine.
                EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setPort(port(attempt))
                        .setServerConfig("fsync", "off")
                        .setServerConfig("max_connections", "200")
                        .setPGStartupWait(STARTUP_WAIT)
                        .start();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
                return new PostgresServer("127.0.0.1", server.getPort(), "postgres", "postgres");
            } catch (IOException | IllegalStateException e) {
                if (attempt == START_ATTEMPTS) {
                    throw new IllegalStateException("PostgreSQL did not start in " + attempt + " attempts.", e);
                }
                System.out.println("PostgreSQL did not start (attempt " + attempt + "): " + e);
            }
        }
    }

    /**
     * A port that no other test JVM chooses, and that the kernel gives to no connection. With one that was merely free two of them
     * once had the same, and one answered both.
     */
    private static int port(int attempt) {
        long next = ProcessHandle.current().pid() + (attempt - 1) * 4_999L;
        return FIRST_PORT + (int) (next % (FIRST_OF_CONNECTIONS - FIRST_PORT));
    }

    private static void stop(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("resource") // Lives until the JVM ends; the hook stops it.
    private static PostgresServer startContainer() {
        PostgreSQLContainer<?> container = new PostgreSQLContainer<>(DockerImageName.parse(IMAGE))
                .withImagePullPolicy(image -> false)
                .withCommand("postgres", "-c", "fsync=off", "-c", "max_connections=200");
        container.start();
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
        return new PostgresServer(
                container.getHost(),
                container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
                container.getUsername(),
                container.getPassword());
    }

    private static Optional<String> whyNoContainer() {
        Optional<String> reason = lookForImage();
        reason.ifPresent(text -> System.out.println("There is no PostgreSQL container for repository tests: " + text));
        return reason;
    }

    private static Optional<String> lookForImage() {
        try {
            if (!DockerClientFactory.instance().isDockerAvailable()) {
                return Optional.of("no Docker engine answers");
            }
            DockerClientFactory.instance().client().inspectImageCmd(IMAGE).exec();
            return Optional.empty();
        } catch (NotFoundException e) {
            return Optional.of("the Docker engine has no image " + IMAGE + " (docker pull " + IMAGE + ")");
        } catch (RuntimeException e) {
            // Inside a container Testcontainers needs an image of its own to find the engine's address, and may not get
            // it.
            return Optional.of("Testcontainers cannot use the Docker engine: " + e);
        }
    }

    private static final class Shared {
        private static final PostgresServer SERVER = start();

        private static PostgresServer start() {
            // Tests of other modules do not ask first.
            var _ = unavailable();
            PostgresServer server = CHOICE.container() ? startContainer() : startEmbedded();
            server.migrateTemplate();
            System.out.println(
                    "Tests run on " + server.version() + (CHOICE.container() ? " in a container" : ", embedded"));
            return server;
        }
    }
}
