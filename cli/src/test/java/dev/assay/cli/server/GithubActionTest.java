package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.Assay;
import dev.assay.standalone.testing.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The GitHub action, tested by its own tests: its steps against stand-ins, and a campaign of this build. */
@Tag("slow")
@Timeout(300)
class GithubActionTest {

    @Test
    void shouldPassItsTestsWhenGithubIsAStandIn(@TempDir Path directory) throws Exception {
        List<String> command = new ArrayList<>(List.of("../action/check"));
        command.addAll(JavaProcess.of(Assay.class).command());
        Path log = directory.resolve("action.log");
        Process tests = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = tests.waitFor(4, TimeUnit.MINUTES);
        if (!ended) {
            tests.destroy();
        }

        assertThat(ended).as(Files.readString(log)).isTrue();
        assertThat(tests.exitValue()).as(Files.readString(log)).isZero();
        assertThat(Files.readString(log)).contains("Ran ").doesNotContain("skipped");
    }
}
