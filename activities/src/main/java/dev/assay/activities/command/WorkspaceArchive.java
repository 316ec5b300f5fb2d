package dev.assay.activities.command;

import dev.assay.domain.text.PrintableText;
import dev.assay.work.archive.ArchiveLimits;
import dev.assay.work.archive.PackingRules;
import dev.assay.work.archive.RefusedArchiveException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.jspecify.annotations.Nullable;

/** A directory as one tar stream. The same files always give the same bytes: names are in order, and times and owners are left out. */
public final class WorkspaceArchive {

    private static final int EXECUTABLE = 0755;
    private static final int PLAIN = 0644;
    private static final FileTime NO_TIME = FileTime.fromMillis(0);

    /** Names of files that hold keys or logins. */
    private static final Set<String> SECRET_NAMES = Set.of(
            ".env",
            ".netrc",
            ".npmrc",
            ".pypirc",
            ".git-credentials",
            "id_rsa",
            "id_dsa",
            "id_ecdsa",
            "id_ed25519",
            "credentials",
            "credentials.json",
            "auth.json",
            ".credentials.json");

    private static final Set<String> NO_CODE = Set.of(".git", "node_modules", ".venv", "venv", "__pycache__");

    private static final List<String> SECRET_ENDINGS = List.of(".pem", ".key", ".p12", ".pfx", ".jks", ".keystore");

    private WorkspaceArchive() {}

    /**
     * Writes {@code directory} without {@code .git} and files that look like secrets, unless they are named, and without links that
     * leave it.
     *
     * @param named paths below {@code directory} that are written in any case, with all that is below them
     * @return what users should know, as sentences
     * @throws IOException when it cannot be read, has more than {@link ArchiveLimits#WRITTEN} bytes, or a name that no archive may
     *     have
     */
    public static List<String> write(Path directory, Collection<String> named, OutputStream target) throws IOException {
        return write(directory, Choice.of(named, "workspaceInclude", Set.of(".git")), target);
    }

    /** The same for a directory of own code: installed packages and what compilers leave stay out, too. */
    public static List<String> writeCode(Path directory, Collection<String> named, OutputStream target)
            throws IOException {
        return write(directory, Choice.of(named, "codeInclude", NO_CODE), target);
    }

    /**
     * What of a directory is packed.
     *
     * @param named paths that are packed in any case
     * @param field in which users name them
     * @param leftOut names that are not packed, with all that is below them
     */
    private record Choice(List<Path> named, String field, Set<String> leftOut) {

        static Choice of(Collection<String> named, String field, Set<String> leftOut) {
            return new Choice(
                    named.stream().map(name -> Path.of(name).normalize()).toList(), field, leftOut);
        }
    }

