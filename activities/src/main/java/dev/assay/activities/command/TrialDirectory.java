package dev.assay.activities.command;

import dev.assay.activities.container.Launch;
import dev.assay.work.archive.RefusedArchiveException;
import dev.assay.work.file.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory of one attempt: its copy of the workspace, its home and its temporary files. All of it goes at the end. */
final class TrialDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TrialDirectory.class);

    /** Variables of the worker's environment that every program sees. */
    private static final Set<String> PASSED_ON = Set.of("PATH", "USER", "LANG", "LC_ALL", "TZ");

    private static final Set<PosixFilePermission> WRITING =
            Set.of(PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private static final int DELETE_TRIES = 20;
    private static final long DELETE_PAUSE_MS = 100;

    private final Path root;
    private final String id;
    private final Map<String, String> environment = new TreeMap<>();
    private Path work;

    /**
     * Makes an empty directory at {@code root}.
     *
     * @param id names the attempt, on this machine and beyond
     */
    TrialDirectory(Path root, String id) throws IOException {
        this.id = id;
        this.root = Files.createDirectories(root);
        this.work = root.resolve("work");
        Files.createDirectory(home());
        Files.createDirectory(root.resolve("tmp"));
    }

    /** The files that an attempt begins with. */
    interface Source {

        /** Copies them to {@code target}, which does not exist. */
        void copyTo(Path target) throws IOException, RefusedArchiveException, InterruptedException;
    }

    private Path home() {
        return root.resolve("home");
    }

    /**
     * Fills it.
     *
     * @param workspace copied for the attempt; null: an empty directory
     * @param subdirectory where the program works in it; null: at its top
     * @throws IOException when the subdirectory is not there, leads out of it, or the files cannot be written
     * @throws RefusedArchiveException when the workspace's archive is not accepted
     */
    void fill(@Nullable Source workspace, @Nullable String subdirectory, String prompt)
            throws IOException, RefusedArchiveException, InterruptedException {
        if (workspace == null) {
            Files.createDirectory(work);
        } else {
            workspace.copyTo(work);
        }
        Files.writeString(prompt(), prompt, StandardCharsets.UTF_8);
        if (subdirectory != null) {
            Path below = work.resolve(subdirectory).normalize();
            if (!isBelow(below) || !Files.isDirectory(below)) {
                throw new IOException("workspaceSubdir " + subdirectory + " is no directory of the workspace");
            }
            work = below;
        }
    }

    /** Sets the program's environment: variables that every program sees, allowed ones, and its own directories. */
    void let(Map<String, String> all, Collection<String> names) {
        all.forEach((name, value) -> {
            if (PASSED_ON.contains(name) || names.contains(name)) {
                environment.put(name, value);
            }
        });
        environment.put("HOME", home().toString());
        environment.put("TMPDIR", root.resolve("tmp").toString());
    }

    /** Sets further variables, over those of the worker. */
    void put(Map<String, String> variables) {
        environment.putAll(variables);
    }

    /** Takes the right to write from everything in its working directory. */
    void lockWork() throws IOException {
        try (Stream<Path> all = Files.walk(work)) {
            for (Path path : all.filter(path -> !Files.isSymbolicLink(path)).toList()) {
                Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
                permissions.removeAll(WRITING);
                Files.setPosixFilePermissions(path, permissions);
            }
        }
    }

    /** Copies files of the worker's home. */
    void copyToHome(Path realHome, Collection<String> files) throws IOException {
        for (String file : files) {
            Path target = home().resolve(file).normalize();
            if (!target.startsWith(home())) {
                throw new IOException("homeFiles: " + file + " leaves the home");
            }
            Files.createDirectories(target.getParent());
            if (!Files.isRegularFile(realHome.resolve(file))) {
                throw new IOException("homeFiles: there is no " + file + " in the worker's home");
            }
            // A link is followed: what it names is the login.
            Files.copy(realHome.resolve(file), target);
        }
    }

    /** Those of {@code paths} that exist below the working directory; a path that leaves it does not. */
    Set<String> existing(Collection<String> paths) {
        return paths.stream()
                .filter(path -> isBelow(work.resolve(path).normalize()))
                .collect(Collectors.toSet());
    }

    private boolean isBelow(Path path) {
        try {
            return path.startsWith(work) && path.toRealPath().startsWith(work.toRealPath());
        } catch (IOException _) {
            return false;
        }
    }

    /** The name of the attempt. */
    String id() {
        return id;
    }

    /** Where everything lies that is the attempt's. */
    Path root() {
        return root;
    }

    Path work() {
        return work;
    }

    Path prompt() {
        return root.resolve("prompt");
    }

    /** The pipe by which the group of a {@link LiveProgram} is ended. */
    Path control() {
        return root.resolve("control");
    }

    /** The file that is made when the program cannot start. */
    Path unstarted() {
        return root.resolve("unstarted");
    }

    Map<String, String> environment() {
        return environment;
    }

    /** The program that {@code line} starts here. */
    Launch.Program program(List<String> line) {
        return new Launch.Program(line, environment, root.resolve("work"), work, home());
    }

    /** Deletes it. A process of the group that is being killed may write meanwhile, so this is tried for a while. */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        for (int left = DELETE_TRIES; left > 0; left--) {
            try {
                FileTree.delete(root);
                break;
            } catch (IOException | UncheckedIOException e) {
                LOG.debug("The directory {} of an attempt could not be deleted yet", root, e);
                try {
                    Thread.sleep(DELETE_PAUSE_MS);
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (Files.exists(root)) {
            LOG.warn("The directory {} of an attempt could not be deleted; the next start of a worker does it", root);
        }
    }
}
