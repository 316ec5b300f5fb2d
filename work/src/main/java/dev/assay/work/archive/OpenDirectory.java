package dev.assay.work.archive;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is held open, so that everything in it is made by its name alone. No path is walked, and so no link that somebody
 * puts in the place of a directory is followed.
 *
 * <p>Where the JDK cannot do that (macOS), what is made is named by its path.
 */
final class OpenDirectory implements AutoCloseable {

    /** What is new follows no link: the system refuses where one has the name. */
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final Path path;
    private final DirectoryStream<Path> stream;

    private OpenDirectory(Path path, DirectoryStream<Path> stream) {
        this.path = path;
        this.stream = stream;
    }

    /** Opens a directory by its path. */
    @SuppressWarnings("StreamResourceLeak") // closed with the result
    static OpenDirectory of(Path path) throws IOException {
        return new OpenDirectory(path, Files.newDirectoryStream(path));
    }

    private @Nullable SecureDirectoryStream<Path> secure() {
        return stream instanceof SecureDirectoryStream<Path> secure ? secure : null;
    }

    /** Opens the directory {@code name} in this one, which must be no link. */
    OpenDirectory directory(String name) throws IOException {
        SecureDirectoryStream<Path> secure = secure();
        Path below = path.resolve(name);
        if (secure != null) {
            return new OpenDirectory(below, secure.newDirectoryStream(Path.of(name), NOFOLLOW_LINKS));
        }
        if (!Files.isDirectory(below, NOFOLLOW_LINKS)) {
            throw new NotDirectoryException(below.toString());
        }
        return of(below);
    }

    /**
     * Makes a file.
     *
     * @param permissions less those that the process gives to no file
     */
    OutputStream file(String name, Set<PosixFilePermission> permissions) throws IOException {
        SecureDirectoryStream<Path> secure = secure();
        FileAttribute<?> attribute = PosixFilePermissions.asFileAttribute(permissions);
        return Channels.newOutputStream(
                secure == null
                        ? Files.newByteChannel(path.resolve(name), NEW, attribute)
                        : secure.newByteChannel(Path.of(name), NEW, attribute));
    }

    /** Gives exactly these permissions to the file {@code name}. */
    void permit(String name, Set<PosixFilePermission> permissions) throws IOException {
        SecureDirectoryStream<Path> secure = secure();
        PosixFileAttributeView view = secure == null
                ? Files.getFileAttributeView(path.resolve(name), PosixFileAttributeView.class, NOFOLLOW_LINKS)
                : secure.getFileAttributeView(Path.of(name), PosixFileAttributeView.class, NOFOLLOW_LINKS);
        view.setPermissions(permissions);
    }

    /** Moves {@code name} to {@code target}, where nothing is called {@code as}. */
    void move(String name, OpenDirectory target, String as) throws IOException {
        SecureDirectoryStream<Path> secure = secure();
        if (secure == null) {
            Files.move(path.resolve(name), target.path.resolve(as));
        } else {
            secure.move(Path.of(name), requireNonNull(target.secure()), Path.of(as));
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
