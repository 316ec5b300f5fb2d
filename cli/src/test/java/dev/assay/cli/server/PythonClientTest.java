package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.Assay;
import dev.assay.standalone.testing.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Python package, tested by its own tests: as a wheel, on a server of this build. */
@Tag("slow")
@Timeout(600)
class PythonClientTest {

    /** Prints the document. It is of a module that the command line knows by the server only. */
    private static final String DOCUMENT = "dev.assay.web.document.OpenApiText";

    private static final Path CHECK = Path.of("../client/check");
    private static final Path TOOLS = Path.of("../target/client/tools/bin/wheel");
    private static final Path GENERATOR = Path.of("../target/openapi/tools/bin/openapi-generator-cli");

    @Test
    void shouldPassItsTestsWhenItsWheelIsInstalled(@TempDir Path directory) throws Exception {
        Assumptions.assumeTrue(
                Files.exists(TOOLS) && Files.exists(GENERATOR),
                "the client is not built: client/check --install and benchmarks/openapi/run --install get what it"
                        + " needs");
        Path document = directory.resolve("openapi.json");
        Process written = JavaProcess.of(Class.forName(DOCUMENT))
                .redirectOutput(document.toFile())
                .start();
        assertThat(written.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(written.exitValue()).isZero();

        List<String> command = new ArrayList<>(List.of(CHECK.toString(), document.toString()));
        command.addAll(JavaProcess.of(Assay.class).command());
        Path log = directory.resolve("client.log");
        Process tests = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = tests.waitFor(9, TimeUnit.MINUTES);
        if (!ended) {
            tests.destroy();
        }

        assertThat(ended).as(Files.readString(log)).isTrue();
        assertThat(tests.exitValue()).as(Files.readString(log)).isZero();
        assertThat(Files.readString(log)).contains("assay-eval on Python 3.", " passed in ");
    }
}
