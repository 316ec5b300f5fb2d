package dev.assay.standalone.server;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory of the embedded stores; only its owner can look inside. */
public record DataDirectory(Path path) {

    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("---rwxrwx");

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
            directory.close(directory.path);
            Files.createDirectories(directory.logs());
            directory.close(directory.logs());
            return directory;
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "The data directory " + directory.path + " cannot be made or written" + reason(e)
                            + "; name another one with --data or ASSAY_DATA",
                    e);
        }
    }

    /**
     * Closes the directory to others: answers, logs and the database's login are in it. An older Assay or the user may have made it
     * open.
     */
    private void close(Path directory) throws IOException {
        Set<PosixFilePermission> found = Files.getPosixFilePermissions(directory);
        Set<PosixFilePermission> own = EnumSet.copyOf(found);
        if (!own.removeAll(OF_OTHERS)) {
            return;
        }
        // Such as /tmp, which others need.
        if (found.contains(PosixFilePermission.OTHERS_WRITE) && !Files.exists(lockFile()) && !isEmpty(directory)) {
            throw open(directory, null);
        }
        try {
            Files.setPosixFilePermissions(directory, own);
        } catch (FileSystemException e) {
            throw open(directory, e);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private static AssayException open(Path directory, @Nullable IOException cause) {
        return new AssayException(
                ErrorCode.INVALID_INPUT,
                "Others can look into " + directory + ", and Assay does not close it to them; name a directory below it"
                        + " with --data or ASSAY_DATA",
                cause);
    }

    /** The operating system's message beside the path, if any. */
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
