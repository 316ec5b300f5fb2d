package dev.assay.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackedWorkspacesTest {

    @TempDir
    Path workspace;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(workspace.resolve("plain.txt"), "plain");
        Files.writeString(workspace.resolve(".env"), "KEY=1");
    }

    private ObjectNode document(String include) {
        String branch = "{\"workspace\": " + Json.mapper().valueToTree(workspace.toString()) + include + "}";
        return (ObjectNode) Json.tree("{\"branches\": [" + branch + "]}");
    }

    @Test
    void shouldUploadOnlyWhatIsNamedWhenAFileLooksLikeASecret() {
        ObjectNode without = document("");
        ObjectNode with = document(", \"workspaceInclude\": [\".env\"]");

        try (PackedWorkspaces plain = PackedWorkspaces.of(without);
                PackedWorkspaces named = PackedWorkspaces.of(with)) {
            assertThat(plain.warnings()).singleElement().asString().contains(".env", "workspaceInclude");
            assertThat(named.warnings()).isEmpty();
            assertThat(named.archives())
                    .hasSize(1)
                    .doesNotContainKeys(plain.archives().keySet().iterator().next());
        }
        assertThat(with.at("/branches/0").has("workspaceInclude")).isFalse();
    }

    /** Each name beyond ASCII takes a header more. */
    @Test
    @Tag("slow")
    void shouldSayTheRuleWhenThereAreMoreFilesThanAnArchiveMayHave() throws IOException {
        for (int i = 0; i < 50_001; i++) {
            Files.createLink(workspace.resolve("é" + i), workspace.resolve("plain.txt"));
        }

        AssayException refused = catchThrowableOfType(AssayException.class, () -> PackedWorkspaces.of(document("")));

        assertThat(refused.errors()).singleElement().satisfies(error -> {
            assertThat(error.path()).isEqualTo("branches[0].workspace");
            assertThat(error.message())
                    .startsWith("The directory " + workspace + " cannot be packed. Entry ")
                    .endsWith("of the archive is one of more than 100,000 (rule 5).");
        });
    }

    @Test
    void shouldWarnWithTheWayOutWhenALinkLeavesTheWorkspace() throws IOException {
        Files.delete(workspace.resolve(".env"));
        Files.createDirectory(workspace.resolve("venv"));
        Files.createSymbolicLink(workspace.resolve("venv/python"), Path.of("/usr/bin/python3"));

        try (PackedWorkspaces packed = PackedWorkspaces.of(document(""))) {
            assertThat(packed.warnings())
                    .containsExactly(
                            "The workspace's link `venv/python` leads to /usr/bin/python3, out of the workspace, and"
                                    + " is left out. Put a copy in its place, or a relative link to what the workspace"
                                    + " holds.");
        }
    }

    @Test
    void shouldNameBothWhenTwoNamesAreOneElsewhere() throws IOException {
        Files.writeString(workspace.resolve("Plain.txt"), "");

        AssayException refused = catchThrowableOfType(AssayException.class, () -> PackedWorkspaces.of(document("")));

        assertThat(refused.errors())
                .singleElement()
                .extracting(FieldError::message)
                .asString()
                .contains("`plain.txt`", "`Plain.txt`", "cannot be packed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[\".envy\"]     | branches[0].workspaceInclude",
                "\".env\"        | branches[0].workspaceInclude",
                "[\"../x\"]      | branches[0].workspaceInclude[0]",
                "[1]             | branches[0].workspaceInclude[0]",
                "[\"a\\u0000b\"] | branches[0].workspaceInclude[0]",
            })
    void shouldNameThePathWhenWhatIsNamedIsWrong(String include, String path) {
        AssayException refused = catchThrowableOfType(
                AssayException.class, () -> PackedWorkspaces.of(document(", \"workspaceInclude\": " + include)));

        assertThat(refused.errors()).extracting(FieldError::path).containsExactly(path);
    }
}
