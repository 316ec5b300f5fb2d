package dev.assay.work.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Timeout(30)
class SecretVariablesTest {

    private static final String LONG = "s".repeat(SecretReader.MAX_BYTES);

    @TempDir
    Path directory;

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("secret"), content);
    }

    private static SecretVariables named(Path file) {
        return SecretVariables.of(Map.of("KEY_FILE", file.toString()));
    }

    private static AssayException failure(SecretVariables variables) {
        AssayException failure = catchThrowableOfType(AssayException.class, () -> variables.value("KEY"));
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_INPUT);
        return failure;
    }

    /** As Kubernetes does: another file takes the place of the first in one step. */
    private void exchange(Path link, Path target) throws IOException {
        Path next = directory.resolve("next");
        Files.createSymbolicLink(next, target);
        Files.move(next, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void shouldReadTheVariableWhenItIsSet() {
        SecretVariables variables = SecretVariables.of(Map.of("KEY", "a\n", "EMPTY", "", "EMPTY_FILE", ""));

        assertThat(variables.value("KEY")).isEqualTo("a\n");
        assertThat(variables.value("EMPTY")).isEmpty();
        assertThat(variables.value("OTHER")).isNull();
    }

    static Stream<Map.Entry<String, String>> contents() {
        return Stream.of(
                Map.entry("a", "a"),
                Map.entry("a\n", "a"),
                Map.entry("a\r\n", "a"),
                Map.entry("a\n\n", "a\n"),
                Map.entry(" ä ", " ä "),
                Map.entry(LONG, LONG));
    }

    @ParameterizedTest
    @MethodSource("contents")
    void shouldReadTheFileWithoutItsLastLineBreak(Map.Entry<String, String> content) throws Exception {
        assertThat(named(file(content.getKey())).value("KEY")).isEqualTo(content.getValue());
    }

    @Test
    void shouldReadTheCredentialWhenNothingElseIsSet() throws Exception {
        Path credentials = Files.createDirectory(directory.resolve("credentials"));
        Files.writeString(credentials.resolve("KEY"), "credential");
        Path file = file("file");
        Map<String, String> environment = new HashMap<>(Map.of("CREDENTIALS_DIRECTORY", credentials.toString()));

        assertThat(SecretVariables.of(environment).value("KEY")).isEqualTo("credential");
        assertThat(SecretVariables.of(environment).value("OTHER")).isNull();
        assertThat(SecretVariables.of(environment).value("../secret")).isNull();
        environment.put("KEY", "variable");
        assertThat(SecretVariables.of(environment).value("KEY")).isEqualTo("variable");
        environment.remove("KEY");
        environment.put("KEY_FILE", file.toString());
        assertThat(SecretVariables.of(environment).value("KEY")).isEqualTo("file");
    }

    @Test
    void shouldAddTheNamedVariablesInFilesToTheEnvironment() throws Exception {
        Map<String, String> environment = Map.of("KEY_FILE", file("a").toString(), "OTHER", "b");
        Map<String, String> all = new HashMap<>(environment);
        all.put("KEY", "a");

        assertThat(SecretVariables.of(environment).environmentWith(List.of("KEY", "OTHER", "NONE")))
                .isEqualTo(all);
        assertThat(SecretVariables.of(environment).environmentWith(List.of())).isEqualTo(environment);
    }

    @Test
    void shouldRefuseBothForms() throws Exception {
        Map<String, String> both = Map.of("KEY", "s3cret", "KEY_FILE", file("a").toString());

        assertThat(failure(SecretVariables.of(both))).hasMessage("KEY and KEY_FILE are both set; leave one.");
    }

    private Path bad(String kind) throws Exception {
        Path path = directory.resolve(kind);
        switch (kind) {
            case "empty" -> Files.createFile(path);
            case "blank" -> Files.writeString(path, " \r\n");
            case "binary" -> Files.write(path, new byte[] {'s', '3', (byte) 0xff});
            case "long" -> Files.writeString(path, LONG + "\n");
            case "pipe" ->
                assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                        .isZero();
            case "directory" -> Files.createDirectory(path);
            case "zero" -> Files.createSymbolicLink(path, Path.of("/dev/zero"));
            case "loop" -> Files.createSymbolicLink(path, path);
            case "dangling" -> Files.createSymbolicLink(path, directory.resolve("missing"));
            default -> assertThat(path).doesNotExist();
        }
        return path;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"missing", "empty", "blank", "binary", "long", "pipe", "directory", "zero", "loop", "dangling"})
    void shouldNameTheVariableAndThePathOfABadFile(String kind) throws Exception {
        Path path = bad(kind);

        assertThat(failure(named(path)))
                .hasMessageStartingWith("KEY_FILE names " + path + ", which ")
                .hasMessageNotContaining("s3")
                .hasMessageNotContaining("ssss");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"missing", "empty", "blank", "binary", "long", "pipe", "directory", "zero", "loop", "dangling"})
    void shouldKeepTheValueWhileTheNewContentIsBad(String kind) throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), file("before"));
        SecretVariables variables = named(link);
        assertThat(variables.value("KEY")).isEqualTo("before");

        exchange(link, bad(kind));
        variables.look();
        assertThat(variables.value("KEY")).isEqualTo("before");
        assertThat(variables.unreadable()).containsExactly("KEY");

        exchange(link, Files.writeString(directory.resolve("good"), "after"));
        variables.look();
        assertThat(variables.value("KEY")).isEqualTo("after");
        assertThat(variables.unreadable()).isEmpty();
    }

    @Test
    void shouldRefuseAFileThatMayNotBeRead() throws Exception {
        Path path = file("a");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(path), "root may read every file");

        assertThat(failure(named(path))).hasMessageContaining("cannot be read");
    }

    @Test
    void shouldFollowAFileThatIsWrittenInItsPlace() throws Exception {
        Path path = file("before");
        SecretVariables variables = named(path);
        assertThat(variables.value("KEY")).isEqualTo("before");

        Files.writeString(path, "a later value\n");
        assertThat(variables.value("KEY")).isEqualTo("before");
        variables.look();
        assertThat(variables.value("KEY")).isEqualTo("a later value");
    }

    @Test
    void shouldFollowALinkThatReturnsToTheFirstFile() throws Exception {
        Path first = file("first");
        Path other = Files.writeString(directory.resolve("other"), "other");
        for (Path file : List.of(first, other)) {
            Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
        }
        Path link = Files.createSymbolicLink(directory.resolve("link"), first);
        SecretVariables variables = named(link);
        assertThat(variables.value("KEY")).isEqualTo("first");

        for (Path file : List.of(other, first)) {
            exchange(link, file);
            variables.look();
            assertThat(variables.value("KEY")).isEqualTo(Files.readString(file));
        }
    }

    /** Two writes of the same length within the clock's grain. */
    @Test
    void shouldFollowAWriteThatLeavesLengthAndTime() throws Exception {
        Path path = file("before");
        FileTime time = Files.getLastModifiedTime(path);
        SecretVariables variables = named(path);
        assertThat(variables.value("KEY")).isEqualTo("before");

        Files.writeString(path, "beside");
        Files.setLastModifiedTime(path, time);
        variables.look();
        assertThat(variables.value("KEY")).isEqualTo("beside");
    }

    @Test
    void shouldReadAFileAgainOnlyWhenItHasChanged() throws Exception {
        Path path = file("before");
        Files.setLastModifiedTime(path, FileTime.from(Instant.EPOCH));
        SecretVariables variables = named(path);
        assertThat(variables.value("KEY")).isEqualTo("before");

        Files.writeString(path, "beside");
        Files.setLastModifiedTime(path, FileTime.from(Instant.EPOCH));
        variables.look();
        assertThat(variables.value("KEY")).isEqualTo("before");
    }

    @Test
    void shouldKeepTheValueWhenItsTakerRefusesTheNewOne() throws Exception {
        Path path = file("before");
        SecretVariables variables = named(path);
        List<String> told = new ArrayList<>();
        variables.onChange("KEY", text -> {
            told.add(text + " after " + variables.value("KEY"));
            if (text.equals("bad")) {
                throw new IllegalStateException("quotes bad");
            }
        });
        Files.writeString(path, "bad");
        variables.look();
        assertThat(variables.value("KEY")).isEqualTo("before");
        assertThat(variables.unreadable()).containsExactly("KEY");

        Files.writeString(path, "good");
        variables.look();
        assertThat(variables.value("KEY")).isEqualTo("good");
        assertThat(variables.unreadable()).isEmpty();
        assertThat(told).containsExactly("bad after before", "good after before");
    }

    @Test
    void shouldReadNoMoreThanItMayOfAFileThatGrows() throws Exception {
        Path path = file("a");
        try (OutputStream growing = Files.newOutputStream(path)) {
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    while (!Thread.currentThread().isInterrupted()) {
                        growing.write(LONG.getBytes(UTF_8));
                    }
                } catch (IOException _) {
                    return;
                }
            });
            try {
                while (Files.size(path) < LONG.length()) {
                    Thread.onSpinWait();
                }
                assertThat(failure(named(path))).hasMessageContaining("64 KiB");
            } finally {
                writer.interrupt();
                writer.join();
            }
        }
    }

    @Test
    void shouldReadAPipeOnceForAnOption() throws Exception {
        Path pipe = bad("pipe");
        Thread writer = Thread.ofPlatform().start(() -> {
            try {
                Files.writeString(pipe, "token\n");
            } catch (IOException _) {
                return;
            }
        });

        assertThat(SecretVariables.readOnce("--token-file", pipe)).isEqualTo("token");
        writer.join();
        assertThatThrownBy(() -> SecretVariables.readOnce("--token-file", Path.of("/dev/zero")))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("--token-file names /dev/zero");
    }

    @Test
    void shouldNotHangOnAPipeThatNobodyWrites() throws Exception {
        Path pipe = bad("pipe");

        SecretReader reader = new SecretReader("--token-file", pipe, false, Duration.ofSeconds(1));
        for (int look = 0; look < 20; look++) {
            assertThatThrownBy(() -> reader.read(null))
                    .isInstanceOf(AssayException.class)
                    .hasMessageContaining("does not end within 1 s");
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("secret-file"))
                .as("threads that wait for the pipe")
                .hasSizeLessThanOrEqualTo(1);
        Files.writeString(pipe, "late");
        await().untilAsserted(() -> assertThat(reader.read(null).text()).isEqualTo("late"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "r--------"})
    void shouldWarnOfAFileThatAllMayRead(String permissions) throws Exception {
        Path path = file("s3cret");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        Logger logger = (Logger) LoggerFactory.getLogger(SecretFile.class);
        ListAppender<ILoggingEvent> events = new ListAppender<>();
        events.start();
        logger.addAppender(events);
        try {
            named(path).value("KEY");
        } finally {
            logger.detachAppender(events);
        }

        assertThat(events.list.stream().map(ILoggingEvent::getFormattedMessage))
                .hasSize(permissions.endsWith("r--") ? 1 : 0)
                .allMatch(message -> message.contains("KEY_FILE (" + path + ")") && !message.contains("s3cret"));
    }
}
