package dev.assay.activities.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.work.confine.ConfinedStart;
import dev.assay.work.confine.Landlock;
import dev.assay.work.confine.OtherUser;
import dev.assay.work.confine.PortFilter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every line of the levels' table, tried by a program of a worker that is a process of its own: each is reached at level none. */
@Timeout(120)
class LevelsTest {

    private static final Set<String> LINES = Set.of(
            "environment",
            "memory",
            "data",
            "endpoints",
            "other",
            "home",
            "outside",
            "signal",
            "abstract",
            "port",
            "multipath",
            "fastopen");

    @TempDir
    Path temporary;

    /** What programs found, as {@code LEVEL LINE reached}. */
    private List<String> probe(boolean asAnotherUser) throws Exception {
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path user = Files.createDirectories(temporary.resolve("home-of-worker"));
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Duser.home=" + user,
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        readableClasses(),
                        LevelProbe.class.getName(),
                        temporary.toString())
                .directory(temporary.toFile());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process worker = asAnotherUser ? ConfinedStart.start(List.of(new OtherUser(63_986)), builder) : builder.start();
        String said = new String(worker.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(worker.waitFor()).as(said).isZero();
        return said.lines().toList();
    }

    /** Copies of what the probe needs of the class path: a home is closed to other users. */
    private String readableClasses() throws IOException {
        List<String> found = new ArrayList<>();
        Path copies = Files.createDirectories(temporary.resolve("classes"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                found.add(entry);
            } else if (Stream.of("slf4j-api", "jackson-", "assay-")
                    .anyMatch(path.getFileName().toString()::startsWith)) {
                found.add(Files.copy(path, copies.resolve(path.getFileName()), StandardCopyOption.REPLACE_EXISTING)
                        .toString());
            }
        }
        return String.join(File.pathSeparator, found);
    }

    private static Set<String> lines(List<String> said, String level, String end) {
        return said.stream()
                .filter(line -> line.startsWith(level + " ") && line.endsWith(" " + end))
                .map(line -> line.split(" ", -1)[1])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The lines that this kernel's Landlock closes, of those that it may close. */
    private static Set<String> closed(boolean signalsAnyway) {
        Set<String> closed = new TreeSet<>(LINES);
        int version = Landlock.version();
        if (version < 6) {
            closed.remove("abstract");
            if (!signalsAnyway) {
                closed.remove("signal");
            }
        }
        if (version < 4) {
            closed.removeAll(Set.of("port", "multipath", "fastopen"));
        }
        if (!PortFilter.isPossible()) {
            closed.removeAll(Set.of("multipath", "fastopen"));
        }
        return closed;
    }

    @Test
    void shouldCloseEveryLineWhenAProgramIsConfined() throws Exception {
        assumeTrue(
                Landlock.version() > 0,
                "This kernel has no Landlock (Linux 5.13 or newer has it): level confined was not tried");
        assumeTrue(!OtherUser.isRoot() || OtherUser.isPossible(), "No worker without root could be started");

        List<String> said = probe(OtherUser.isRoot());

        assertThat(said).contains("level none", "level confined");
        assertThat(lines(said, "none", "reached")).containsAll(LINES).contains("network", "own");
        assertThat(lines(said, "confined", "closed")).isEqualTo(closed(false));
        assertThat(lines(said, "confined", "reached")).contains("network", "own");
    }

    @Test
    void shouldCloseEveryLineWhenAProgramIsAnotherUser() throws Exception {
        assumeTrue(OtherUser.isPossible(), "This is not root: level user was not tried");

        List<String> said = probe(false);

        assertThat(said).contains("level none", "level user");
        assertThat(lines(said, "none", "reached")).containsAll(LINES).contains("network", "own");
        assertThat(lines(said, "user", "closed")).isEqualTo(closed(true));
        assertThat(lines(said, "user", "reached")).contains("network", "own");
    }
}
