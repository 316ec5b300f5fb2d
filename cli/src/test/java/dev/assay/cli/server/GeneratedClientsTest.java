package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.testing.InProcessServer;
import dev.assay.standalone.server.AssayServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that openapi-generator makes of the document; benchmarks/openapi/run does the same with any server. */
@Tag("slow")
@Timeout(300)
class GeneratedClientsTest {

    private static final Path SCRIPT = Path.of("../benchmarks/openapi/run");
    private static final Path TOOLS = Path.of("../target/openapi/tools");

    @Test
    void shouldDriveACampaignWhenClientsForPythonAndTypeScriptAreGenerated(@TempDir Path data) throws Exception {
        Assumptions.assumeTrue(
                Files.isDirectory(TOOLS), "openapi-generator is not there: benchmarks/openapi/run --install gets it");
        Path log = data.resolve("clients.log");
        try (AssayServer server = InProcessServer.start(data.resolve("server"))) {
            Process clients = new ProcessBuilder(SCRIPT.toString(), server.api().toString())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            assertThat(clients.waitFor(4, TimeUnit.MINUTES)).isTrue();

            assertThat(Files.readString(log)).contains("Python: campaign");
            assertThat(clients.exitValue()).as(Files.readString(log)).isZero();
        }
    }
}
