package dev.assay.standalone.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.standalone.process.FreePort;
import dev.assay.standalone.process.SupervisedProcess;
import dev.assay.standalone.testing.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
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
            assertThat(Files.readAllLines(home().data().resolve("postmaster.pid"))
                            .get(4))
                    .as("directory of the socket")
                    .isEmpty();
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
    void shouldLetAssaysRoleReadNoFileAndStartNoProgram() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start(home(), () -> {})) {
            assertThat(ask(
                            postgres,
                            "SELECT current_user || ' ' || rolsuper FROM pg_roles WHERE rolname = current_user"))
                    .isEqualTo("assay false");
            execute(postgres, "CREATE TABLE leak (line text)");
            assertThatThrownBy(() -> execute(postgres, "COPY leak FROM PROGRAM 'env'"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> ask(postgres, "SELECT pg_read_file('postgresql.conf')"))
                    .isInstanceOf(SQLException.class);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home().superuserFile())))
                    .isEqualTo("rw-------");
        }
    }

    /** As every build before made them: one role, which is superuser. */
    @Test
    void shouldTakeTheSuperuserFromAssaysRoleWhenTheDataAreOfBefore() throws Exception {
        PostgresHome home = home();
        PostgresTools tools = new PostgresTools(PostgresBinaries.in(home.binaries()));
        Files.createDirectories(directory.resolve("logs"));
        PostgresCluster.writePassword(home.passwordFile(), "0123456789abcdef");
        tools.run(List.of(
                tools.executable("initdb").toString(),
                "--pgdata=" + home.data(),
                "--username=assay",
                "--pwfile=" + home.passwordFile(),
                "--auth=scram-sha-256",
                "--no-sync"));
        String asBefore;
        try (SupervisedProcess process = SupervisedProcess.start(
                new PostgresServer(tools, home, FreePort.keptIn(home.portFile(), 0)), () -> {})) {
            asBefore = "jdbc:postgresql://127.0.0.1:"
                    + Files.readString(home.portFile()).strip() + "/";
            try (Connection connection =
                            DriverManager.getConnection(asBefore + "postgres", "assay", "0123456789abcdef");
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE assay");
            }
            try (Connection connection = DriverManager.getConnection(asBefore + "assay", "assay", "0123456789abcdef");
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "CREATE TABLE kept (id bigint GENERATED ALWAYS AS IDENTITY, own bigserial, answer int)");
                statement.execute("CREATE VIEW seen AS SELECT answer FROM kept");
                statement.execute("CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql RETURN n * 2");
                statement.execute("INSERT INTO kept (answer) VALUES (42)");
            }
            assertThat(process.pid()).isPositive();
        }
        for (int start = 1; start <= 2; start++) {
            try (LocalPostgres postgres = LocalPostgres.start(home, () -> {})) {
                assertThat(postgres.address().password()).isEqualTo("0123456789abcdef");
                assertThat(ask(postgres, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"))
                        .isEqualTo("f");
                execute(postgres, "ALTER TABLE kept ADD COLUMN added" + start + " int");
                execute(postgres, "DROP VIEW seen; CREATE VIEW seen AS SELECT answer FROM kept");
                execute(postgres, "INSERT INTO kept (answer) VALUES (twice(21))");
                execute(postgres, "ALTER FUNCTION twice(int) COST 1");
                execute(postgres, "CREATE TABLE made" + start + " (id int)");
                assertThat(ask(postgres, "SELECT min(answer) FROM seen")).isEqualTo("42");
                assertThatThrownBy(() -> execute(postgres, "COPY made1 FROM PROGRAM 'env'"))
                        .isInstanceOf(SQLException.class);
            }
        }
    }

    @Test
    void shouldShowPostgresNoKeyOfTheEnvironment() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start(home(), () -> {})) {
            String environment = Files.readString(Path.of("/proc/" + postgres.pid() + "/environ"));
            assertThat(environment.split("\0"))
                    .allMatch(variable -> variable.matches(
                            "(PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TMPDIR|TZ|LD_LIBRARY_PATH|PG[A-Z_]+)=.*"));
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
