package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.work.archive.ArchiveReader;
import dev.assay.work.archive.Unpacking;
import dev.assay.work.file.FileTree;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workspaces as archives that are packed. */
class WorkspaceArchiveTest {

    @TempDir
    Path temporary;

    private Path workspace() throws IOException {
        Path root = Files.createDirectories(temporary.resolve("workspace"));
        Files.createDirectories(root.resolve(".git/objects"));
        Files.createDirectories(root.resolve("src/empty"));
        Files.writeString(root.resolve("src/ä.txt"), "text");
        assertThat(Files.writeString(root.resolve("run"), "#!/bin/sh").toFile().setExecutable(true))
                .isTrue();
        Files.writeString(root.resolve(".git/config"), "x");
        Files.createSymbolicLink(root.resolve("inner"), Path.of("src"));
        Files.createSymbolicLink(root.resolve("outer"), Path.of("/etc/hostname"));
        return root;
    }

    private static byte[] archive(Path root, List<String> warnings, String... named) throws IOException {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        warnings.addAll(WorkspaceArchive.write(root, List.of(named), target));
        return target.toByteArray();
    }

    private Path unpacked(byte[] archive) throws Exception {
        Path directory = temporary.resolve("unpacked");
        Unpacking.unpack(Files.write(temporary.resolve("archive.tar"), archive), directory);
        return Unpacking.files(directory);
    }

    @Test
    void shouldReadBackFilesRightsAndLinksWhenAWorkspaceWasPacked() throws Exception {
        List<String> warnings = new ArrayList<>();

        Path copy = unpacked(archive(workspace(), warnings));

        assertThat(copy.resolve("src/ä.txt")).hasContent("text");
        assertThat(copy.resolve("src/empty")).isEmptyDirectory();
        assertThat(copy.resolve("run")).isExecutable();
        assertThat(Files.readSymbolicLink(copy.resolve("inner"))).isEqualTo(Path.of("src"));
        assertThat(copy.resolve("outer")).doesNotExist();
        assertThat(copy.resolve(".git")).doesNotExist();
        assertThat(warnings)
                .containsExactly(
                        "The workspace's link `outer` leads to /etc/hostname, out of the workspace, and is left out."
                                + " Put a copy in its place, or a relative link to what the workspace holds.");
    }

    @Test
    void shouldNameBothWhenTwoNamesAreOneElsewhere() throws IOException {
        Path root = Files.createDirectories(temporary.resolve("workspace/d"));
        Files.writeString(root.resolve("A.txt"), "");
        Files.writeString(root.resolve("a.txt"), "");

        assertThatThrownBy(() -> archive(root.getParent(), new ArrayList<>()))
                .hasMessage(
                        "`d/a.txt` needs `d/a.txt` beside `d/A.txt`, which are one name where case and Unicode forms do"
                                + " not count; rename or move it");
    }

    @Test
    void shouldNameTheFileWhenNoArchiveMayHaveItsName() throws IOException {
        Path root = Files.createDirectories(temporary.resolve("workspace"));
        Files.writeString(root.resolve("a\\b"), "");

        assertThatThrownBy(() -> archive(root, new ArrayList<>()))
                .hasMessageContaining("`a\\b` has a control character or a backslash in its name");
    }

    @Test
    void shouldLeaveOutEachLinkThatLeavesWhenLinksLeadThroughEachOther() throws Exception {
        Path root = Files.createDirectories(temporary.resolve("workspace/d/e"))
                .getParent()
                .getParent();
        Files.createSymbolicLink(root.resolve("out"), Path.of("../../x"));
        Files.createSymbolicLink(root.resolve("through"), Path.of("out/y"));
        Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
        Files.createSymbolicLink(root.resolve("d/up"), Path.of("../d/e/../e"));
        Files.createSymbolicLink(root.resolve("later"), Path.of("none/made-by-a-program"));
        List<String> warnings = new ArrayList<>();

        Path copy = unpacked(archive(root, warnings));

        assertThat(copy.toFile().list()).containsExactlyInAnyOrder("d", "later");
        assertThat(copy.resolve("d/up")).isSymbolicLink();
        assertThat(warnings)
                .anyMatch(warning ->
                        warning.startsWith("The workspace's link `out` leads to ../../x, out of the workspace, and"))
                .anyMatch(warning ->
                        warning.startsWith("The workspace's link `through` leads to out/y, out of the workspace"))
                .contains("The workspace's link `loop` leads through more than 40 links, and is left out.")
                .hasSize(3);
    }