    private static List<String> write(Path directory, Choice choice, OutputStream target) throws IOException {
        List<String> warnings = new ArrayList<>();
        Path root = directory.toRealPath();
        List<Item> items = items(root, choice, warnings);
        Set<String> refused = new HashSet<>();
        for (PackingRules.RefusedLink link : rules(items).refusedLinks()) {
            refused.add(link.path());
            warnings.add(link.sentence());
        }
        long total = 0;
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(target, StandardCharsets.UTF_8.name())) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            tar.setAddPaxHeadersForNonAsciiNames(true);
            for (Item item : items) {
                total += item instanceof Item.Plain ? Files.size(item.path()) : 0;
                if (total > ArchiveLimits.WRITTEN) {
                    throw new IOException("it has more than " + (ArchiveLimits.WRITTEN >> 20) + " MB");
                }
                if (!refused.contains(item.name())) {
                    write(item, tar);
                }
            }
        }
        return warnings;
    }

    /** A file, directory or link that is packed. */
    private sealed interface Item {

        Path path();

        /** The way to it from the top. */
        String name();

        record Directory(Path path, String name) implements Item {}

        record Plain(Path path, String name) implements Item {}

        record Link(Path path, String name, String target) implements Item {}
    }

    private static List<Item> items(Path root, Choice choice, List<String> warnings) throws IOException {
        List<Item> items = new ArrayList<>();
        try (Stream<Path> found = Files.walk(root)) {
            List<Path> paths = found.filter(path -> !path.equals(root))
                    .filter(path -> !isLeftOut(root.relativize(path), path, choice, warnings))
                    .sorted()
                    .toList();
            for (Path path : paths) {
                String name = text(root.relativize(path));
                if (name == null) {
                    throw new IOException("the name " + root.relativize(path) + " is not UTF-8; rename it");
                }
                item(path, name, warnings).ifPresent(items::add);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return items;
    }

    private static Optional<Item> item(Path path, String name, List<String> warnings) throws IOException {
        if (Files.isSymbolicLink(path)) {
            String target = text(Files.readSymbolicLink(path));
            if (target == null) {
                warnings.add("The workspace's link " + name + " has a target that is not UTF-8, and is left out.");
            }
            return Optional.ofNullable(target).map(leadsTo -> new Item.Link(path, name, leadsTo));
        }
        if (Files.isDirectory(path)) {
            return Optional.of(new Item.Directory(path, name));
        }
        if (!Files.isRegularFile(path)) {
            warnings.add("The workspace's " + name + " is no file, directory or link and is left out.");
            return Optional.empty();
        }
        return Optional.of(new Item.Plain(path, name));
    }

    /** The text of a path; null where it is not UTF-8, and the JDK shows another one. */
    private static @Nullable String text(Path path) {
        String text = path.toString();
        try {
            return Path.of(text).equals(path) ? text : null;
        } catch (InvalidPathException _) {
            return null;
        }
    }

    private static PackingRules rules(List<Item> items) throws IOException {
        PackingRules rules = new PackingRules();
        for (Item item : items) {
            try {
                switch (item) {
                    case Item.Directory directory -> rules.directory(directory.name());
                    case Item.Plain file -> rules.file(file.name());
                    case Item.Link link -> rules.link(link.name(), link.target());
                }
            } catch (RefusedArchiveException e) {
                throw new IOException(
                        "`" + PrintableText.of(item.name()) + "` " + e.reason() + "; rename or move it", e);
            }
        }
        return rules;
    }

    private static boolean isLeftOut(Path relative, Path path, Choice choice, List<String> warnings) {
        if (choice.named().stream().anyMatch(relative::startsWith)) {
            return false;
        }
        for (Path name : relative) {
            if (choice.leftOut().contains(name.toString())) {
                return true;
            }
        }
        String name = relative.getFileName().toString().toLowerCase(Locale.ROOT);
        boolean secret = SECRET_NAMES.contains(name)
                || name.startsWith(".env.")
                || SECRET_ENDINGS.stream().anyMatch(name::endsWith);
        if (secret && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            warnings.add("The workspace's file " + relative + " looks like a secret and is left out; `" + choice.field()
                    + "` takes it in.");
            return true;
        }
        return false;
    }

    private static void write(Item item, TarArchiveOutputStream tar) throws IOException {
        TarArchiveEntry entry = switch (item) {
            case Item.Link link -> {
                TarArchiveEntry made = new TarArchiveEntry(link.name(), TarConstants.LF_SYMLINK);
                made.setLinkName(link.target());
                yield made;
            }
            case Item.Directory directory -> {
                TarArchiveEntry made = new TarArchiveEntry(directory.name() + "/");
                made.setMode(EXECUTABLE);
                yield made;
            }
            case Item.Plain file -> {
                TarArchiveEntry made = new TarArchiveEntry(file.name());
                made.setSize(Files.size(file.path()));
                made.setMode(Files.isExecutable(file.path()) ? EXECUTABLE : PLAIN);
                yield made;
            }
        };
        entry.setLastModifiedTime(NO_TIME);
        entry.setIds(0, 0);
        tar.putArchiveEntry(entry);
        if (item instanceof Item.Plain) {
            Files.copy(item.path(), tar);
        }
        tar.closeArchiveEntry();
    }
}
