package dev.assay.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.command.WorkspaceArchive;
import dev.assay.domain.campaignfile.command.CommandKind;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.tool.CommandPaths;
import dev.assay.work.archive.ArchiveReader;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The directories that a campaign's programs work on copies of, and that of its own code, packed to be uploaded. */
public final class PackedWorkspaces implements AutoCloseable {

    /** The field of the directory of own code. */
    static final String CODE = "code";

    private final Map<Source, String> names = new HashMap<>();
    private final Map<String, Path> archives = new LinkedHashMap<>();
    private final Set<String> warnings = new LinkedHashSet<>();

    private PackedWorkspaces() {}

    /** Whether {@code workspace} is one that is stored already, not a path. */
    static boolean isStored(String workspace) {
        return workspace.startsWith(CommandKind.WORKSPACE_PREFIX);
    }

    /**
     * Packs the workspaces and the code of {@code document}, in which the name of each then stands for its path.
     *
     * @throws AssayException INVALID_INPUT when one cannot be read or is too large
     */
    public static PackedWorkspaces of(ObjectNode document) {
        PackedWorkspaces packed = new PackedWorkspaces();
        JsonNode branches = document.path("branches");
        try {
            for (int i = 0; i < branches.size(); i++) {
                packed.pack(branches.get(i), "workspace", "branches[" + i + "].workspace");
            }
            packed.pack(document, CODE, CODE);
            return packed;
        } catch (RuntimeException e) {
            packed.close();
            throw e;
        }
    }

    /** Packs the directory that {@code field} of {@code owner} names, and puts its name there. */
    private void pack(JsonNode owner, String field, String path) {
        JsonNode directory = owner.path(field);
        if (owner instanceof ObjectNode object && directory.isTextual() && !isStored(directory.textValue())) {
            boolean isCode = field.equals(CODE);
            Source source =
                    new Source(directory.textValue(), named(object, field + "Include", path + "Include"), isCode);
            object.remove(field + "Include");
            String name = names.computeIfAbsent(source, one -> pack(one, path));
            object.put(field, CommandKind.WORKSPACE_PREFIX + name);
        }
    }

    private static List<String> named(ObjectNode owner, String name, String field) {
        Problems problems = new Problems();
        List<String> named = new ArrayList<>();
        JsonNode paths = owner.path(name);
        if (!paths.isArray() && !paths.isMissingNode()) {
            problems.add(field, "`" + name + "` must be a list of paths.");
        }
        for (int i = 0; i < paths.size(); i++) {
            String path = CommandPaths.item(paths.get(i), field + "[" + i + "]", problems);
            if (path != null) {
                named.add(path);
            }
        }
        problems.throwIfAny("A workspace cannot be used");
        return named;
    }

    private String pack(Source packed, String field) {
        String directory = packed.directory();
        try {
            Path source = Path.of(directory);
            if (!Files.isDirectory(source)) {
                throw unusable(field, "There is no directory " + directory + "; name one, relative to the file.", null);
            }
            for (String path : packed.named()) {
                if (!Files.exists(source.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
                    throw unusable(field + "Include", "There is no " + path + " in " + directory + ".", null);
                }
            }
            Path archive = Files.createTempFile("assay-workspace", ".tar");
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (OutputStream target =
                    new DigestOutputStream(new BufferedOutputStream(Files.newOutputStream(archive)), digest)) {
                warnings.addAll(
                        packed.isCode()
                                ? WorkspaceArchive.writeCode(source, packed.named(), target)
                                : WorkspaceArchive.write(source, packed.named(), target));
            } catch (IOException e) {
                Files.deleteIfExists(archive);
                throw e;
            }
            check(archive, directory, field);
            String name = HexFormat.of().formatHex(digest.digest());
            Path other = archives.putIfAbsent(name, archive);
            if (other != null) {
                Files.delete(archive);
            }
            return name;
        } catch (IOException | InvalidPathException e) {
            throw unusable(field, "The directory " + directory + " cannot be packed: " + e.getMessage() + ".", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    /** Asks what the server will ask. Names and links are right by now, but there may be too many of them. */
    private static void check(Path archive, String directory, String field) throws IOException {
        try (InputStream packed = new BufferedInputStream(Files.newInputStream(archive))) {
            Optional<String> refusal = ArchiveReader.refusal(packed);
            if (refusal.isPresent()) {
                Files.delete(archive);
                throw unusable(field, "The directory " + directory + " cannot be packed. " + refusal.get(), null);
            }
        }
    }

    private static AssayException unusable(String field, String message, @Nullable Exception cause) {
        AssayException invalid =
                AssayException.invalid("A workspace cannot be used", List.of(new FieldError(field, message)));
        if (cause != null) {
            invalid.addSuppressed(cause);
        }
        return invalid;
    }

    /**
     * @param named paths in it that are packed in any case
     * @param isCode whether installed packages stay out
     */
    private record Source(String directory, List<String> named, boolean isCode) {}

    /** The archives by their names; they go when this is closed. */
    public Map<String, Path> archives() {
        return Map.copyOf(archives);
    }

    /** Warnings for users, as sentences. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    @Override
    public void close() {
        for (Path archive : archives.values()) {
            // Temporary files that cannot be deleted are left to the system.
            var _ = archive.toFile().delete();
        }
    }
}
