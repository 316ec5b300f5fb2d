package dev.assay.standalone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.retention.RetentionRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
                .isEqualTo(new OperatorFiles(null, tools, null, data.resolve("plugins")));
    }

    @Test
    void shouldTakeTheFilesThatTheEnvironmentNamesWhenTheyAreMissingToo() throws IOException {
        Files.createFile(data.resolve(OperatorFiles.PROVIDERS));
        Map<String, String> environment = Map.of(
                "ASSAY_PROVIDERS",
                "/etc/p.yaml",
                "ASSAY_TOOLS",
                "t.yaml",
                "ASSAY_SERVER_SETTINGS",
                "s.yaml",
                "ASSAY_PLUGINS",
                "/opt/plugins");

        assertThat(OperatorFiles.of(data, environment))
                .isEqualTo(new OperatorFiles(
                        Path.of("/etc/p.yaml"), Path.of("t.yaml"), Path.of("s.yaml"), Path.of("/opt/plugins")));
    }

    @Test
    void shouldKeepCampaignsWhenNoFileSaysForHowLong() {
        assertThat(OperatorFiles.of(data, Map.of()).retention()).isEqualTo(RetentionRules.NONE);
    }

    @Test
    void shouldReadForHowLongCampaignsAreKept() throws IOException {
        Files.writeString(data.resolve("server.yaml"), "retention: {campaigns: {failed: P7D}}");

        assertThat(OperatorFiles.of(data, Map.of()).retention().campaigns())
                .isEqualTo(Map.of(CampaignState.FAILED, Duration.ofDays(7)));
    }

    @Test
    void shouldNameTheFieldThatIsWrong() throws IOException {
        Files.writeString(data.resolve("server.yaml"), "retention: {campaigns: {failed: 7}}");

        assertThatThrownBy(() -> OperatorFiles.of(data, Map.of()).retention())
                .hasMessageContaining("file of the server")
                .hasMessageContaining("retention.campaigns.failed");
    }
}
