package dev.assay.activities.selection;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles {@code examples/custom-strategy} as its users do, into a JAR file among plugins. */
public final class ExamplePlugin {

    private static final Path SOURCES = Path.of("..", "examples", "custom-strategy", "src");

    private ExamplePlugin() {}

    /** Writes {@code plugins/NAME.jar}. */
    public static void build(Path plugins, String name) throws IOException {
        Path classes = Files.createTempDirectory("custom-strategy-");
        List<String> sources;
        try (Stream<Path> files = Files.walk(SOURCES)) {
            sources = files.map(Path::toString)
                    .filter(file -> file.endsWith(".java"))
                    .toList();
        }
        Stream<String> options =
                Stream.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString());
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, Stream.concat(options, sources.stream()).toArray(String[]::new));
        if (result != 0) {
            throw new AssertionError("The example does not compile");
        }
        Files.createDirectories(plugins);
        try (OutputStream file = Files.newOutputStream(plugins.resolve(name + ".jar"));
                JarOutputStream jar = new JarOutputStream(file)) {
            addAll(jar, classes, ".class");
            addAll(jar, SOURCES, "SelectionStrategy");
        }
    }

    /** Writes a JAR file that names a strategy of the class path. */
    public static void name(Path plugins, Class<?> strategy) throws IOException {
        try (OutputStream file = Files.newOutputStream(plugins.resolve(strategy.getSimpleName() + ".jar"));
                JarOutputStream jar = new JarOutputStream(file)) {
            jar.putNextEntry(new JarEntry("META-INF/services/dev.assay.domain.evaluation.SelectionStrategy"));
            jar.write(strategy.getName().getBytes(StandardCharsets.UTF_8));
            jar.closeEntry();
        }
    }

    private static void addAll(JarOutputStream jar, Path root, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(file -> Files.isRegularFile(file) && file.toString().endsWith(ending))
                    .forEach(file -> {
                        try {
                            jar.putNextEntry(new JarEntry(root.relativize(file).toString()));
                            Files.copy(file, jar);
                            jar.closeEntry();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
    }
}
