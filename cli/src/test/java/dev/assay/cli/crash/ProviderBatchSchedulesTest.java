package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.Assay;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.Frozen;
import dev.assay.cli.testing.KeptProcess;
import dev.assay.cli.testing.StubBatches;
import dev.assay.cli.testing.StubBatches.Fault;
import dev.assay.standalone.testing.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random schedules: campaigns whose batches meet random faults of their provider, while server, worker, PostgreSQL and Temporal are
 * killed, stopped and frozen. {@code benchmarks/batches/schedules} runs it.
 */
@Tag("slow")
@Timeout(7_200)
@EnabledIfSystemProperty(named = "assay.batches.schedules", matches = "[0-9]+")
final class ProviderBatchSchedulesTest {

    private static final int SCHEDULES = Integer.getInteger("assay.batches.schedules", 200);

    /** Schedules that run beside each other, and meet the same ends of processes. */
    private static final int TOGETHER = 10;

    private static final int CASES = 6;
    private static final Duration FROZEN = Duration.ofSeconds(65);

    /** What a campaign waits for at most: every process once more, and leases and time-outs of those that were frozen. */
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    private static final List<String> STEPS = List.of("upload", "submit", "list", "poll", "results");
    private static final List<String> WHATS = List.of("429", "500", "503", "lose", "drop", "hang");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private final long seed = Long.getLong("assay.batches.seed", System.nanoTime() % 1_000_000);
    private final Random random = new Random(seed);

    @Test
    void shouldPayEachLineOnceWhateverHappensWhen() throws Exception {
        System.out.println("schedules: -Dassay.batches.seed=" + seed);
        Set<String> expired = ConcurrentHashMap.newKeySet();
        try (StubBatches provider = new StubBatches();
                Api api = new Api(data())) {
            provider.writeProviders(data(), "{poll: 1s}");
            // Of each campaign two lines expire, once.
            provider.endBy(prompt -> {
                boolean first = prompt.endsWith(" 0") || prompt.endsWith(" 5");
                return first && expired.add(prompt) ? "expired" : "200";
            });
            try (KeptProcess up = assay("up", "--port", "0", "--engine", "dev-server")) {
                api.await();
                try (KeptProcess worker = assay("worker")) {
                    for (int done = 0; done < SCHEDULES; done += TOGETHER) {
                        round(done, Math.min(TOGETHER, SCHEDULES - done), provider, api, up, worker);
                        provider.mend();
                    }
                }
            }
        }
    }

    private void round(int first, int count, StubBatches provider, Api api, KeptProcess up, KeptProcess worker)
            throws Exception {
        Map<String, String> campaigns = new LinkedHashMap<>();
        for (int i = first; i < first + count; i++) {
            String name = "s" + i;
            provider.plant(faults(name));
            campaigns.put(name, api.submit(campaign(name)));
        }
        StringBuilder said = new StringBuilder();
        for (int strikes = 1 + random.nextInt(3); strikes > 0; strikes--) {
            Thread.sleep(random.nextInt(6_000));
            said.append(strike(api, up, worker)).append(", ");
        }
        for (Map.Entry<String, String> one : campaigns.entrySet()) {
            check(one.getKey(), one.getValue(), provider, api);
        }
        System.out.printf(
                "schedules %d to %d hold: %s%d faults left of lists%n",
                first, first + count - 1, said, provider.planted().size());
    }

    private List<Fault> faults(String name) {
        List<Fault> all = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String step = STEPS.get(random.nextInt(STEPS.size()));
            all.add(new Fault(step.equals("list") ? "" : name, step, WHATS.get(random.nextInt(WHATS.size()))));
        }
        return all;
    }

    private String strike(Api api, KeptProcess up, KeptProcess worker) throws Exception {
        return switch (random.nextInt(7)) {
            case 0, 1 -> kill("server", up.pid());
            case 2, 3 -> kill("worker", worker.pid());
            case 4 ->
                kill(
                        "PostgreSQL",
                        await().atMost(PATIENCE)
                                .until(
                                        () -> api.endpoints()
                                                .map(all -> all.pids().postgres())
                                                .orElse(0L),
                                        pid -> pid > 0));
            case 5 ->
                kill(
                        "Temporal",
                        await().atMost(PATIENCE)
                                .until(
                                        () -> api.endpoints()
                                                .map(all -> all.pids().temporal())
                                                .orElse(0L),
                                        pid -> pid > 0));
            default -> {
                Frozen.process(worker.pid(), FROZEN);
                yield "worker frozen";
            }
        };
    }

    private static String kill(String name, long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        return name + " killed";
    }

    /** A campaign that fails to end is not started anew: what stands there is the finding. */
    private static void check(String name, String id, StubBatches provider, Api api) throws Exception {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> api.state(id).equals("COMPLETED"));
        List<String> bodies = provider.accepted().stream()
                .filter(body -> body.contains("\"" + name + " "))
                .toList();
        assertThat(bodies).as(name + ": lines that were accepted").hasSize(CASES + 2);
        assertThat(Set.copyOf(bodies)).as(name).hasSize(CASES);
        JsonNode campaign = api.campaign(id);
        assertThat(campaign.at("/account/spentUsd").decimalValue()).as(name).isEqualByComparingTo("0.30");
        assertThat(api.get("/api/v1/campaigns/" + id + "/outcomes").path("items"))
                .as(name)
                .hasSize(CASES)
                .allMatch(outcome -> outcome.path("status").asText().equals("COMPLETED")
                        && outcome.path("attempts").asInt() == 1);
    }

    private static String campaign(String name) {
        return "name: " + name + "\ncases:\n"
                + IntStream.range(0, CASES)
                        .mapToObj(i -> "  - {id: case-%d, prompt: %s %d}%n".formatted(i, name, i))
                        .collect(Collectors.joining())
                + "branches: [{id: small, provider: batched, model: m}]\ndelivery: batch\n";
    }

    private Path data() {
        return temporary.resolve("data");
    }

    private KeptProcess assay(String... arguments) throws IOException {
        ProcessBuilder command = JavaProcess.of(Assay.class, arguments);
        command.environment()
                .putAll(Map.of(
                        "ASSAY_DATA",
                        data().toString(),
                        "ASSAY_BATCHES_UNTIL_LISTED",
                        "2s",
                        "ASSAY_BATCHES_RETRY",
                        "1s"));
        return KeptProcess.start(command.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        temporary.resolve(arguments[0] + ".out").toFile())));
    }
}
