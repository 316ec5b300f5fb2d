package dev.assay.work.compute.pool;

import static dev.assay.work.compute.pool.PoolTasks.checks;
import static dev.assay.work.compute.pool.PoolTasks.endless;
import static dev.assay.work.compute.pool.PoolTasks.fill;
import static dev.assay.work.compute.pool.PoolTasks.pool;
import static dev.assay.work.compute.pool.PoolTasks.run;
import static dev.assay.work.compute.pool.PoolTasks.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.work.compute.Answered;
import dev.assay.work.compute.Computed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Processes of a pool that are killed, that freeze or that do not start: their tasks are answered by others. */
@Tag("slow")
class LostProcessTest {

    private static final int TASKS = 300;
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void shouldGiveATaskToAnotherProcessOnceWhenItsProcessIsKilled() throws Exception {
        ComputePool patient = pool(1, Duration.ofSeconds(5), LONG, LONG);
        try {
            CompletableFuture<List<String>> once = started(patient, endless(1));
            killBusy(patient);
            assertThat(once.get()).containsExactly("took more than 5 s");

            CompletableFuture<List<String>> again = started(patient, endless(2));
            killBusy(patient);
            killBusy(patient);
            assertThat(again.get()).containsExactly("ended its compute process twice");
            assertThat(run(patient, fill("{{ n }}{{ b|upper }}"))).allMatch(said -> said.contains("1YYYY"));
        } finally {
            patient.close();
        }
    }

    @Test
    void shouldGiveATaskToAnotherProcessWhenItsProcessIsFrozen() throws Exception {
        ComputePool patient = pool(1, LONG, Duration.ofSeconds(6), LONG);
        try {
            assertThat(run(patient, fill("{{ b|upper }}"))).hasSize(1);
            signal("STOP", patient.processes().getFirst());
            assertThat(run(patient, fill("{{ b|upper }}")).getFirst()).contains("YYYY");
        } finally {
            patient.close();
        }
    }

    /** Some of its process's deaths may hit a task twice; no task is lost, and none is answered wrongly. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldAnswerEveryTaskWhenProcessesAreKilledAndFrozenAtRandom() throws Exception {
        ComputePool hunted = pool(2, LONG, Duration.ofSeconds(3), LONG);
        Random random = new Random(30);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        Thread hunter = Thread.ofVirtual().start(() -> hunt(hunted, random, answered, isOver));
        try {
            List<CompletableFuture<Map<String, Long>>> campaigns = IntStream.range(0, 4)
                    .mapToObj(campaign -> CompletableFuture.supplyAsync(
                            () -> answers(hunted, "campaign-" + campaign, answered), Thread.ofVirtual()::start))
                    .toList();
            for (CompletableFuture<Map<String, Long>> campaign : campaigns) {
                Map<String, Long> answers = campaign.get();
                assertThat(answers.keySet())
                        .contains("PASSED, FAILED")
                        .allMatch(answer -> answer.matches("(PASSED|ended .*|took .*), (FAILED|ended .*|took .*)"));
                assertThat(answers.get("PASSED, FAILED")).isGreaterThan(TASKS * 8L / 10);
            }
        } finally {
            isOver.set(true);
            hunter.join();
            hunted.close();
        }
    }

    /** How often each answer came, one task after the other. */
    private static Map<String, Long> answers(ComputePool pool, String campaign, AtomicInteger answered) {
        return IntStream.range(0, TASKS)
                .mapToObj(i -> pool.runToEnd(campaign, checks("Paris is nice " + i, "P.ris", "^London")).stream()
                        .map(PoolTasks::said)
                        .collect(Collectors.joining(", ")))
                .peek(_ -> answered.incrementAndGet())
                .collect(Collectors.groupingBy(answer -> answer, Collectors.counting()));
    }

    /** Strikes again only after an answer: on a busy machine no process would live long enough to start otherwise. */
    private static void hunt(ComputePool pool, Random random, AtomicInteger answered, AtomicBoolean isOver) {
        while (!isOver.get()) {
            int before = answered.get();
            List<Long> alive = pool.processes();
            if (!alive.isEmpty()) {
                long pid = alive.get(random.nextInt(alive.size()));
                String signal = random.nextInt(4) == 0 ? "STOP" : "KILL";
                try {
                    new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                            .start()
                            .waitFor();
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            await().atMost(LONG)
                    .pollDelay(Duration.ofMillis(random.nextInt(1, 1_000)))
                    .until(() -> answered.get() > before || isOver.get());
        }
    }

    /** Kills the process that computes: it takes more time of a processor than others take to start. */
    private static void killBusy(ComputePool in) throws Exception {
        await().atMost(LONG).until(() -> in.processes().stream().anyMatch(LostProcessTest::isBusy));
        long pid = in.processes().stream()
                .filter(LostProcessTest::isBusy)
                .findFirst()
                .orElseThrow();
        signal("KILL", pid);
        await().atMost(LONG).until(() -> !in.processes().contains(pid));
    }

    private static boolean isBusy(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .filter(cpu -> cpu.toMillis() > 2_000)
                .isPresent();
    }

    private static void signal(String signal, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void shouldBeDownWhenNoProcessStartsAndHealWhenOneDoes() throws Exception {
        AtomicReference<Boolean> works = new AtomicReference<>(false);
        ComputeSettings settings = new ComputeSettings(1, 64, SECOND, LONG, LONG, List.of());
        ComputePool broken = new ComputePool(
                settings,
                Duration.ofMillis(200),
                classPath -> works.get() ? ComputeCommand.of(settings, classPath) : List.of("/bin/false"));
        try {
            CompletableFuture<List<Computed<Answered>>> waiting =
                    CompletableFuture.supplyAsync(() -> broken.runToEnd("campaign", fill("{{ b|upper }}")));
            await().atMost(LONG).until(broken::isDown);
            assertThat(waiting).isNotDone();
            works.set(true);
            assertThat(waiting.get()).hasSize(1);
            assertThat(broken.isDown()).isFalse();
        } finally {
            broken.close();
        }
    }
}
