package dev.assay.cli.report.run;

import dev.assay.domain.rendering.RunLayout;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * FastSkill's files of a run ({@link RunLayout}) in a directory. It reports files that cannot be written, and writes the rest: the
 * results are in the store.
 */
final class RunArtifacts {

    static final String CODE = "EVAL_TRIAL_ARTIFACTS_CORRUPT";

    /** Directories whose files could not be written and that are named one by one. */
    private static final int SHOWN = 10;

    private final Path directory;
    private final PrintWriter err;
    private final Set<String> failed = new HashSet<>();

    RunArtifacts(Path directory, PrintWriter err) {
        this.directory = directory;
        this.err = err;
    }

    /**
     * Writes the files of an archive but {@code summary.json}.
     *
     * @return {@code summary.json}; null: the archive has none
     * @throws IOException when the archive cannot be read
     */
    byte @Nullable [] unpack(InputStream archive) throws IOException {
        byte[] summary = null;
        ZipInputStream zip = new ZipInputStream(archive);
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            if (entry.getName().equals(RunLayout.SUMMARY)) {
                summary = zip.readAllBytes();
            } else {
                unpack(entry.getName(), zip);
            }
        }
        return summary;
    }

    /** A server may name any path: only those of a run are written. The stream of the archive fails by itself. */
    private void unpack(String path, ZipInputStream content) throws IOException {
        String problem = RunLayout.problem(path);
        if (problem != null) {
            report(path, problem);
            return;
        }
        OutputStream file;
        try {
            Path target = directory.resolve(path);
            Files.createDirectories(target.getParent());
            file = Files.newOutputStream(target);
        } catch (IOException e) {
            report(path, e.toString());
            return;
        }
        copy(path, content, file);
    }

    private void copy(String path, ZipInputStream content, OutputStream file) throws IOException {
        byte[] piece = new byte[1 << 16];
        try (file) {
            for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
                write(path, file, piece, read);
            }
        }
    }

    private void write(String path, OutputStream file, byte[] piece, int length) {
        try {
            file.write(piece, 0, length);
        } catch (IOException e) {
            report(path, e.toString());
        }
    }

    /** Writes a file of the run itself. */
    void write(String name, byte[] content) {
        try {
            Files.write(directory.resolve(name), content);
        } catch (IOException e) {
            report(name, e.toString());
        }
    }

    /** A directory is reported once. */
    private void report(String path, String reason) {
        String of = path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : path;
        if (failed.add(of) && failed.size() <= SHOWN) {
            err.println(CODE + ": The files of " + of + " could not be written in " + directory + ": " + reason);
            err.flush();
        }
    }

    /** Says how many files are missing that were not named, and where the results are. */
    void finish() {
        if (failed.size() > SHOWN) {
            err.println(CODE + ": " + (failed.size() - SHOWN) + " more could not be written.");
        }
        if (!failed.isEmpty()) {
            err.println("The results themselves are stored; show them with: assay show");
            err.flush();
        }
    }
}
