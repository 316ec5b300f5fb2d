package dev.assay.work.compute.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.text.RegexRule;
import dev.assay.work.compute.CheckTask;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.FillTask;
import dev.assay.work.compute.Stop;
import dev.assay.work.compute.Task;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class UntrustedProcessTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final ComputeSettings SETTINGS = new ComputeSettings(1, 64, LONG, LONG, LONG, List.of());
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private static final CheckTask CHECKS =
            new CheckTask(List.of(new Check(new RegexRule("a"), true)), CheckInput.of("a"));

    private static List<String> lying(String says, List<Path> classPath) {
        String greeted = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        return List.of(JAVA, "-XX:TieredStopAtLevel=1", "-cp", CLASS_PATH, LyingProcess.class.getName(), says, greeted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no JSON",
                "null",
                "{\"number\": 1, \"item\": 0, \"failed\": null, \"answer\": null} {}",
                "{\"number\": 1, \"item\": 0, \"failed\": null, \"answer\": null, \"more\": 1}",
                "{\"number\": 1, \"item\": 0, \"failed\": null, \"answer\": {\"status\": \"PASSED\", \"score\": 7,"
                        + " \"reason\": \"\", \"members\": []}}",
                "{\"number\": 1, \"item\": 0, \"failed\": null, \"answer\": {\"status\": \"PASSED\", \"score\": 1,"
                        + " \"reason\": \"\", \"members\": [], \"x\": 1}}",
                "{\"number\": 1, \"item\": 0, \"failed\": null, \"answer\": {\"score\": 1, \"reason\": \"\","
                        + " \"members\": []}}",
                "{\"number\": 1, \"item\": 0, \"failed\": null, \"answer\": {\"status\": \"PASSED\", \"score\": 1,"
                        + " \"reason\": \"\", \"members\": [{\"type\": \"regex\", \"status\": \"PASSED\"}]}}",
                "{\"number\": 7, \"item\": 0, \"failed\": \"X\", \"answer\": null}",
                "{\"number\": 1, \"item\": 0, \"failed\": \"You <b>lost</b>\", \"answer\": null}"
            })
    void shouldEndAProcessTwiceAndThenTheTaskWhenItLies(String lie) throws Exception {
        try (ComputePool pool = new ComputePool(SETTINGS, LONG, classPath -> lying(lie, classPath))) {
            assertThat(pool.run("campaign", CHECKS)).containsExactly(new Computed.Stopped<>(new Stop.Ended()));
        }
    }

    /** Which of several definitions ran is not known: none is to blame before each answer comes alone. */
    @Test
    void shouldRunATaskOnceMoreWhenAnswersMayBeLostWithAProcess() throws Exception {
        CheckTask two = new CheckTask(
                List.of(new Check(new RegexRule("a"), true), new Check(new RegexRule("b"), true)), CheckInput.of("a"));
        try (ComputePool pool = new ComputePool(SETTINGS, LONG, classPath -> lying("losing", classPath))) {
            assertThat(pool.run("campaign", two))
                    .containsExactly(
                            new Computed.Done<>(Finding.passed("Found")), new Computed.Done<>(Finding.passed("Found")));
        }
    }

    @Test
    void shouldStopTheTaskWhenItsAnswerIsTooLong() throws Exception {
        try (ComputePool pool = new ComputePool(SETTINGS, LONG, classPath -> lying("huge", classPath))) {
            assertThat(pool.run("campaign", CHECKS)).containsExactly(new Computed.Stopped<>(new Stop.TooLong(16)));
        }
    }

    @Test
    void shouldBeDownWhenProcessesAreOfAnotherBuild() throws Exception {
        try (ComputePool pool = new ComputePool(SETTINGS, LONG, classPath -> lying("", List.of(Path.of("/tmp"))))) {
            Thread.ofVirtual().start(() -> pool.runToEnd("campaign", CHECKS));
            await().atMost(LONG).until(pool::isDown);
        }
    }

    @Test
    void shouldEndAllProcessesWhenTheirParentIsKilled() throws Exception {
        Process parent = new ProcessBuilder(
                        JAVA, "--enable-native-access=ALL-UNNAMED", "-cp", CLASS_PATH, ParentProbe.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            List<Long> children = Arrays.stream(
                            out.readLine().replaceAll("[\\[\\] ]", "").split(","))
                    .map(Long::valueOf)
                    .toList();
            assertThat(children).hasSize(2).allMatch(UntrustedProcessTest::lives);
            parent.destroyForcibly();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> children.stream().noneMatch(UntrustedProcessTest::lives));
        } finally {
            parent.destroyForcibly();
        }
    }

    private static boolean lives(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    @Test
    void shouldReachNoFileAndNoVariableWhenItComputes() throws Exception {
        try (ComputePool pool = new ComputePool(SETTINGS)) {
            Task<?> task = new FillTask(List.of("{{ n|abs }}"), Map.of("n", new IntNode(1)), false);
            assertThat(pool.run("campaign", task)).hasSize(1);
            long pid = pool.processes().getFirst();
            String environment = Files.readString(Path.of("/proc/" + pid + "/environ"));
            assertThat(environment).doesNotContain("PATH=").doesNotContain("HOME=");
        }
    }
}
