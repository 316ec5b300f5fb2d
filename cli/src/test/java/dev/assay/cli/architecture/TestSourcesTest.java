package dev.assay.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests wait for conditions, with deadlines; none sleeps and hopes. */
final class TestSourcesTest {

    private static final Pattern SLEEP = Pattern.compile("(Thread|TimeUnit\\.\\w+)\\s*\\.sleep\\(");

    /** Here the sleep is the subject: the time that an answer takes, the pace of a client, a rate that is measured. */
    private static final Set<String> SLEEPERS = Set.of(
            // Models, tools and cells that take their time.
            "CampaignInMemory.java",
            "ConnectionReuseTest.java",
            "HostileMcpTest.java",
            "LearnedLimitsTest.java",
            "LeasedUnitsTest.java",
            "LimitsCampaignTest.java",
            "OutageCampaignTest.java",
            "PermitExchangeTest.java",
            "RefusalCampaignTest.java",
            "RefusedKeyTest.java",
            "RunJournalTest.java",
            "SeveralKeysTest.java",
            "SeveralWorkersTest.java",
            "StubBatches.java",
            "ToolCrashTest.java",
            "ToolServer.java",
            "UnexpectedFailureTest.java",
            "UnreliableModel.java",
            // Clients with a pace.
            "ApiProbe.java",
            "ConnectionBoundsTest.java",
            "FuzzRun.java",
            "ProviderBatchSchedulesTest.java",
            "RemovalSpeedTest.java",
            // Rates over a time.
            "EventStreamsTest.java",
            "ProviderThroughput.java",
            "BatchStub.java",
            "OpenAiBatchesTest.java",
            "AnthropicBatchesTest.java");

    @Test
    void shouldWaitForConditionsInsteadOfSleeping() throws IOException {
        assertThat(sources().stream()
                        .filter(source -> SLEEP.matcher(text(source)).find())
                        .map(source -> source.getFileName().toString()))
                .as("tests that sleep; Awaitility waits for a condition")
                .containsExactlyInAnyOrderElementsOf(SLEEPERS);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            List<Path> tests = modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList();
            assertThat(tests).as("modules with tests").hasSizeGreaterThan(5);
            return tests.stream().flatMap(TestSourcesTest::filesIn).toList();
        }
    }

    private static Stream<Path> filesIn(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
