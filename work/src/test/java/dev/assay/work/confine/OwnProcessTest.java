package dev.assay.work.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process as others of its user see it; that user is not root, whom nothing is hidden from. */
@Timeout(60)
class OwnProcessTest {

    private static final List<Restriction> USER = OtherUser.isPossible() ? List.of(new OtherUser(63_985)) : List.of();

    private static Process start(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(new File("/"));
        builder.environment().put("SECRET_KEY", "s3cret");
        return ConfinedStart.start(USER, builder);
    }

    private static boolean isRead(String file) throws Exception {
        Process reader = start("sh", "-c", "read -r word; cat \"$0\" >/dev/null 2>&1", file);
        reader.getOutputStream().close();
        return reader.waitFor() == 0;
    }

    private static Process java(Class<?> program, String argument) throws Exception {
        String classes = Stream.of(OwnProcess.class, program)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .collect(Collectors.joining(File.pathSeparator));
        return start(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes,
                program.getName(),
                argument);
    }

    private static Map<String, Boolean> seen(boolean hides) throws Exception {
        Process process = java(HiddenProcess.class, String.valueOf(hides));
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo(hides ? "hidden" : "open");
            return Stream.of("environ", "maps", "status")
                    .collect(Collectors.toMap(name -> name, name -> readOf(process.pid(), name)));
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean readOf(long pid, String name) {
        try {
            return isRead("/proc/" + pid + "/" + name);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldCloseItsEnvironmentAndMemoryToItsUserWhenItHides() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/environ")), "Only Linux shows processes to each other");
        assumeTrue(!OtherUser.isRoot() || OtherUser.isPossible(), "Nothing is hidden from root");

        assertThat(seen(false))
                .containsExactlyInAnyOrderEntriesOf(Map.of("environ", true, "maps", true, "status", true));
        assertThat(seen(true))
                .containsExactlyInAnyOrderEntriesOf(Map.of("environ", false, "maps", false, "status", true));
    }

    @Test
    void shouldEndAtOnceWithItsCodeAndWhatItWrote() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/environ")), "Only Linux ends a process at once");

        Process process = java(EndingProcess.class, "7");
        process.getOutputStream().close();

        assertThat(process.inputReader(StandardCharsets.UTF_8).readAllAsString())
                .isEqualTo("said");
        assertThat(process.waitFor()).isEqualTo(7);
    }
}
