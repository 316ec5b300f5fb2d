package dev.assay.standalone.postgres;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.work.file.FileTree;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Unpacks the PostgreSQL that comes as an archive on the class path. */
final class PostgresBinaries {

    private PostgresBinaries() {}

    /**
     * The directory that holds {@code bin/postgres}, unpacked on first use.
     *
     * @param parent where versions are unpacked, side by side
     * @throws AssayException STORE_UNAVAILABLE when there is no archive for this machine or it cannot be unpacked
     */
    static Path in(Path parent) {
        try {
            String name = "postgres-" + checksum();
            Path directory = parent.resolve(name);
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(parent);
                Path unpacked = Files.createTempDirectory(parent, "unpacking-");
                Optional<Path> prepared = PreparedCluster.ofBuild()
                        .map(build -> build.binaries().resolve(name))
                        .filter(Files::isDirectory);
                if (prepared.isPresent()) {
                    Files.delete(unpacked);
                    FileTree.copy(prepared.get(), unpacked);
                } else {
                    unpack(archiveName(), unpacked);
                }
                publish(unpacked, directory);
            }
            return directory;
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "PostgreSQL could not be unpacked below " + parent + ": " + e.getMessage(),
                    e);
        }
    }

    private static String archiveName() {
        String system =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String machine = switch (System.getProperty("os.arch", "")) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            case String other -> other;
        };
        String library = system.equals("linux") && usesMusl() ? "-alpine_linux" : "";
        return "postgres-" + system + "-" + machine + library + ".txz";
    }

    private static boolean usesMusl() {
        try (Stream<Path> libraries = Files.list(Path.of("/lib"))) {
            return libraries.anyMatch(
                    library -> String.valueOf(library.getFileName()).startsWith("ld-musl-"));
        } catch (IOException e) {
            return false;
        }
    }

    private static InputStream open(String archive) {
        InputStream stream = PostgresBinaries.class.getResourceAsStream("/" + archive);
        if (stream == null) {
            throw missing(archive);
        }
        return stream;
    }

    private static AssayException missing(String archive) {
        return new AssayException(
                ErrorCode.STORE_UNAVAILABLE,
                "There is no embedded PostgreSQL for this machine (" + archive
                        + "); name a server with ASSAY_DATABASE_URL=postgresql://user:password@host/assay");
    }

    /** Tells one archive from the next without reading it, by the jar's directory. */
    static String checksum() throws IOException {
        String archive = archiveName();
        URL location = PostgresBinaries.class.getResource("/" + archive);
        if (location == null) {
            throw missing(archive);
        }
        URLConnection connection = location.openConnection();
        if (connection instanceof JarURLConnection jar) {
            jar.setUseCaches(false);
            try (JarFile file = jar.getJarFile()) {
                return Long.toHexString(file.getEntry(archive).getCrc());
            }
        }
        return Long.toHexString(connection.getContentLengthLong());
    }

    private static void unpack(String archive, Path directory) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(
                new XZCompressorInputStream(new BufferedInputStream(open(archive), 1 << 16)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path target = directory.resolve(entry.getName()).normalize();
                if (!target.startsWith(directory)) {
                    throw new IOException("Archive entry " + entry.getName() + " leaves its directory");
                }
                write(tar, entry, target);
            }
        }
    }

    private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path target) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.resolveSibling("."));
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else if (entry.isFile()) {
            Files.copy(tar, target, StandardCopyOption.REPLACE_EXISTING);
            if ((entry.getMode() & 0100) != 0) {
                Set<PosixFilePermission> permissions = EnumSet.copyOf(Files.getPosixFilePermissions(target));
                permissions.add(PosixFilePermission.OWNER_EXECUTE);
                Files.setPosixFilePermissions(target, permissions);
            }
        }
    }

    private static void publish(Path unpacked, Path directory) throws IOException {
        try {
            Files.move(unpacked, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // Another process was faster, and both unpacked the same bytes.
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }
}
