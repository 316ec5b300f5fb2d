package dev.assay.standalone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorFilesTest {

    @TempDir
    private Path data;

    @Test
    void shouldTakeTheFilesOfTheDataDirectoryWhenTheEnvironmentNamesNone() throws IOException {
        Path tools = Files.createFile(data.resolve("tools.yaml"));

        assertThat(OperatorFiles.of(data, Map.of("ASSAY_TOOLS", "")))
                .isEqualTo(new OperatorFiles(null, tools, data.resolve("plugins")));
    }

    @Test
    void shouldTakeTheFilesThatTheEnvironmentNamesWhenTheyAreMissingToo() throws IOException {
        Files.createFile(data.resolve(OperatorFiles.PROVIDERS));
        Map<String, String> environment =
                Map.of("ASSAY_PROVIDERS", "/etc/p.yaml", "ASSAY_TOOLS", "t.yaml", "ASSAY_PLUGINS", "/opt/plugins");

        assertThat(OperatorFiles.of(data, environment))
                .isEqualTo(new OperatorFiles(Path.of("/etc/p.yaml"), Path.of("t.yaml"), Path.of("/opt/plugins")));
    }
}
