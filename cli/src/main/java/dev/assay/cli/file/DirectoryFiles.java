package dev.assay.cli.file;

import dev.assay.domain.document.InnerPath;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.text.Excerpt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** The files for what is imported from one directory: those of the repository around it; without one, those of the directory. */
final class DirectoryFiles implements SourceFiles {

    /** Characters of all files that one import may read. */
    private static final long MAX_CHARACTERS = 256L << 20;

    private static final int MAX_ENTRIES = 100_000;
    private static final int MAX_MATCHES = 10_000;
    private static final int MAX_LEVELS = 20;
    private static final Pattern GLOB = Pattern.compile("[*?{\\[]");

    private final Path directory;
    private final Path root;
    private final Map<String, String> texts = new HashMap<>();
    private long read;

    /** @param directory absolute */
    DirectoryFiles(Path directory) {
        this.directory = directory;
        this.root = repository(directory);
    }

    /** The working tree of Git around {@code directory}. A tree that is the user's home is none: it holds everything of the user. */
    private static Path repository(Path directory) {
        Path home = Path.of(System.getProperty("user.home")).toAbsolutePath().normalize();
        for (Path around = directory; around != null && !home.startsWith(around); around = around.getParent()) {
            if (Files.exists(around.resolve(".git"))) {
                return around;
            }
        }
        return directory;
    }

    @Override
    public String text(String path) {
        String known = texts.get(path);
        if (known != null) {
            return known;
        }
        Path file = inside(path);
        try {
            if (Files.exists(file) && !file.toRealPath().startsWith(root.toRealPath())) {
                throw leaves(path);
            }
            String text = InputFile.text(file);
            read += text.length();
            if (read > MAX_CHARACTERS) {
                throw new AssayException(
                        ErrorCode.INVALID_INPUT, "The files together are larger than 256 MB; split them.");
            }
            texts.put(path, text);
            return text;
        } catch (InputFile.Unreadable e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, e.sentence(), e);
        } catch (IOException e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "The file " + path + " cannot be read: " + e, e);
        }
    }

    @Override
    public List<String> matching(String path) {
        Path there = inside(path);
        if (!GLOB.matcher(path).find() || Files.exists(there)) {
            return List.of(path);
        }
        int plain = plainLength(path);
        PathMatcher matcher = matcher(path, InnerPath.normal(path.substring(plain)));
        Path base = inside("./" + path.substring(0, plain));
        try (Stream<Path> entries = Files.isDirectory(base) ? Files.walk(base, MAX_LEVELS) : Stream.empty()) {
            List<String> found = entries.limit(MAX_ENTRIES)
                    .filter(Files::isRegularFile)
                    .filter(file -> matcher.matches(base.relativize(file)))
                    .map(file -> directory.relativize(file).toString())
                    .limit(MAX_MATCHES + 1L)
                    .sorted()
                    .toList();
            if (found.isEmpty() || found.size() > MAX_MATCHES) {
                String number = found.isEmpty() ? "no file" : "more than " + MAX_MATCHES + " files";
                throw new AssayException(ErrorCode.INVALID_INPUT, "The path " + path + " stands for " + number + ".");
            }
            return found;
        } catch (IOException | UncheckedIOException e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "The files of " + path + " cannot be listed: " + e, e);
        }
    }

    private static PathMatcher matcher(String path, String pattern) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        } catch (PatternSyntaxException e) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, "The path " + path + " is no pattern of files: " + e.getDescription(), e);
        }
    }

    /** The length of the directories of a path before the first name that is a pattern. */
    private static int plainLength(String path) {
        Matcher special = GLOB.matcher(path);
        int end = special.find() ? special.start() : path.length();
        return path.lastIndexOf('/', end) + 1;
    }

    /** The file that {@code path} names from the directory. */
    private Path inside(String path) {
        String around = root.relativize(directory).toString();
        String whole = around.isEmpty() ? path : around + "/" + path;
        if (path.startsWith("/") || InnerPath.problem(whole) != null) {
            throw leaves(path);
        }
        return root.resolve(InnerPath.normal(whole));
    }

    private AssayException leaves(String path) {
        return new AssayException(
                ErrorCode.INVALID_INPUT,
                "The path " + Excerpt.of(path, 200) + " leaves the directory " + root
                        + ", below which files are read. Copy the file there.");
    }
}
