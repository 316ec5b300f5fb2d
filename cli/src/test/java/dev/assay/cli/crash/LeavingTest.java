package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.assay.cli.Assay;
import dev.assay.cli.testing.CtrlC;
import dev.assay.cli.testing.FakeApi;
import dev.assay.standalone.testing.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C while a campaign of a server is followed: the view ends with 130, and the campaign goes on. */
@Tag("slow")
final class LeavingTest {

    private static final String LOOK = "/api/v1/campaigns/c-1";

    private final FakeApi api = new FakeApi().states("RUNNING");

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        api.close();
    }

    private List<String> command(String verb) throws Exception {
        Path file = Files.writeString(directory.resolve("campaign.yaml"), """
            name: capitals
            cases: [{id: france, prompt: What is the capital of France?}]
            branches: [{id: small, kind: scripted, script: {answers: [Paris]}}]
            """);
        return List.of(verb, verb.equals("run") ? file.toString() : "c-1", "--server", api.url());
    }

    @ParameterizedTest
    @ValueSource(strings = {"watch", "run", "resume"})
    void shouldLeaveTheCampaignAloneWhenInterrupted(String verb) throws Exception {
        Path err = directory.resolve("err");
        Process process = JavaProcess.of(Assay.class, command(verb).toArray(String[]::new))
                .redirectError(err.toFile())
                .start();
        try {
            assumeFalse(CtrlC.isIgnoredBy(process), "Skipped: this test runs where Ctrl-C is ignored");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> api.requests().stream()
                                    .filter(request -> request.path().equals(LOOK))
                                    .count()
                            > 2);
            CtrlC.to(process);

            assertThat(process.waitFor(Duration.ofSeconds(30))).isTrue();
            assertThat(process.exitValue()).as(Files.readString(err)).isEqualTo(130);
            assertThat(api.requests()).extracting(FakeApi.Request::path).noneMatch(path -> path.endsWith("/pause"));
            assertThat(Files.readString(err)).doesNotContain("assay: ");
        } finally {
            process.destroyForcibly();
        }
    }
}
