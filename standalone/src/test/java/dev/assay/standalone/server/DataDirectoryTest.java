package dev.assay.standalone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.error.AssayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {

    @TempDir
    private Path parent;

    private Path made(String permissions) throws IOException {
        Path directory =
                Files.createDirectories(parent.resolve("data").resolve("logs")).getParent();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
        Files.setPosixFilePermissions(directory.resolve("logs"), PosixFilePermissions.fromString("rwxr-xr-x"));
        return directory;
    }

    private static String permissions(Path directory) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
    }

    @Test
    void shouldCloseTheDirectoryAndItsLogsToOthers() throws IOException {
        Path directory = made("rwxr-xr-x");

        DataDirectory.open(directory);

        assertThat(permissions(directory)).isEqualTo("rwx------");
        assertThat(permissions(directory.resolve("logs"))).isEqualTo("rwx------");
    }

    @Test
    void shouldRefuseADirectoryThatOthersShareAndLeaveItAsItIs() throws IOException {
        Path shared = made("rwxrwxrwx");
        Files.createFile(shared.resolve("of-somebody"));

        assertThatThrownBy(() -> DataDirectory.open(shared))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("--data");
        assertThat(permissions(shared)).isEqualTo("rwxrwxrwx");
    }
}
