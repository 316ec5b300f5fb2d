package dev.assay.cli.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.cli.testing.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class LocalPostgresTest {

    private static final Path BINARIES = Path.of("target", "postgres-binaries").toAbsolutePath();

    @TempDir
    Path directory;

    private PostgresHome home() {
        PostgresHome home = PostgresHome.in(directory);
        return new PostgresHome(home.data(), BINARIES, home.passwordFile(), home.portFile(), home.log());
    }

    @Test
    void shouldWriteCommitsToDiskAndListenOnLoopbackOnlyWhenStarted() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start(home(), () -> {})) {
            assertThat(ask(postgres, "SHOW fsync")).isEqualTo("on");
            assertThat(ask(postgres, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(ask(postgres, "SHOW full_page_writes")).isEqualTo("on");
            assertThat(ask(postgres, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(ask(postgres, "SHOW unix_socket_directories")).isEmpty();
            assertThat(ask(postgres, "SHOW max_connections")).isEqualTo("400");
            assertThat(ask(postgres, "SHOW server_version")).startsWith("18.");
        }
    }

    @Test
    void shouldRefuseAWrongPasswordAndKeepTheRightOnePrivate() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start(home(), () -> {})) {
            DatabaseAddress address = postgres.address();
            assertThatThrownBy(() -> DriverManager.getConnection(address.jdbcUrl(), address.user(), "guess"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home().passwordFile())))
                    .isEqualTo("rw-------");
            assertThat(address.toString()).doesNotContain(address.password());
        }
    }

    @Test
    void shouldKeepDataAndPortWhenStoppedAndStartedAgain() throws Exception {
        String address;
        try (LocalPostgres postgres = LocalPostgres.start(home(), () -> {})) {
            address = postgres.address().jdbcUrl();
            execute(postgres, "CREATE TABLE kept AS SELECT 42 AS answer");
        }
        assertThat(home().data().resolve("postmaster.pid")).doesNotExist();
        try (LocalPostgres postgres = LocalPostgres.start(home(), () -> {})) {
            assertThat(ask(postgres, "SELECT answer FROM kept")).isEqualTo("42");
            assertThat(postgres.address().jdbcUrl()).isEqualTo(address);
        }
    }

    @Test
    void shouldRunAgainOnTheSameDataAndPortWhenThePostmasterIsKilled() throws Exception {
        AtomicInteger restarts = new AtomicInteger();
        try (LocalPostgres postgres = LocalPostgres.start(home(), restarts::incrementAndGet)) {
            execute(postgres, "CREATE TABLE kept AS SELECT 42 AS answer");
            long killed = postgres.pid();
            ProcessHandle.of(killed).orElseThrow().destroyForcibly();
            await().atMost(Duration.ofSeconds(30)).until(() -> restarts.get() == 1);
            assertThat(postgres.pid()).isNotEqualTo(killed);
            assertThat(ask(postgres, "SELECT answer FROM kept")).isEqualTo("42");
        }
    }

    @Test
    void shouldStopALeftoverServerAndKeepItsPortWhenItsParentWasKilled() throws Exception {
        Process parent = JavaProcess.start(LocalPostgresMain.class, directory.toString(), BINARIES.toString());
        long orphan = Long.parseLong(JavaProcess.firstLine(parent));
        parent.destroyForcibly().waitFor();
        String port = Files.readString(home().portFile()).strip();
        assertThat(ProcessHandle.of(orphan))
                .as("the postmaster outlives its parent")
                .isPresent();
        try (LocalPostgres postgres = LocalPostgres.start(home(), () -> {})) {
            assertThat(postgres.pid()).isNotEqualTo(orphan);
            assertThat(postgres.address().jdbcUrl()).contains(":" + port + "/");
            assertThat(ask(postgres, "SELECT answer FROM kept")).isEqualTo("42");
        }
    }

    @Test
    void shouldStartWhenALeftoverFileNamesAnotherProcess() throws Exception {
        LocalPostgres.start(home(), () -> {}).close();
        Files.writeString(
                home().data().resolve("postmaster.pid"),
                ProcessHandle.current().pid() + "\n" + home().data() + "\n1\n1\n\n127.0.0.1\n0 0\nready\n");
        try (LocalPostgres postgres = LocalPostgres.start(home(), () -> {})) {
            assertThat(ask(postgres, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void shouldLeaveAnotherPostgresAloneWhenALeftoverFileNamesIt() throws Exception {
        LocalPostgres.start(home(), () -> {}).close();
        PostgresHome other = PostgresHome.in(directory.resolve("other"));
        PostgresHome elsewhere =
                new PostgresHome(other.data(), BINARIES, other.passwordFile(), other.portFile(), other.log());
        try (LocalPostgres running = LocalPostgres.start(elsewhere, () -> {})) {
            Files.writeString(
                    home().data().resolve("postmaster.pid"),
                    running.pid() + "\n" + home().data() + "\n1\n1\n\n127.0.0.1\n0 0\nready\n");
            try (LocalPostgres postgres = LocalPostgres.start(home(), () -> {})) {
                assertThat(ask(postgres, "SELECT 1")).isEqualTo("1");
                assertThat(ask(running, "SELECT 1")).isEqualTo("1");
            }
        }
    }

    static void execute(LocalPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String ask(LocalPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return String.valueOf(result.getString(1));
        }
    }

    private static Connection connect(LocalPostgres postgres) throws SQLException {
        DatabaseAddress address = postgres.address();
        return DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
    }
}
