package dev.assay.activities.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A directory of root's among files of everybody: other users go through it to what is theirs, and see and change nothing. */
public final class RootDirectory {

    private RootDirectory() {}

    /**
     * Makes it if there is none.
     *
     * @throws IOException when somebody else has made it
     */
    public static void open(Path directory) throws IOException {
        Files.createDirectories(directory);
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                || !Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(0)) {
            throw new IOException(directory + " belongs to another user; remove it");
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }
}
