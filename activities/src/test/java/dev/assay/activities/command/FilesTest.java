package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
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
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
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
        Files.writeString(root.resolve("src/ä\n.txt"), "text");
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

    @Test
    void shouldReadBackFilesRightsAndLinksWhenAWorkspaceWasPacked() throws IOException {
        List<String> warnings = new ArrayList<>();
        byte[] bytes = archive(workspace(), warnings);
        Path copy = temporary.resolve("copy");

        WorkspaceArchive.read(new ByteArrayInputStream(bytes), copy);

        assertThat(copy.resolve("src/ä\n.txt")).hasContent("text");
        assertThat(copy.resolve("src/empty")).isEmptyDirectory();
        assertThat(copy.resolve("run")).isExecutable();
        assertThat(Files.readSymbolicLink(copy.resolve("inner"))).isEqualTo(Path.of("src"));
        assertThat(Files.readSymbolicLink(copy.resolve("outer"))).isEqualTo(Path.of("/etc/hostname"));
        assertThat(copy.resolve(".git")).doesNotExist();
        assertThat(warnings).singleElement().asString().contains("outer", "leads out");
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
    void shouldTakeInWhatIsNamedWhenItLooksLikeASecretOrIsGit() throws IOException {
        Path root = workspace();
        Files.createDirectories(root.resolve("config"));
        Files.writeString(root.resolve("config/.env"), "named");
        Files.writeString(root.resolve("config/.env.local"), "not named");
        List<String> warnings = new ArrayList<>();
        Path copy = temporary.resolve("copy");

        WorkspaceArchive.read(new ByteArrayInputStream(archive(root, warnings, ".git", "src/../config/.env")), copy);

        assertThat(copy.resolve(".git/config")).hasContent("x");
        assertThat(copy.resolve("config/.env")).hasContent("named");
        assertThat(copy.resolve("config/.env.local")).doesNotExist();
        assertThat(warnings).anyMatch(warning -> warning.contains(".env.local"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../out", "a/../../out", "/tmp/assay-out"})
    void shouldWriteNothingOutsideWhenAnArchiveNamesIt(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            TarArchiveEntry entry = new TarArchiveEntry(name, true);
            tar.putArchiveEntry(entry);
            tar.closeArchiveEntry();
        }
        Path target = temporary.resolve("target");

        assertThatThrownBy(() -> WorkspaceArchive.read(new ByteArrayInputStream(bytes.toByteArray()), target))
                .isInstanceOf(IOException.class);
        assertThat(temporary.resolve("out")).doesNotExist();
        assertThat(Path.of("/tmp/assay-out")).doesNotExist();
    }

    @Test
    void shouldWriteNothingThroughALinkWhenAnArchiveHasOneFirst() throws IOException {
        Path outside = Files.createDirectories(temporary.resolve("outside"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            TarArchiveEntry link = new TarArchiveEntry("way", TarArchiveEntry.LF_SYMLINK);
            link.setLinkName(outside.toString());
            tar.putArchiveEntry(link);
            tar.closeArchiveEntry();
            tar.putArchiveEntry(new TarArchiveEntry("way/file"));
            tar.closeArchiveEntry();
        }

        assertThatThrownBy(() -> WorkspaceArchive.read(
                        new ByteArrayInputStream(bytes.toByteArray()), temporary.resolve("target")))
                .isInstanceOf(IOException.class);
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void shouldLookAndWorkBelowTheWorkspaceOnlyWhenPathsOrLinksLeaveIt() throws IOException {
        Path root = Files.createDirectories(temporary.resolve("source"));
        Files.createDirectories(root.resolve("below/directory"));
        Files.writeString(root.resolve("below/file"), "");
        Files.createSymbolicLink(root.resolve("way"), temporary);
        try (TrialDirectory trial = new TrialDirectory(temporary.resolve("trial"))) {
            trial.fill(root, "below", "prompt");

            assertThat(trial.existing(List.of("file", "directory", "./file", "none", "../way", "../../prompt", "..")))
                    .containsExactlyInAnyOrder("file", "directory", "./file");
            assertThat(trial.prompt()).hasContent("prompt");
        }
        for (String leaving : List.of("../..", "way", "none", "below/file")) {
            try (TrialDirectory trial = new TrialDirectory(temporary.resolve("other"))) {
                assertThatThrownBy(() -> trial.fill(root, leaving, "")).hasMessageContaining("workspaceSubdir");
            }
        }
        assertThat(temporary.resolve("trial")).doesNotExist();
        assertThat(temporary.resolve("other")).doesNotExist();
        assertThat(root.resolve("below/file")).exists();
    }

    @Test
    void shouldSeeNamedVariablesAndFilesOnlyWhenAProgramStarts() throws IOException {
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
    void shouldDeleteDirectoriesThatAProgramLockedAndFollowNoLinkWhenATrialEnds() throws IOException {
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
    void shouldDeleteWhatAKilledWorkerLeftAndNothingElseWhenAnotherStarts() throws IOException {
        Path base = temporary.resolve("agents");
        Path left = Files.createDirectories(base.resolve("trials/dead/1/work"));
        Files.writeString(left.resolve("file"), "");
        Files.writeString(base.resolve("trials/dead.lock"), "");
        try (AgentRoom living = new AgentRoom(base);
                TrialDirectory trial = living.open()) {
            trial.fill(null, null, "");

            new AgentRoom(base).clear();

            assertThat(base.resolve("trials/dead")).doesNotExist();
            assertThat(base.resolve("trials/dead.lock")).doesNotExist();
            assertThat(trial.work()).isEmptyDirectory();
        }
        assertThat(Files.exists(base.resolve("trials"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
        assertThat(base.resolve("trials")).isEmptyDirectory();
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
