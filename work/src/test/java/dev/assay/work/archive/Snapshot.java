package dev.assay.work.archive;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What lies in a directory, as the vectors write it. Links are never followed. */
final class Snapshot {

    private Snapshot() {}

    /** All below {@code root} but what lies in {@code except}. */
    static Map<String, String> of(Path root, Path except) throws IOException {
        Map<String, String> found = new TreeMap<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (directory.equals(except)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                if (!directory.equals(root)) {
                    String permissions = PosixFilePermissions.toString(permissions(directory));
                    put(directory, permissions.equals("rwxr-xr-x") ? "dir" : "dir " + permissions);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                put(file, attributes.isSymbolicLink() ? "link:" + Files.readSymbolicLink(file) : content(file));
                return FileVisitResult.CONTINUE;
            }

            private void put(Path path, String what) {
                found.put(root.relativize(path).toString(), what);
            }
        });
        return found;
    }

    private static String content(Path file) throws IOException {
        Set<PosixFilePermission> permissions = permissions(file);
        boolean isExecutable = permissions.contains(PosixFilePermission.OWNER_EXECUTE);
        boolean isPlain = PosixFilePermissions.toString(permissions).equals(isExecutable ? "rwxr-xr-x" : "rw-r--r--");
        return RecordedTree.file(isExecutable, Files.readAllBytes(file)) + (isPlain ? "" : " " + permissions);
    }

    private static Set<PosixFilePermission> permissions(Path path) throws IOException {
        return Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
    }
}
