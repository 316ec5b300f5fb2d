package dev.assay.cli.server;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where the embedded stores live; only its owner can look inside.
 *
 * @param path absolute
 */
public record DataDirectory(Path path) {

    public DataDirectory {
        path = path.toAbsolutePath().normalize();
    }

    /**
     * Makes the directory if there is none.
     *
     * @throws AssayException STORE_UNAVAILABLE when it cannot be made or is no directory
     */
    public static DataDirectory open(Path path) {
        DataDirectory directory = new DataDirectory(path);
        try {
            if (!Files.isDirectory(directory.path)) {
                Files.createDirectories(
                        directory.path,
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Files.createDirectories(directory.logs());
            return directory;
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "The data directory " + directory.path + " cannot be made or written" + reason(e)
                            + "; name another one with --data or ASSAY_DATA",
                    e);
        }
    }

    /** What the operating system says beside the path, if anything. */
    private static String reason(IOException failure) {
        if (failure instanceof FileAlreadyExistsException) {
            return " (it is no directory)";
        }
        return failure instanceof FileSystemException e && e.getReason() != null ? " (" + e.getReason() + ")" : "";
    }

    /** The directory of log files. */
    public Path logs() {
        return path.resolve("logs");
    }

    Path lockFile() {
        return path.resolve("lock");
    }

    Path endpointsFile() {
        return path.resolve("endpoints.json");
    }
}
