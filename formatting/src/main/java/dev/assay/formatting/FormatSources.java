package dev.assay.formatting;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.JavaFormatterOptions.Style;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** {@code FormatSources check|apply ROOT}: names every Java file below ROOT that is not formatted, or formats it. */
public final class FormatSources {

    private final Formatter formatter = Formatter.createFormatter(
            JavaFormatterOptions.builder().style(Style.PALANTIR).build());

    private FormatSources() {}

    /**
     * Exits with 1 when {@code check} finds a file that is not formatted.
     *
     * @param args the mode, {@code check} or {@code apply}, and the repository's root
     */
    public static void main(String[] args) throws IOException {
        boolean apply = args[0].equals("apply");
        List<Path> unformatted = new FormatSources().run(Path.of(args[1]).toRealPath(), apply);
        if (!apply && !unformatted.isEmpty()) {
            unformatted.forEach(file -> System.err.println("Not formatted: " + file));
            System.err.println("Run: ./mvnw -q -pl formatting process-classes -Dformat.mode=apply");
            System.exit(1);
        }
    }

    private List<Path> run(Path root, boolean apply) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> isSource(root.relativize(file))).toList().parallelStream()
                    .filter(file -> differs(file, apply))
                    .map(root::relativize)
                    .sorted()
                    .toList();
        }
    }

    private static boolean isSource(Path file) {
        return file.toString().endsWith(".java")
                && Stream.of("target", ".git", "node_modules").noneMatch(skipped -> contains(file, skipped));
    }

    private static boolean contains(Path file, String name) {
        for (Path part : file) {
            if (part.toString().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private boolean differs(Path file, boolean apply) {
        try {
            String source = Files.readString(file);
            String formatted = formatter.formatSourceAndFixImports(source);
            if (source.equals(formatted)) {
                return false;
            }
            if (apply) {
                Files.writeString(file, formatted);
            }
            return true;
        } catch (FormatterException e) {
            System.err.println(file + ": " + e.getMessage());
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
