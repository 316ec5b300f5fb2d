package dev.assay.work.compute.pool;

import dev.assay.work.compute.process.ComputeProcess;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The command that starts a compute process: this JDK, with the part of this process's class path that computing needs. */
final class ComputeCommand {

    /** The archives of the libraries, one a line, written when the module is built. */
    private static final String LIBRARIES = "libraries.txt";

    /** Libraries are found by name: another module of the build may choose another version of one. */
    private static final Pattern ARCHIVE = Pattern.compile("(.+?)-\\d[^/]*\\.jar");

    /** The modules that a process has. */
    private static final List<String> OURS = List.of("documents", "statistics", "domain", "work");

    /** Beside the archives: the classes that a process needs, as they lie in memory. */
    static final String CACHE = "compute.aot";

    /** System property: the directory of {@link #CACHE} where it does not lie beside the archives, which then nobody may write to. */
    static final String CACHE_DIRECTORY = "assay.compute.cache";

    private ComputeCommand() {}

    /** The class path, sorted: the cache is only good for one order. */
    static List<Path> classPath() {
        Set<String> libraries = libraries();
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> isOurs(entry)
                        || libraries.contains(artifact(entry.getFileName().toString())))
                .map(Path::toAbsolutePath)
                .filter(Files::exists)
                .distinct()
                .sorted()
                .toList();
    }

    private static Set<String> libraries() {
        try (InputStream list = ComputeCommand.class.getResourceAsStream(LIBRARIES)) {
            if (list == null) {
                throw new IllegalStateException("This build has no list of the libraries that computing needs");
            }
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .flatMap(line -> Arrays.stream(line.split("[:;]")))
                    .map(path -> artifact(path.substring(path.lastIndexOf('/') + 1)))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new IllegalStateException("The list of libraries cannot be read", e);
        }
    }

    private static String artifact(String archive) {
        Matcher named = ARCHIVE.matcher(archive);
        return named.matches() ? named.group(1) : archive;
    }

    /** Whether {@code entry} has classes of {@link #OURS}: an archive, or a directory of a build. */
    private static boolean isOurs(Path entry) {
        String name = entry.getFileName().toString();
        return OURS.stream()
                .anyMatch(module -> (artifact(name).equals("assay-" + module) && !name.endsWith("-tests.jar"))
                        || entry.endsWith(Path.of(module, "target", "classes")));
    }

    static List<String> of(ComputeSettings settings, List<Path> classPath) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xms16m",
                "-Xmx" + settings.heapMb() + "m",
                "-Xss16m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:-UsePerfData",
                "-XX:+DisableAttachMechanism",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                // The JVM's own words would stand between frames.
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-XX:+DisplayVMOutputToStderr",
                "-Dslf4j.internal.verbosity=ERROR"));
        Path cache = cache(classPath);
        if (cache != null && settings.options().isEmpty()) {
            command.add("-XX:AOTCache=" + cache);
        }
        command.addAll(settings.options());
        command.addAll(List.of(
                "-cp",
                classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                ComputeProcess.class.getName()));
        return command;
    }

    private static @Nullable Path cache(List<Path> classPath) {
        String directory = System.getProperty(CACHE_DIRECTORY);
        Stream<Path> places = directory == null
                ? classPath.stream().map(entry -> entry.resolveSibling(CACHE))
                : Stream.of(Path.of(directory, CACHE));
        return places.filter(Files::isReadable).findFirst().orElse(null);
    }
}