    /** Names that meet when case and Unicode forms do not count, and ways that lead everywhere. */
    private static void grow(Path directory, Random random, int depth) throws IOException {
        List<String> names =
                List.of("a", "b", "c", "d", "é", "long".repeat(40), random.nextInt(6) == 0 ? "B" : "e", "e\u0301");
        List<String> ways = List.of("a", "b", "c", "..", "..", ".", "/etc", "x");
        for (String name : names.subList(0, random.nextInt(15) == 0 ? 8 : 7)) {
            Path path = directory.resolve(name);
            switch (random.nextInt(6)) {
                case 0 -> Files.writeString(path, name);
                case 1, 2 ->
                    Files.createSymbolicLink(
                            path,
                            Path.of(ways.get(random.nextInt(ways.size())))
                                    .resolve(ways.get(random.nextInt(6)))
                                    .resolve(ways.get(random.nextInt(6))));
                case 3 -> {
                    Files.createDirectory(path);
                    if (depth > 0) {
                        grow(path, random, depth - 1);
                    }
                }
                default -> {
                    // Another one may have no such file.
                }
            }
        }
    }

    private static boolean hasCollision(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            List<String> folded = all.map(
                            path -> Normalizer.normalize(root.relativize(path).toString(), Normalizer.Form.NFC)
                                    .toLowerCase(Locale.ROOT))
                    .toList();
            return folded.size() != Set.copyOf(folded).size();
        }
    }

    @Test
    void shouldPackWhatIsAlwaysAcceptedWhenTreesAreOfAnyKind() throws Exception {
        Random random = new Random(9);
        int packed = 0;
        for (int i = 0; i < 100; i++) {
            Path root = Files.createDirectory(temporary.resolve("tree"));
            grow(root, random, 2);
            List<String> warnings = new ArrayList<>();
            if (hasCollision(root)) {
                assertThatThrownBy(() -> archive(root, warnings)).hasMessageContaining("one name where case");
            } else {
                byte[] archive = archive(root, warnings);

                assertThat(ArchiveReader.refusal(new ByteArrayInputStream(archive)))
                        .isEmpty();
                assertThat(entries(archive) + warnings.size()).isEqualTo(entries(root));
                packed++;
            }
            FileTree.delete(root);
        }
        assertThat(packed).isBetween(20, 95);
    }

    private static int entries(byte[] archive) throws IOException {
        int entries = 0;
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new ByteArrayInputStream(archive))) {
            while (tar.getNextEntry() != null) {
                entries++;
            }
        }
        return entries;
    }

    private static int entries(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return (int) all.count() - 1;
        }
    }

    @Test
    void shouldHaveTheSameBytesWhenOnlyTimesDiffer() throws IOException {
        Path root = workspace();
        byte[] before = archive(root, new ArrayList<>());
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.filter(file -> !Files.isSymbolicLink(file)).toList()) {
                Files.setLastModifiedTime(path, FileTime.fromMillis(1_000));
            }
        }

        assertThat(archive(root, new ArrayList<>())).isEqualTo(before);
        Files.writeString(root.resolve("run"), "#!/bin/dash");
        assertThat(archive(root, new ArrayList<>())).isNotEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {".env", ".env.local", "id_rsa", "server.pem", "KEY.P12", ".netrc", "auth.json"})
    void shouldLeaveAFileOutAndSaySoWhenItLooksLikeASecret(String name) throws IOException {
        Path root = Files.createDirectories(temporary.resolve("workspace/below"));
        Files.writeString(root.resolve(name), "secret");
        List<String> warnings = new ArrayList<>();

        byte[] bytes = archive(root.getParent(), warnings);

        assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).doesNotContain("secret");
        assertThat(warnings).singleElement().asString().contains("below/" + name);
    }

    @Test
    void shouldTakeInWhatIsNamedWhenItLooksLikeASecretOrIsGit() throws Exception {
        Path root = workspace();
        Files.createDirectories(root.resolve("config"));
        Files.writeString(root.resolve("config/.env"), "named");
        Files.writeString(root.resolve("config/.env.local"), "not named");
        List<String> warnings = new ArrayList<>();

        Path copy = unpacked(archive(root, warnings, ".git", "src/../config/.env"));

        assertThat(copy.resolve(".git/config")).hasContent("x");
        assertThat(copy.resolve("config/.env")).hasContent("named");
        assertThat(copy.resolve("config/.env.local")).doesNotExist();
        assertThat(warnings).anyMatch(warning -> warning.contains(".env.local"));
    }
}
