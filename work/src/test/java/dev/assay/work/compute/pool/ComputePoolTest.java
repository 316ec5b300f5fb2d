package dev.assay.work.compute.pool;

import static dev.assay.work.compute.pool.PoolTasks.checks;
import static dev.assay.work.compute.pool.PoolTasks.endless;
import static dev.assay.work.compute.pool.PoolTasks.fill;
import static dev.assay.work.compute.pool.PoolTasks.pool;
import static dev.assay.work.compute.pool.PoolTasks.run;
import static dev.assay.work.compute.pool.PoolTasks.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.check.Check;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.definition.Definition;
import dev.assay.domain.json.Json;
import dev.assay.work.compute.Answered;
import dev.assay.work.compute.CheckTask;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.DefinitionTask;
import dev.assay.work.compute.FillTask;
import dev.assay.work.compute.Stop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("slow")
class ComputePoolTest {

    private static final Duration LONG = Duration.ofMinutes(3);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ComputePool pool = pool(2, SECOND, LONG, LONG);

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void shouldFindWhatIsFoundInPlaceWhenChecksAreSent() throws Exception {
        CheckTask task = checks("Paris is nice", "P.ris", "^London", "[");

        List<Computed<Finding>> found = pool.run("campaign", task);

        assertThat(found)
                .isEqualTo(task.checks().stream()
                        .map(check -> new Computed.Done<>(check.rule().find(task.input())))
                        .toList());
    }

    @Test
    void shouldFindWhatIsFoundInPlaceWhenAGroupIsSent() throws Exception {
        Check group = Json.read("""
            {"type": "group", "threshold": 0.5, "checks": [
                {"type": "regex", "value": "P.ris", "metric": "place", "weight": 3},
                {"type": "group", "checks": [{"type": "contains", "value": "Rome", "required": false}]}]}
            """, Check.class);
        CheckTask task = new CheckTask(List.of(group), CheckInput.of("Paris"));

        Finding inPlace = group.rule().find(task.input());

        assertThat(inPlace.members()).hasSize(2);
        assertThat(pool.run("campaign", task)).containsExactly(new Computed.Done<>(inPlace));
    }

    @Test
    void shouldStartNothingWhenThereIsNoTask() {
        assertThat(pool.processes()).isEmpty();
    }

    @Test
    void shouldFillAndJudgeDefinitionsWhenTheyAreSent() throws Exception {
        assertThat(pool.run("campaign", fill("{{ n + 1 }} {{ b|upper }}")))
                .containsExactly(new Computed.Done<>(new Answered("2 YYYY", null)));
        assertThat(run(
                        pool,
                        new DefinitionTask(List.of(
                                new Definition(Definition.Kind.PATTERN, "a+"),
                                new Definition(Definition.Kind.PATTERN, "["),
                                new Definition(Definition.Kind.TEMPLATE, "{% if %}"),
                                new Definition(Definition.Kind.SCHEMA, "{\"type\": 1}"),
                                new Definition(Definition.Kind.PATH, "$.a[?(")))))
                .satisfiesExactly(
                        one -> assertThat(one).isEqualTo("Optional.empty"),
                        two -> assertThat(two).contains("Unclosed character class"),
                        three -> assertThat(three).contains("The template cannot be filled"),
                        four -> assertThat(four).contains("It is not a JSON Schema"),
                        five -> assertThat(five).contains("This is no JSONPath"));
    }

    @Test
    void shouldStopWhatTakesTooMuchAndKeepWhatIsDone() throws Exception {
        String bomb = "((?:){2000000000}){2000000000}";
        assertThat(run(pool, fill("{{ n|round(300000000) }}")).getFirst())
                .matches("took more than (1 s|256 MB)|.*cannot be filled.*");
        assertThat(run(pool, endless(1))).containsExactly("took more than 1 s");
        assertThat(run(pool, fill("{{ b|center(2147483640) }}")).getFirst())
                .matches("took more than (1 s|256 MB)|.*cannot be filled.*");
        assertThat(run(pool, checks("x", "x", bomb, "y"))).hasSize(3).contains("PASSED", "FAILED");
    }

    /** Answers come together: those that are lost with the process must not be laid to the wrong definition. */
    @Test
    void shouldKeepWhatWasAnsweredBeforeADefinitionThatTakesAllMemory() throws Exception {
        ComputePool small = pool(1, LONG, LONG, LONG);
        try {
            for (int i = 0; i < 3; i++) {
                FillTask task = new FillTask(
                        List.of("{{ b|upper }}", "{{ b }}{{ n + 1 }}", "{{ b|center(2147483640) }}"),
                        Map.of("n", Json.tree("1"), "b", Json.tree("\"yyyy\"")),
                        false);
                assertThat(small.run("campaign", task))
                        .startsWith(
                                new Computed.Done<>(new Answered("YYYY", null)),
                                new Computed.Done<>(new Answered("yyyy2", null)))
                        .hasSize(3)
                        .last()
                        .isEqualTo(new Computed.Stopped<>(new Stop.TooLarge(256)));
            }
            assertThat(run(small, fill("{{ b|center(2147483640) }}")))
                    .containsExactly("was stopped 3 times in this campaign and is not run again");
        } finally {
            small.close();
        }
    }

