package dev.assay.standalone.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.work.file.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a build prepares for first starts. */
@Tag("slow")
class PreparedClusterTest {

    private static final String INSTALLATION = "SELECT installation_id FROM installation";

    private static final String NO_PASSWORD =
            "DO 'BEGIN IF EXISTS (SELECT FROM pg_authid WHERE rolpassword IS NOT NULL) THEN RAISE ''kept''; END IF;"
                    + " END'";

    @TempDir
    Path temporary;

    private Path prepared;

    @BeforeEach
    void prepare() throws Exception {
        prepared = temporary.resolve("prepared");
        System.setProperty(PreparedCluster.DIRECTORY, prepared.toString());
        PreparedCluster.make();
    }

    @AfterEach
    void forget() {
        System.clearProperty(PreparedCluster.DIRECTORY);
    }

    private PostgresHome home(String name) throws IOException {
        return PostgresHome.in(Files.createDirectories(temporary.resolve(name)));
    }

    /** The one cluster that is prepared. */
    private Path place() throws IOException {
        try (Stream<Path> all = Files.list(prepared)) {
            return all.filter(Files::isDirectory)
                    .reduce((one, other) -> {
                        throw new AssertionError("More than one: " + one + " and " + other);
                    })
                    .orElseThrow();
        }
    }

    private static String ask(DatabaseAddress address, String query) throws SQLException {
        try (Connection connection = address.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void shouldShareNoSecretAndNoIdentityWhenTwoStartAtOnce() throws Exception {
        PostgresHome home = home("one");
        CompletableFuture<LocalPostgres> starting =
                CompletableFuture.supplyAsync(() -> LocalPostgres.start(home, () -> {}));
        try (LocalPostgres other = LocalPostgres.start(home("other"), () -> {});
                LocalPostgres one = starting.join()) {
            assertThat(ask(one.address(), INSTALLATION)).isNotEqualTo(ask(other.address(), INSTALLATION));
            assertThatThrownBy(() -> DriverManager.getConnection(
                            one.address().jdbcUrl(), "assay", other.address().password()))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password");
            assertThatThrownBy(() -> DriverManager.getConnection(
                            one.address().jdbcUrl(),
                            "postgres",
                            other.ofSuperuser(home("other")).password()))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password");
            assertThat(ask(one.ofSuperuser(home), "SELECT rolsuper FROM pg_roles WHERE rolname = 'assay'"))
                    .isEqualTo("f");
            assertThat(Flyway.configure()
                            .dataSource(
                                    one.address().jdbcUrl(),
                                    one.address().user(),
                                    one.address().password())
                            .load()
                            .info()
                            .pending())
                    .as("migrations that the build had not made")
                    .isEmpty();
        }
    }

    @Test
    void shouldKeepNoPasswordWhenAClusterIsPrepared() throws Exception {
        Path copy = temporary.resolve("copy");
        FileTree.copy(place().resolve("postgres"), copy);
        PostgresTools tools = new PostgresTools(PostgresBinaries.in(place().resolve("bin")));

        tools.alone(copy, "postgres", NO_PASSWORD);

        try (Stream<Path> files = Files.list(place())) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("bin", "postgres");
        }
    }

    @Test
    void shouldSayWhatPostgresSaysWhenAStatementFails() throws Exception {
        Path copy = temporary.resolve("copy");
        FileTree.copy(place().resolve("postgres"), copy);
        PostgresTools tools = new PostgresTools(PostgresBinaries.in(place().resolve("bin")));

        assertThatThrownBy(() -> tools.alone(copy, "postgres", "ALTER ROLE nobody PASSWORD 'secret'", "SELECT 1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("role \"nobody\" does not exist")
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldBeginAnewWhenACopyWasInterrupted() throws Exception {
        PostgresHome home = home("interrupted");
        Path half = Files.createDirectories(home.data().resolveSibling("postgres-unfinished"));
        Files.writeString(half.resolve("PG_VERSION"), "17");

        try (LocalPostgres postgres = LocalPostgres.start(home, () -> {})) {
            assertThat(ask(postgres.address(), INSTALLATION)).isNotEmpty();
        }
        assertThat(half).doesNotExist();
    }

    @Test
    void shouldMakeItsOwnWhenWhatIsPreparedIsDamagedOrOfAnotherBuild() throws Exception {
        Path cluster = place();
        Files.delete(cluster.resolve("postgres/global/pg_control"));
        try (LocalPostgres postgres = LocalPostgres.start(home("damaged"), () -> {})) {
            assertThat(ask(postgres.address(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
                    .isEqualTo("0");
        }

        Path other = Files.move(cluster, prepared.resolve("0-000000000000"));
        try (LocalPostgres postgres = LocalPostgres.start(home("unprepared"), () -> {})) {
            assertThat(ask(postgres.address(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
                    .isEqualTo("0");
        }
        PreparedCluster.make();
        try (Stream<Path> all = Files.list(prepared)) {
            assertThat(all.filter(Files::isDirectory)).hasSize(2).contains(other, cluster);
        }
    }

    @Test
    void shouldMakeOneClusterWhenTwoMakeItAtOnce() throws Exception {
        FileTree.delete(place());
        List<CompletableFuture<Void>> making = Stream.generate(() -> CompletableFuture.runAsync(() -> {
                    try {
                        PreparedCluster.make();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }))
                .limit(2)
                .toList();
        making.forEach(CompletableFuture::join);

        assertThat(Files.readString(place().resolve("postgres/PG_VERSION"), StandardCharsets.UTF_8)
                        .strip())
                .isEqualTo("18");
    }
}
