package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.work.file.FileTree;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of attempts, and what becomes of them. */
class FilesTest {

    @TempDir
    Path temporary;

    @Test
    void shouldLookAndWorkBelowTheWorkspaceOnlyWhenPathsOrLinksLeaveIt() throws Exception {
        Path root = Files.createDirectories(temporary.resolve("source"));
        Files.createDirectories(root.resolve("below/directory"));
        Files.writeString(root.resolve("below/file"), "");
        Files.createSymbolicLink(root.resolve("way"), temporary);
        try (TrialDirectory trial = new TrialDirectory(temporary.resolve("trial"), "attempt")) {
            trial.fill(target -> FileTree.copy(root, target), "below", "prompt");

            assertThat(trial.existing(List.of("file", "directory", "./file", "none", "../way", "../../prompt", "..")))
                    .containsExactlyInAnyOrder("file", "directory", "./file");
            assertThat(trial.prompt()).hasContent("prompt");
        }
        for (String leaving : List.of("../..", "way", "none", "below/file")) {
            try (TrialDirectory trial = new TrialDirectory(temporary.resolve("other"), "attempt")) {
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
        try (TrialDirectory trial = new TrialDirectory(temporary.resolve("trial"), "attempt")) {
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
        try (TrialDirectory trial = new TrialDirectory(temporary.resolve("trial"), "attempt")) {
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
        try (TrialDirectory trial = new TrialDirectory(temporary.resolve("trial"), "attempt")) {
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
        try (AgentRoom living = new AgentRoom(base, ProgramIsolation.none());
                TrialDirectory trial = living.open()) {
            trial.fill(null, null, "");
            Path inUse = Files.createDirectory(living.besideWorkspaces());

            new AgentRoom(base, ProgramIsolation.none()).clear();

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
        try (AgentRoom living = new AgentRoom(base, ProgramIsolation.none())) {
            living.open().close();
            new AgentRoom(base, ProgramIsolation.none()).clear();
            assertThat(unchecked).exists();
        }

        new AgentRoom(base, ProgramIsolation.none()).clear();

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