    @Test
    void shouldNotRunAgainWhenADefinitionWasStoppedThreeTimes() throws Exception {
        ComputePool quick = pool(1, Duration.ofMillis(200), LONG, LONG);
        try {
            for (int i = 0; i < 3; i++) {
                assertThat(run(quick, endless(1))).containsExactly("took more than 0.2 s");
            }
            assertThat(run(quick, endless(1)))
                    .containsExactly("was stopped 3 times in this campaign and is not run again");
            assertThat(quick.run("another", endless(1)).stream().map(PoolTasks::said))
                    .containsExactly("took more than 0.2 s");
        } finally {
            quick.close();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldPutAProcessBehindOthersWhenItsTaskTakesLong() throws Exception {
        ComputePool patient = pool(1, LONG, LONG, LONG);
        try {
            assertThat(run(patient, fill("{{ b|upper }}"))).hasSize(1);
            int usual = niceness(ProcessHandle.current().pid()).getFirst();
            assertThat(patient.processes())
                    .isNotEmpty()
                    .allSatisfy(one -> assertThat(niceness(one)).containsOnly(usual));

            CompletableFuture<List<String>> endless = started(patient, endless(1));
            long behind = await().atMost(LONG)
                    .until(() -> behind(patient, usual + 5), Optional::isPresent)
                    .orElseThrow();
            assertThat(run(patient, fill("{{ b|upper }}"))).hasSize(1);
            assertThat(patient.processes().stream().filter(other -> other != behind))
                    .allSatisfy(other -> assertThat(niceness(other)).containsOnly(usual));
            assertThat(endless).isNotDone();
        } finally {
            patient.close();
        }
    }

    /** The process all of whose threads stay so far behind: it may be the one that was kept warm. */
    private static Optional<Long> behind(ComputePool pool, int niceness) throws IOException {
        for (long pid : pool.processes()) {
            if (niceness(pid).stream().allMatch(one -> one == niceness)) {
                return Optional.of(pid);
            }
        }
        return Optional.empty();
    }

    /** How far each thread of a process stays behind others: the 19th field of its state, 17 behind its name. */
    private static List<Integer> niceness(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            List<Integer> all = new ArrayList<>();
            for (Path thread : threads.toList()) {
                String state = Files.readString(thread.resolve("stat"));
                all.add(Integer.valueOf(
                        state.substring(state.lastIndexOf(')') + 2).split(" ")[16]));
            }
            return all;
        }
    }

    @Test
    void shouldEndTheTaskWhenItsCallerIsInterrupted() throws Exception {
        ComputePool patient = pool(1, LONG, LONG, LONG);
        try {
            assertThat(run(patient, fill("{{ b|upper }}"))).hasSize(1);
            List<Long> before = patient.processes();
            AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    patient.run("campaign", endless(1));
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            await().atMost(LONG).pollDelay(Duration.ofMillis(300)).until(() -> patient.waiting() == 0);
            caller.interrupt();
            caller.join();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> !patient.processes().containsAll(before));
        } finally {
            patient.close();
        }
    }

    @Test
    void shouldServeQueuesInTurnWhenOneIsHostile() throws Exception {
        for (int i = 0; i < 3; i++) {
            var _ = pool.run("innocent", fill("{{ n }}{{ b|upper }}"));
        }
        IntStream.range(0, 12)
                .forEach(i -> Thread.ofVirtual().start(() -> {
                    try {
                        pool.run("hostile", endless(i));
                    } catch (InterruptedException | CancellationException _) {
                        Thread.currentThread().interrupt();
                    }
                }));
        await().atMost(LONG).until(() -> pool.waiting() >= 8);
        for (int i = 0; i < 20; i++) {
            var _ = pool.run("innocent", fill("{{ n }}{{ b|upper }}" + i));
        }
        assertThat(pool.waiting()).isPositive();
    }

    @Test
    void shouldKeepOneProcessWhenThereIsNoTask() throws Exception {
        ComputePool idle = pool(2, LONG, LONG, Duration.ofMillis(300));
        try {
            assertThat(run(idle, fill("{{ b|upper }}"))).hasSize(1);
            await().atMost(LONG).until(() -> idle.processes().size() == 1);
            assertThat(run(idle, fill("{{ b|upper }}"))).hasSize(1);
        } finally {
            idle.close();
        }
    }

    @Test
    void shouldRefuseWhenThePoolIsClosed() throws Exception {
        CompletableFuture<List<String>> running = started(pool, endless(1));
        await().atMost(LONG).until(() -> !pool.processes().isEmpty());
        pool.close();
        assertThatThrownBy(running::get).hasCauseInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> pool.run("campaign", fill("{{ n }}"))).isInstanceOf(CancellationException.class);
    }

    @Test
    void shouldHaveNothingBeyondTheDomainOnTheClassPath() {
        List<Path> classPath = ComputeCommand.classPath();

        assertThat(classPath.stream().map(Path::toString))
                .anyMatch(path -> path.contains("jinjava"))
                .noneMatch(path -> path.matches(".*(micronaut|temporal|postgres|junit|logback|store|web-api).*"))
                .filteredOn(path -> path.matches(".*/(domain|work)/target/(classes|assay-[^/]*[.]jar)"))
                .hasSize(2);
    }

    @Test
    void shouldReadTheOperatorsSettings() {
        assertThat(ComputeSettings.of(Map.of("ASSAY_COMPUTE_PROCESSES", "7", "ASSAY_COMPUTE_HEAP", "512")))
                .extracting(ComputeSettings::processes, ComputeSettings::heapMb)
                .containsExactly(7, 512);
        assertThat(ComputeSettings.processes(256, 2L << 30)).isEqualTo(1);
        assertThat(ComputeSettings.processes(256, 64L << 30)).isGreaterThanOrEqualTo(2);
        assertThatThrownBy(() -> ComputeSettings.of(Map.of("ASSAY_COMPUTE_PROCESSES", "65")))
                .hasMessage("ASSAY_COMPUTE_PROCESSES must be a number from 1 to 64, but is 65");
        assertThatThrownBy(() -> ComputeSettings.of(Map.of("ASSAY_COMPUTE_HEAP", "x")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
