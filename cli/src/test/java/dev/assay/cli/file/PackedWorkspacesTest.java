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
