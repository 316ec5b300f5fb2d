package dev.assay.standalone.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Commands that run in a session of their own.
 *
 * <p>A terminal sends Ctrl-C to every process of its foreground group. A server that took it would be gone before the
 * campaign could be paused.
 */
public final class DetachedCommand {

    private static final String PERL_SETSID = "use POSIX qw(setsid); setsid(); exec { $ARGV[0] } @ARGV or exit 127";

    private DetachedCommand() {}

    /**
     * {@code command} behind the program of this machine that opens a session. The process keeps its id: the prefix replaces itself
     * by the command. Without {@code setsid} and {@code perl} the command stays as it is.
     */
    public static List<String> of(List<String> command) {
        List<String> detached = new ArrayList<>();
        Optional<Path> setsid = onPath("setsid");
        Optional<Path> perl = onPath("perl");
        if (setsid.isPresent()) {
            detached.add(setsid.get().toString());
        } else if (perl.isPresent()) {
            detached.addAll(List.of(perl.get().toString(), "-e", PERL_SETSID, "--"));
        }
        detached.addAll(command);
        return detached;
    }

    /** The executable that {@code name} stands for on the PATH. */
    public static Optional<Path> onPath(String name) {
        String path = System.getenv("PATH");
        if (path == null) {
            return Optional.empty();
        }
        for (String directory : path.split(File.pathSeparator, -1)) {
            Path candidate = Path.of(directory.isEmpty() ? "." : directory, name);
            if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
