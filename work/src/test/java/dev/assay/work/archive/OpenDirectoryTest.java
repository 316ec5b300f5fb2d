package dev.assay.work.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenDirectoryTest {

    private static final Set<PosixFilePermission> PLAIN = PosixFilePermissions.fromString("rw-r--r--");

    @TempDir
    Path temporary;

    private static void tryAll(Path root) throws IOException {
        Files.createDirectories(root.resolve("d"));
        try (OpenDirectory top = OpenDirectory.of(root);
                OpenDirectory inner = top.directory("d")) {
            try (OutputStream file = inner.file("f", PLAIN)) {
                file.write('x');
            }
            inner.permit("f", PosixFilePermissions.fromString("rwxr-xr-x"));
            assertThatThrownBy(() -> inner.file("f", PLAIN)).isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> inner.directory("f")).isInstanceOf(IOException.class);
            inner.move("f", top, "moved");
        }
        assertThat(Files.readString(root.resolve("moved"))).isEqualTo("x");
        assertThat(Files.getPosixFilePermissions(root.resolve("moved")))
                .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(Files.exists(root.resolve("d/f"))).isFalse();
    }

    @Test
    void shouldMakeAndMoveFilesByTheirNamesWhenTheDirectoryIsHeldOpen() throws IOException {
        tryAll(temporary);
    }

    /** A file system that holds no directory open stands for macOS. */
    @Test
    void shouldMakeAndMoveFilesByTheirPathsWhenNoDirectoryIsHeldOpen() throws IOException {
        Map<String, Object> options = Map.of("create", true, "enablePosixFileAttributes", true);
        try (FileSystem zip = FileSystems.newFileSystem(temporary.resolve("files.zip"), options)) {
            tryAll(zip.getPath("/root"));
            assertThatThrownBy(() -> OpenDirectory.of(zip.getPath("/root")).directory("moved"))
                    .isInstanceOf(NotDirectoryException.class);
        }
    }
}
