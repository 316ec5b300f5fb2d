package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.work.archive.Unpacking;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workspaces as archives and as copies. */
class FilesTest {

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

    /** Without {@code out}, the way of {@code through} would end at the top's parent. */
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

    @Test
    void shouldLookAndWorkBelowTheWorkspaceOnlyWhenPathsOrLinksLeaveIt() throws Exception {
        Path root = Files.createDirectories(temporary.resolve("source"));
        Files.createDirectories(root.resolve("below/directory"));
        Files.writeString(root.resolve("below/file"), "");
        Files.createSymbolicLink(root.resolve("way"), temporary);
        try (TrialDirectory trial = new TrialDirectory(temporary.resolve("trial"))) {
            trial.fill(target -> FileTree.copy(root, target), "below", "prompt");

            assertThat(trial.existing(List.of("file", "directory", "./file", "none", "../way", "../../prompt", "..")))
                    .containsExactlyInAnyOrder("file", "directory", "./file");
            assertThat(trial.prompt()).hasContent("prompt");
        }
        for (String leaving : List.of("../..", "way", "none", "below/file")) {
            try (TrialDirectory trial = new TrialDirectory(temporary.resolve("other"))) {
                assertThatThrownBy(() -> trial.fill(target -> FileTree.copy(root, target), leaving, ""))
                        .hasMessageContaining("workspaceSubdir");
            }
        }
        assertThat(temporary.resolve("trial")).doesNotExist();
        assertThat(temporary.resolve("other")).doesNotExist();
        assertThat(root.resolve("below/file")).exists();
    }

    @Test
    void shouldSeeNamedVariablesAndFilesOnlyWhenAProgramStarts() throws Exception {
        Path home = Files.createDirectories(temporary.resolve("real/.codex"));
        Files.writeString(home.resolve("auth.json"), "login");
        try (TrialDirectory trial = new TrialDirectory(temporary.resolve("trial"))) {
            trial.fill(null, null, "");
            trial.let(Map.of("PATH", "/bin", "KEY", "k", "SECRET", "s", "HOME", "/root"), List.of("KEY", "HOME"));
            trial.copyToHome(home.getParent(), List.of(".codex/auth.json"));

            assertThat(trial.environment())
                    .containsOnlyKeys("PATH", "KEY", "HOME", "TMPDIR")
                    .containsEntry("KEY", "k");
            Path own = Path.of(trial.environment().get("HOME"));
            assertThat(own.resolve(".codex/auth.json")).hasContent("login");
            assertThat(own).startsWith(temporary.resolve("trial"));
            assertThatThrownBy(() -> trial.copyToHome(home.getParent(), List.of("../secret")))
                    .hasMessageContaining("leaves the home");
            assertThatThrownBy(() -> trial.copyToHome(home.getParent(), List.of(".claude.json")))
                    .hasMessageContaining("no .claude.json");
        }
    }

    @Test
    void shouldDeleteDirectoriesThatAProgramLockedAndFollowNoLinkWhenATrialEnds() throws Exception {
        Path other = Files.createDirectories(temporary.resolve("other"));
        Files.writeString(other.resolve("kept"), "");
        try (TrialDirectory trial = new TrialDirectory(temporary.resolve("trial"))) {
            trial.fill(null, null, "");
            Path inner = Files.createDirectories(trial.work().resolve("outer/inner"));
            Files.writeString(inner.resolve("file"), "");
            Files.createSymbolicLink(inner.resolve("link"), other);
            Files.setPosixFilePermissions(inner, Set.of());
            Files.setPosixFilePermissions(inner.getParent(), Set.of());
        }
        assertThat(temporary.resolve("trial")).doesNotExist();
        assertThat(other.resolve("kept")).exists();
        assertThat(other).isWritable();
    }

    /** Steps from directory to directory make paths longer than the system takes at once. */
    @Test
    void shouldDeletePathsOfAnyLengthWhenATrialEnds() throws Exception {
        String nest = "for n in $(seq 100); do mkdir %1$s && cd -P %1$s || exit 1; echo >file; done"
                .formatted("d".repeat(200));
        try (TrialDirectory trial = new TrialDirectory(temporary.resolve("trial"))) {
            trial.fill(null, null, "");
            Process program = new ProcessBuilder("sh", "-c", nest)
                    .directory(trial.work().toFile())
                    .inheritIO()
                    .start();
            assertThat(program.waitFor()).isZero();
        }
        assertThat(temporary.resolve("trial")).doesNotExist();
    }

    @Test
    void shouldDeleteWhatAKilledWorkerLeftAndNothingElseWhenAnotherStarts() throws Exception {
        Path base = temporary.resolve("agents");
        Path left = Files.createDirectories(base.resolve("trials/dead/1/work"));
        Files.writeString(left.resolve("file"), "");
        Files.writeString(base.resolve("trials/dead.lock"), "");
        Files.createDirectories(base.resolve("unpacked/new-dead-7/files"));
        Path kept = Files.createDirectories(base.resolve("unpacked/" + "a".repeat(64)));
        try (AgentRoom living = new AgentRoom(base);
                TrialDirectory trial = living.open()) {
            trial.fill(null, null, "");
            Path inUse = Files.createDirectory(living.besideWorkspaces());

            new AgentRoom(base).clear();

            assertThat(base.resolve("trials/dead")).doesNotExist();
            assertThat(base.resolve("trials/dead.lock")).doesNotExist();
            assertThat(base.resolve("unpacked/new-dead-7")).doesNotExist();
            assertThat(inUse).exists();
            assertThat(kept).exists();
            assertThat(trial.work()).isEmptyDirectory();
        }
        assertThat(Files.exists(base.resolve("trials"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
        assertThat(base.resolve("trials")).isEmptyDirectory();
    }

    /** An earlier build looked at no archive; one of its workers may still run. */
    @Test
    void shouldDeleteWhatEarlierBuildsUnpackedWhenNoOtherWorkerLives() throws Exception {
        Path base = temporary.resolve("agents");
        Path unchecked = Files.createDirectories(base.resolve("workspaces/" + "a".repeat(64)));
        try (AgentRoom living = new AgentRoom(base)) {
            living.open().close();
            new AgentRoom(base).clear();
            assertThat(unchecked).exists();
        }

        new AgentRoom(base).clear();

        assertThat(unchecked.getParent()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Cannot run program "setsid": error=11, Resource temporarily unavailable         | true
        Cannot run program "setsid": error=12, Cannot allocate memory                   | true
        assay-agent: 2: Cannot fork                                                     | true
        cannot fork: no thread                                                          | true
        assay-agent: 15: exec: ./agent: Text file busy                                  | true
        Cannot run program "setsid": error=7, Argument list too long                    | false
        assay-agent: 7: exec: ./agent: not found                                        | false
        """)
    void shouldTellALimitOfTheSystemWhenNoProcessStarts(String message, boolean isLimit) {
        assertThat(SystemLimit.isReached(message)).isEqualTo(isLimit);
    }
}
