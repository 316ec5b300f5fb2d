package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.StubBatches;
import dev.assay.cli.testing.StubModel;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures a batch of many lines: how long it takes until it is submitted, and from its end until all is recorded; what a live campaign
 * beside it records a second meanwhile; and what it adds to the heap that is in use. {@code benchmarks/batches/scale} runs it.
 */
@Tag("slow")
@Timeout(1_800)
@EnabledIfSystemProperty(named = "assay.batches.lines", matches = "[0-9]+")
final class ProviderBatchScaleTest {

    private static final int LINES = Integer.getInteger("assay.batches.lines", 50_000);

    private static final int IN_FLIGHT = 20;

    /** At 200 a second, the live campaign outlasts the batch. */
    private static final int LIVE = 60_000;

    private static final Duration PATIENCE = Duration.ofMinutes(15);

    @TempDir
    Path data;

    private KilledServer assay;
    private Process server;

    /** A part of the time, and what is measured in it. */
    @FunctionalInterface
    private interface Measure {
        double until(Callable<Boolean> isOver) throws Exception;
    }

    @Test
    void shouldBuildAndCollectManyLinesBesideALiveCampaign() throws Exception {
        try (StubBatches provider = new StubBatches();
                StubModel model = new StubModel()) {
            model.delay(Duration.ofMillis(100));
            model.writeProviders(data);
            start(provider);
            Api api = assay.api();
            String live = api.submit(campaign("live", LIVE, "stub", ""));
            await().atMost(PATIENCE).until(() -> done(api, live) > 2_000);

            measure("live cells a second", provider, isOver -> rate(api, live, isOver));

            assertThat(api.state(live)).as("it ran all the time").isEqualTo("RUNNING");
        } finally {
            assay.close();
        }
    }

    @Test
    void shouldAddLittleToTheHeapInUse() throws Exception {
        try (StubBatches provider = new StubBatches()) {
            start(provider);
            String first = assay.api().submit(campaign("first", 1_000, "batched", "delivery: batch\n"));
            await().atMost(PATIENCE).until(() -> state(assay.api(), first).equals("SUBMITTED"));
            provider.takes(Duration.ZERO);
            await().atMost(PATIENCE).until(() -> assay.api().state(first).equals("COMPLETED"));
            provider.takes(Duration.ofMinutes(10));

            measure("most MB in use", provider, this::mostInUse);
        } finally {
            assay.close();
        }
    }

    private void start(StubBatches provider) throws Exception {
        Files.createDirectories(data);
        Files.writeString(
                data.resolve("providers.yaml"),
                (Files.exists(data.resolve("providers.yaml")) ? "" : "providers:\n")
                        + provider.provider("{poll: 1s, maxLines: " + LINES + "}"),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        provider.takes(Duration.ofMinutes(10));
        assay = new KilledServer(data);
        server = assay.up();
        assay.api().await();
    }

    private void measure(String what, StubBatches provider, Measure measure) throws Exception {
        Api api = assay.api();
        int submitted = provider.submissions();
        Instant began = Instant.now();
        double alone = measure.until(() -> Instant.now().isAfter(began.plusSeconds(30)));

        Instant requested = Instant.now();
        String id = api.submit(campaign("batch", LINES, "batched", "delivery: batch\n"));
        double building = measure.until(() -> state(api, id).equals("SUBMITTED"));
        Duration built = Duration.between(requested, Instant.now());

        Instant ended = Instant.now();
        provider.takes(Duration.ZERO);
        double collecting = measure.until(() -> state(api, id).equals("COLLECTED"));
        Duration collected = Duration.between(ended, Instant.now());
        await().atMost(PATIENCE).until(() -> api.state(id).equals("COMPLETED"));

        assertThat(provider.submissions()).isEqualTo(submitted + 1);
        assertThat(done(api, id)).isEqualTo(LINES);
        System.out.printf(
                "scale of batches: %d lines, %.1f s to the submission, %.1f s from the end to the last line; %s: alone"
                        + " %.1f, beside the building %.1f, beside the collecting %.1f%n",
                LINES, built.toMillis() / 1000.0, collected.toMillis() / 1000.0, what, alone, building, collecting);
    }

    /** Cells of the campaign that are recorded a second until then. */
    private static double rate(Api api, String live, Callable<Boolean> isOver) throws Exception {
        Instant began = Instant.now();
        int before = done(api, live);
        until(isOver, Duration.ofMillis(500), () -> {});
        return (done(api, live) - before)
                * 1e3
                / Duration.between(began, Instant.now()).toMillis();
    }

    /** The most that objects in use took in the heap of the server until then, in MB of 2^20 bytes. */
    private double mostInUse(Callable<Boolean> isOver) throws Exception {
        double[] most = {0};
        until(isOver, Duration.ofSeconds(1), () -> most[0] = Math.max(most[0], inUse()));
        return most[0];
    }

    /** What a full collection leaves. */
    private double inUse() throws Exception {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(server.pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines = jcmd.inputReader()) {
            String total = lines.lines()
                    .filter(line -> line.startsWith("Total"))
                    .findFirst()
                    .orElseThrow();
            return Double.parseDouble(total.split(" +", 3)[2].strip()) / (1 << 20);
        }
    }

    /** An action that may fail. */
    @FunctionalInterface
    private interface Look {
        void take() throws Exception;
    }

    private static void until(Callable<Boolean> isOver, Duration each, Look look) {
        await().atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(each).until(() -> {
            look.take();
            return isOver.call();
        });
    }

    private static int done(Api api, String id) throws Exception {
        return api.campaign(id).at("/progress/cellsDone").asInt();
    }

    private static JsonNode batch(Api api, String id) throws Exception {
        return api.get("/api/v1/batches?campaign=" + id).path("items").path(0);
    }

    private static String state(Api api, String id) throws Exception {
        return batch(api, id).path("state").asText();
    }

    private static String campaign(String name, int cases, String provider, String more) {
        return "name: " + name + "\ncases:\n"
                + IntStream.range(0, cases)
                        .mapToObj(i -> "  - {id: case-%d, prompt: %s %d, checks: [{type: contains, value: Paris}]}%n"
                                .formatted(i, name, i))
                        .collect(Collectors.joining())
                + "branches: [{id: small, provider: " + provider + ", model: m}]\nlimits: {maxConcurrent: " + IN_FLIGHT
                + "}\n" + more;
    }
}
