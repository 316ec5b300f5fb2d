package dev.assay.work.secret;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a file at the end of all links, as {@code stat} says it. Two states differ when the file was exchanged or written.
 *
 * @param inode null: the file system has none
 * @param isRegular whether it is a file that can be read twice
 * @param isOpenToAll whether every user may read it
 */
record FileState(@Nullable Object inode, long bytes, FileTime written, boolean isRegular, boolean isOpenToAll) {

    /** Two writes within the clock's grain leave the same time. */
    private static final Duration GRAIN = Duration.ofSeconds(2);

    static FileState of(Path path) throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            BasicFileAttributes basic = Files.readAttributes(path, BasicFileAttributes.class);
            return of(basic, false);
        }
        PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
        return of(attributes, attributes.permissions().contains(PosixFilePermission.OTHERS_READ));
    }

    private static FileState of(BasicFileAttributes attributes, boolean isOpenToAll) {
        return new FileState(
                attributes.fileKey(),
                attributes.size(),
                attributes.lastModifiedTime(),
                attributes.isRegularFile(),
                isOpenToAll);
    }

    /** Whether a later write would show. */
    boolean isSettled() {
        return written.toInstant().isBefore(Instant.now().minus(GRAIN));
    }
}
