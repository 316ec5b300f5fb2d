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
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** The files of one directory, for what is imported from it. */
final class DirectoryFiles implements SourceFiles {

    /** Characters of all files that one import may read. */
    private static final long MAX_CHARACTERS = 256L << 20;

    private static final int MAX_ENTRIES = 100_000;
    private static final int MAX_MATCHES = 10_000;
    private static final int MAX_LEVELS = 20;
    private static final Pattern GLOB = Pattern.compile("[*?{\\[]");

    private final Path directory;
    private final Map<String, String> texts = new HashMap<>();
    private long read;

    DirectoryFiles(Path directory) {
        this.directory = directory;
    }

    @Override
    public String text(String path) {
        String known = texts.get(path);
        if (known != null) {
            return known;
        }
        Path file = inside(path);
        try {
            if (Files.exists(file) && !file.toRealPath().startsWith(directory.toRealPath())) {
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
        PathMatcher matcher;
        try {
            matcher = FileSystems.getDefault().getPathMatcher("glob:" + InnerPath.normal(path));
        } catch (PatternSyntaxException e) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, "The path " + path + " is no pattern of files: " + e.getDescription(), e);
        }
        try (Stream<Path> entries = Files.walk(directory, MAX_LEVELS)) {
            List<String> found = entries.limit(MAX_ENTRIES)
                    .filter(Files::isRegularFile)
                    .map(directory::relativize)
                    .filter(matcher::matches)
                    .map(Path::toString)
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

    private Path inside(String path) {
        if (InnerPath.problem(path) != null) {
            throw leaves(path);
        }
        return directory.resolve(InnerPath.normal(path));
    }

    private static AssayException leaves(String path) {
        return new AssayException(
                ErrorCode.INVALID_INPUT,
                "The path " + Excerpt.of(path, 200)
                        + " leaves the directory of the file that names it. Copy the file there.");
    }
}
