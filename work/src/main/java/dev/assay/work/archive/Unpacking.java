package dev.assay.work.archive;

import dev.assay.work.confine.ConfinedThread;
import dev.assay.work.confine.Landlock;
import dev.assay.work.confine.Wall;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The way from an archive to files. The archive is decided while it is written, by the reader that decides about uploads. Two walls
 * keep what is written in its directory: {@link DirectoryTarget}, and Landlock where the system has it.
 */
public final class Unpacking {

    /** Only from this version on, Landlock lets a file be moved from one directory to another. */
    private static final int MOVES = 2;

    /** About what the file system takes for each file, directory and link beside its content. */
    private static final long BYTES_A_PLACE = 4096;

    private static final int BUFFER = 1 << 16;

    private Unpacking() {}

    /** The directory with the files in one that {@link #unpack} made. */
    public static Path files(Path directory) {
        return directory.resolve(DirectoryTarget.FILES);
    }

    /**
     * Unpacks an archive. After a failure the directory has to go.
     *
     * @param directory which must not exist; it is made for its owner only
     * @return about how many bytes the files take on disk
     * @throws RefusedArchiveException when the archive is not accepted
     * @throws IOException when it cannot be read, or the files cannot be written
     */
    public static long unpack(Path archive, Path directory)
            throws IOException, RefusedArchiveException, InterruptedException {
        Files.createDirectory(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        // A channel, since an interrupt ends it; it does not end the JDK's streams of files.
        try (InputStream source = new BufferedInputStream(Channels.newInputStream(FileChannel.open(archive)), BUFFER);
                @Nullable Landlock walls = walls(directory)) {
            return ConfinedThread.call("unpack", walls, () -> write(source, directory));
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RefusedArchiveException refused -> throw refused;
                case IOException failure -> throw failure;
                case RuntimeException defect -> throw defect;
                case Error defect -> throw defect;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    /** Reading stays open: the JVM loads classes on whatever thread needs them. */
    static @Nullable Landlock walls(Path directory) throws IOException {
        if (Landlock.version() < MOVES) {
            return null;
        }
        Landlock walls = Landlock.closing(EnumSet.allOf(Wall.class));
        try {
            return walls.readExecute(List.of(Path.of("/"))).readWrite(List.of(directory));
        } catch (IOException e) {
            walls.close();
            throw e;
        }
    }

    static long write(InputStream source, Path directory) throws IOException, RefusedArchiveException {
        try (DirectoryTarget target = new DirectoryTarget(directory)) {
            long bytes = ArchiveReader.read(source, target);
            return bytes + target.places() * BYTES_A_PLACE;
        } catch (InvalidPathException e) {
            throw new IOException("the worker's locale cannot write the name; start it with LC_ALL=C.UTF-8", e);
        }
    }
}
