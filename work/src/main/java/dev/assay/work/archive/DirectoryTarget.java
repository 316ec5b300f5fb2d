package dev.assay.work.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files of an archive in a new directory. Each is made relative to its parent, which is held open. Java makes directories and
 * links by their paths only. So they are made in a directory beside, under a name of ours, and moved from there into their parent.
 */
final class DirectoryTarget implements ArchiveTarget, AutoCloseable {

    /** The name of the directory with the files. */
    static final String FILES = "files";

    private static final String BESIDE = "made";
    private static final String NEXT = "next";
    private static final Set<PosixFilePermission> ALL_READ = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> ALL_EXECUTE = PosixFilePermissions.fromString("rwxr-xr-x");

    private final Path beside;
    private final OpenDirectory made;

    /** The directories on the way to the one that was used last; the first one is the top. */
    private final List<OpenDirectory> open = new ArrayList<>();

    private final List<String> way = new ArrayList<>();

    /** Whether the process keeps permissions back that we give. */
    private final boolean hasMask;

    private int places;

    /** @param directory an empty one, in which {@link #FILES} is made */
    DirectoryTarget(Path directory) throws IOException {
        beside = Files.createDirectory(directory.resolve(BESIDE));
        Path files = Files.createDirectory(directory.resolve(FILES), PosixFilePermissions.asFileAttribute(ALL_EXECUTE));
        hasMask = !Files.getPosixFilePermissions(files).equals(ALL_EXECUTE);
        Files.setPosixFilePermissions(files, ALL_EXECUTE);
        made = OpenDirectory.of(beside);
        try (OpenDirectory root = OpenDirectory.of(directory)) {
            open.add(root.directory(FILES));
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    /** The number of files, directories and links so far. */
    int places() {
        return places;
    }

    @Override
    public void directory(List<String> path) throws IOException {
        OpenDirectory parent = parent(path);
        Path next = Files.createDirectory(beside.resolve(NEXT), PosixFilePermissions.asFileAttribute(ALL_EXECUTE));
        if (hasMask) {
            Files.setPosixFilePermissions(next, ALL_EXECUTE);
        }
        made.move(NEXT, parent, path.getLast());
    }

    @Override
    public OutputStream file(List<String> path, boolean isExecutable) throws IOException {
        OpenDirectory parent = parent(path);
        Set<PosixFilePermission> permissions = isExecutable ? ALL_EXECUTE : ALL_READ;
        OutputStream content = parent.file(path.getLast(), permissions);
        try {
            if (hasMask) {
                parent.permit(path.getLast(), permissions);
            }
            return content;
        } catch (IOException e) {
            content.close();
            throw e;
        }
    }

    @Override
    public void link(List<String> path, String target) throws IOException {
        OpenDirectory parent = parent(path);
        Files.createSymbolicLink(beside.resolve(NEXT), Path.of(target));
        made.move(NEXT, parent, path.getLast());
    }

    /** Opens the directory that {@code path} lies in. Those on the way that are open stay so. */
    private OpenDirectory parent(List<String> path) throws IOException {
        places++;
        List<String> wanted = path.subList(0, path.size() - 1);
        int same = 0;
        while (same < way.size() && same < wanted.size() && way.get(same).equals(wanted.get(same))) {
            same++;
        }
        leave(same);
        for (String name : wanted.subList(same, wanted.size())) {
            open.add(open.getLast().directory(name));
            way.add(name);
        }
        return open.getLast();
    }

    private void leave(int depth) throws IOException {
        while (way.size() > depth) {
            way.removeLast();
            open.removeLast().close();
        }
    }

    /** Removes what was made beside. */
    @Override
    public void close() throws IOException {
        leave(0);
        open.removeLast().close();
        made.close();
        Files.deleteIfExists(beside.resolve(NEXT));
        Files.delete(beside);
    }
}
