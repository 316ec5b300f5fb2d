package dev.assay.work.file;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Copies and deletes directories with everything in them. Links stay links and are never followed. */
public final class FileTree {

    private FileTree() {}

    /** Copies {@code source} to {@code target}, which must not exist. The JDK copies on write where the file system can. */
    public static void copy(Path source, Path target) throws IOException {
        Files.walkFileTree(source, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                return copyOne(directory);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                return copyOne(file);
            }

            private FileVisitResult copyOne(Path file) throws IOException {
                Files.copy(
                        file,
                        target.resolve(source.relativize(file).toString()),
                        LinkOption.NOFOLLOW_LINKS,
                        StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Deletes {@code root}, if it is there. Neither locked directories nor paths of any length keep it. */
    public static void delete(Path root) throws IOException {
        for (boolean again = Files.exists(root, LinkOption.NOFOLLOW_LINKS); again; ) {
            Deletion deletion = new Deletion(root);
            Files.walkFileTree(root, deletion);
            again = deletion.again;
        }
    }

    /** One walk, which deletes files. Where nothing stands in its way, it deletes directories too. */
    private static final class Deletion extends SimpleFileVisitor<Path> {

        /** Characters of a path below the root. The system takes 4096 bytes, names of 255, up to three for a character. */
        private static final int LONG = 800;

        private final Path root;
        private boolean again;

        Deletion(Path root) {
            this.root = root;
        }

        /** Moves a directory to the top before the paths below it are too long for the system. The next walk deletes it. */
        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            if (root.relativize(directory).toString().length() <= LONG) {
                return FileVisitResult.CONTINUE;
            }
            try {
                Files.move(directory, root.resolve("deep-" + UUID.randomUUID()));
                again = true;
            } catch (AccessDeniedException e) {
                unlock(Files.isWritable(directory) ? parent(directory) : directory, e);
            }
            return FileVisitResult.SKIP_SUBTREE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path path, IOException failure) throws IOException {
            if (!(failure instanceof AccessDeniedException denied)) {
                throw failure;
            }
            unlock(path, denied);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (!again) {
                delete(directory);
            }
            return FileVisitResult.CONTINUE;
        }

        private void delete(Path path) throws IOException {
            try {
                Files.deleteIfExists(path);
            } catch (AccessDeniedException e) {
                unlock(parent(path), e);
            }
        }

        private static Path parent(Path path) {
            return requireNonNull(path.getParent());
        }

        private void unlock(Path directory, AccessDeniedException denied) throws IOException {
            if (Files.isReadable(directory) && Files.isWritable(directory) && Files.isExecutable(directory)) {
                throw denied;
            }
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            again = true;
        }
    }
}
