package dev.assay.activities.isolation;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The paths that a confined program may read and execute: the system's, those of {@code PATH}, and its own. */
final class ReadablePaths {

    private static final List<String> SYSTEM = List.of(
            "/usr",
            "/bin",
            "/sbin",
            "/lib",
            "/lib32",
            "/lib64",
            "/opt",
            "/nix",
            "/etc",
            "/etc/resolv.conf",
            "/etc/hosts",
            "/etc/localtime",
            "/sys/devices/system",
            "/sys/fs/cgroup",
            "/proc");

    /** What the JDK starts first, wherever it lies. */
    private static final Path HELPER = Path.of(System.getProperty("java.home"), "lib", "jspawnhelper");

    private static final Path HOME = real(Path.of(System.getProperty("user.home")));

    private final List<Path> common;
    private final @Nullable Path data;
    private final String searchPath;

    /**
     * @param data the directory that stays closed; null: there is none
     * @throws IOException when a path opens it
     */
    ReadablePaths(Map<String, String> environment, @Nullable Path data) throws IOException {
        this.data = data == null ? null : real(data);
        this.searchPath = environment.getOrDefault("PATH", "/usr/bin:/bin");
        List<Path> paths = new ArrayList<>(List.of(HELPER));
        SYSTEM.stream().map(Path::of).forEach(paths::add);
        searched().filter(Path::isAbsolute).forEach(paths::add);
        this.common = existing(paths);
    }

    private Stream<Path> searched() {
        return Stream.of(searchPath.split(Pattern.quote(File.pathSeparator), -1))
                .filter(directory -> !directory.isEmpty())
                .map(Path::of);
    }

    /**
     * The paths for {@code program}.
     *
     * @throws IOException when one opens the data directory, or one of the operator's is not there
     */
    List<Path> of(String program, List<String> more) throws IOException {
        // One may have gone since this worker began.
        List<Path> paths = new ArrayList<>(common.stream().filter(Files::exists).toList());
        Path file = find(program);
        if (file != null) {
            paths.addAll(existing(around(file)));
        }
        for (String path : more) {
            if (!Files.exists(Path.of(path))) {
                throw new IOException("`readable` in tools.yaml names " + path + ", which is not there");
            }
        }
        paths.addAll(existing(more.stream().map(Path::of).toList()));
        return paths;
    }

    /** The real path of a program; null: it lies in the workspace, or is not there. */
    private @Nullable Path find(String program) {
        Stream<Path> places = program.startsWith("/")
                ? Stream.of(Path.of(program))
                : program.contains("/") ? Stream.of() : searched().map(directory -> directory.resolve(program));
        return places.filter(path -> Files.isExecutable(path) && !Files.isDirectory(path))
                .findFirst()
                .map(ReadablePaths::real)
                .orElse(null);
    }

    /** A program's directory, and the packages and virtual environment that it is part of. */
    private static List<Path> around(Path file) {
        List<Path> paths = new ArrayList<>();
        Path directory = file.getParent();
        if (directory != null) {
            paths.add(isHomeOrAbove(directory) ? file : directory);
        }
        boolean modules = false;
        boolean environment = false;
        boolean manifest = false;
        for (Path above = directory; above != null && !isHomeOrAbove(above); above = above.getParent()) {
            if (!modules && above.endsWith("node_modules")) {
                modules = paths.add(above);
            }
            if (!environment && Files.exists(above.resolve("pyvenv.cfg"))) {
                environment = paths.add(above);
            }
            if (!manifest && Files.exists(above.resolve("package.json"))) {
                manifest = paths.add(above);
            }
        }
        return paths;
    }

    /** The worker's home has logins in it, and never opens as a whole by where a program lies. */
    private static boolean isHomeOrAbove(Path directory) {
        return HOME.startsWith(directory);
    }

    private List<Path> existing(List<Path> paths) throws IOException {
        Set<Path> found = new LinkedHashSet<>();
        for (Path path : paths) {
            if (Files.exists(path)) {
                refuseDataIn(path);
                found.add(path);
            }
        }
        return List.copyOf(found);
    }

    private void refuseDataIn(Path path) throws IOException {
        if (data != null && data.startsWith(real(path))) {
            throw new IOException("Programs may read " + path + ", and the data directory " + data
                    + " lies in it; move one of them, or name another data directory with --data or ASSAY_DATA");
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException _) {
            return path.toAbsolutePath().normalize();
        }
    }
}
