package dev.assay.activities.command;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** A directory as one tar stream. The same files always give the same bytes: names are in order, and times and owners are left out. */
public final class WorkspaceArchive {

    /** The most bytes that the files of a workspace may have. */
    public static final long MAX_BYTES = 200L * 1024 * 1024;

    private static final int EXECUTABLE = 0755;
    private static final int PLAIN = 0644;
    private static final FileTime NO_TIME = FileTime.fromMillis(0);

    /** Names of files that hold keys or logins. */
    private static final Set<String> SECRET_NAMES = Set.of(
            ".env",
            ".netrc",
            ".npmrc",
            ".pypirc",
            ".git-credentials",
            "id_rsa",
            "id_dsa",
            "id_ecdsa",
            "id_ed25519",
            "credentials",
            "credentials.json",
            "auth.json",
            ".credentials.json");

    private static final List<String> SECRET_ENDINGS = List.of(".pem", ".key", ".p12", ".pfx", ".jks", ".keystore");

    private WorkspaceArchive() {}

    /**
     * Writes {@code directory} without {@code .git} and files that look like secrets, unless they are named.
     *
     * @param named paths below {@code directory} that are written in any case, with all that is below them
     * @return what users should know, as sentences
     * @throws IOException when it cannot be read or has more than {@link #MAX_BYTES}
     */
    public static List<String> write(Path directory, Collection<String> named, OutputStream target) throws IOException {
        List<String> warnings = new ArrayList<>();
        Path root = directory.toRealPath();
        List<Path> kept = named.stream().map(name -> Path.of(name).normalize()).toList();
        long total = 0;
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(target, StandardCharsets.UTF_8.name());
                Stream<Path> found = Files.walk(root)) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            tar.setAddPaxHeadersForNonAsciiNames(true);
            List<Path> paths = found.filter(path -> !path.equals(root))
                    .filter(path -> !isLeftOut(root.relativize(path), path, kept, warnings))
                    .sorted()
                    .toList();
            for (Path path : paths) {
                total += Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) ? Files.size(path) : 0;
                if (total > MAX_BYTES) {
                    throw new IOException("it has more than " + (MAX_BYTES >> 20) + " MB");
                }
                write(root, path, tar, warnings);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return warnings;
    }

    private static boolean isLeftOut(Path relative, Path path, List<Path> kept, List<String> warnings) {
        if (kept.stream().anyMatch(relative::startsWith)) {
            return false;
        }
        for (Path name : relative) {
            if (name.toString().equals(".git")) {
                return true;
            }
        }
        String name = relative.getFileName().toString().toLowerCase(Locale.ROOT);
        boolean secret = SECRET_NAMES.contains(name)
                || name.startsWith(".env.")
                || SECRET_ENDINGS.stream().anyMatch(name::endsWith);
        if (secret && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            warnings.add("The workspace's file " + relative
                    + " looks like a secret and is left out; `workspaceInclude` takes it in.");
            return true;
        }
        return false;
    }

    private static void write(Path root, Path path, TarArchiveOutputStream tar, List<String> warnings)
            throws IOException {
        String name = root.relativize(path).toString();
        TarArchiveEntry entry;
        if (Files.isSymbolicLink(path)) {
            Path named = Files.readSymbolicLink(path);
            if (!path.resolveSibling(named).normalize().startsWith(root)) {
                warnings.add("The workspace's link " + name + " leads out of it; it stays a link.");
            }
            entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
            entry.setLinkName(named.toString());
        } else if (Files.isDirectory(path)) {
            entry = new TarArchiveEntry(name + "/");
            entry.setMode(EXECUTABLE);
        } else if (Files.isRegularFile(path)) {
            entry = new TarArchiveEntry(name);
            entry.setSize(Files.size(path));
            entry.setMode(Files.isExecutable(path) ? EXECUTABLE : PLAIN);
        } else {
            warnings.add("The workspace's " + name + " is no file, directory or link and is left out.");
            return;
        }
        entry.setLastModifiedTime(NO_TIME);
        entry.setIds(0, 0);
        tar.putArchiveEntry(entry);
        // The library takes a link for a file, too.
        if (!entry.isSymbolicLink() && !entry.isDirectory()) {
            Files.copy(path, tar);
        }
        tar.closeArchiveEntry();
    }

    /**
     * Writes what {@link #write} wrote below {@code target}, which must not exist.
     *
     * @throws IOException when it cannot be written, has an entry outside of the directory, or more than {@link #MAX_BYTES}
     */
    public static void read(InputStream source, Path target) throws IOException {
        Files.createDirectories(target);
        List<Path> links = new ArrayList<>();
        List<String> named = new ArrayList<>();
        long total = 0;
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new BufferedInputStream(source), StandardCharsets.UTF_8.name())) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = target.resolve(entry.getName()).normalize();
                total += entry.getSize();
                if (!path.startsWith(target) || total > MAX_BYTES) {
                    throw new IOException("The archive of the workspace is no archive of Assay: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else if (entry.isSymbolicLink()) {
                    // After everything else, so that nothing is written through a link.
                    links.add(path);
                    named.add(entry.getLinkName());
                } else {
                    Files.createDirectories(path.getParent());
                    Files.copy(new Rest(tar), path);
                    path.toFile().setExecutable((entry.getMode() & 0100) != 0);
                }
            }
        }
        for (int i = 0; i < links.size(); i++) {
            Files.createDirectories(links.get(i).getParent());
            Files.createSymbolicLink(links.get(i), Path.of(named.get(i)));
        }
    }

    /** The rest of an entry, whose end does not end the archive. */
    private static final class Rest extends FilterInputStream {

        Rest(InputStream entry) {
            super(entry);
        }

        @Override
        public void close() {
            // The archive goes on.
        }
    }
}
