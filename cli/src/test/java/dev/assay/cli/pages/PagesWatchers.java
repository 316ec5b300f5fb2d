package dev.assay.cli.pages;

import static org.awaitility.Awaitility.await;

import dev.assay.cli.Assay;
import dev.assay.cli.testing.Api;
import dev.assay.standalone.testing.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What those cost who watch a running campaign; run by benchmarks/pages/watchers, not with the tests. */
class PagesWatchers {

    private static final int WATCHERS = Integer.getInteger("assay.benchmark.watchers", 50);
    private static final int ROUNDS = Integer.getInteger("assay.benchmark.rounds", 3);
    private static final Duration SPAN = Duration.ofSeconds(20);

    /** Two hundred cells a second for as long as anybody measures. */
    private static final String CAMPAIGN = """
        {"name": "watched", "cases": [%s], "trials": 1000, "branches": [
          {"id": "a", "kind": "scripted", "script": {"answers": ["yes"], "delayMs": 100}},
          {"id": "b", "kind": "scripted", "script": {"answers": ["no"], "delayMs": 100}}],
         "strategy": {"type": "pick-first"}, "limits": {"maxConcurrent": 20}}
        """.formatted(String.join(
            ",",
            IntStream.range(0, 200)
                    .mapToObj(i -> "{\"id\": \"case-" + i + "\", \"prompt\": \"Yes?\"}")
                    .toList()));

    @TempDir
    private Path data;

    private final List<Process> watchers = new ArrayList<>();

    @Test
    @Timeout(1800)
    void measures() throws Exception {
        Process server =
                JavaProcess.start(Assay.class, "up", "--engine", "in-process", "--data", data + "", "--port", "0");
        try (Api api = new Api(data)) {
            String address = api.await().api() + "/api/v1/campaigns/" + api.submit(CAMPAIGN);
            await().atMost(SPAN.multipliedBy(2)).pollDelay(SPAN).until(server::isAlive);
            double none = 0;
            double watched = 0;
            for (int round = 0; round < ROUNDS; round++) {
                none += share(server, "nobody watches");
                for (int i = 0; i < WATCHERS; i++) {
                    watchers.add(watch(address + "/events?matrix=true"));
                }
                watched += share(server, WATCHERS + " watch");
                watchers.forEach(Process::destroy);
                watchers.clear();
            }
            System.out.printf(
                    "%d watchers: %.4f of a core together, %.5f each%n",
                    WATCHERS, (watched - none) / ROUNDS, (watched - none) / ROUNDS / WATCHERS);
        } finally {
            watchers.forEach(Process::destroy);
            server.destroy();
            server.waitFor();
        }
    }

    private static Process watch(String address) throws Exception {
        return new ProcessBuilder("curl", "-sN", address)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Share of a core that the server and PostgreSQL take for a while. */
    private double share(Process server, String when) throws IOException {
        await().pollDelay(Duration.ofSeconds(2)).until(server::isAlive);
        double before = CpuTime.seconds(server.toHandle(), data);
        long start = System.nanoTime();
        await().atMost(SPAN.multipliedBy(2)).pollDelay(SPAN).until(server::isAlive);
        double share = (CpuTime.seconds(server.toHandle(), data) - before) / ((System.nanoTime() - start) / 1e9);
        System.out.printf("%s: %.4f of a core%n", when, share);
        return share;
    }
}
