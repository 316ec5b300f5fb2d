package dev.assay.activities.command;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** Copies and deletes directories with everything in them. Links stay links and are never followed. */
final class FileTree {

    private FileTree() {}

    /** Copies {@code source} to {@code target}, which must not exist. The JDK copies on write where the file system can. */
    static void copy(Path source, Path target) throws IOException {
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

    /** Deletes {@code root}, if it is there. Directories that may not be changed are made so, if need be. */
    static void delete(Path root) throws IOException {
        try {
            deleteAll(root);
        } catch (AccessDeniedException _) {
            open(root);
            deleteAll(root);
        }
    }

    private static void deleteAll(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void open(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
            try (DirectoryStream<Path> below = Files.newDirectoryStream(path)) {
                for (Path each : below) {
                    open(each);
                }
            }
        }
    }
}
