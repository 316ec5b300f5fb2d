package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.StubBatches;
import dev.assay.cli.testing.StubModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures a batch of many lines: how long it takes until it is submitted, and from its end until all is recorded, while live
 * campaigns run beside it. {@code benchmarks/batches/scale} runs it.
 */
@Tag("slow")
@Timeout(1_800)
@EnabledIfSystemProperty(named = "assay.batches.lines", matches = "[0-9]+")
final class ProviderBatchScaleTest {

    private static final int LINES = Integer.getInteger("assay.batches.lines", 50_000);

    /** Of a live campaign: 20 at a time, 100 ms each, are 200 a second. */
    private static final int LIVE = 1_000;

    private static final int IN_FLIGHT = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    @TempDir
    Path data;

    private StubModel model;
    private KilledServer assay;

    @Test
    void shouldBuildAndCollectManyLinesBesideLiveCampaigns() throws Exception {
        try (StubBatches provider = new StubBatches();
                StubModel live = new StubModel()) {
            model = live;
            model.delay(Duration.ofMillis(100));
            model.writeProviders(data);
            Files.writeString(
                    data.resolve("providers.yaml"),
                    provider.provider("{poll: 1s, maxLines: " + LINES + "}"),
                    StandardOpenOption.APPEND);
            provider.takes(Duration.ofMinutes(10));
            assay = new KilledServer(data);
            try {
                assay.up();
                assay.api().await();
                measure(provider);
            } finally {
                assay.close();
            }
        }
    }

    private void measure(StubBatches provider) throws Exception {
        Api api = assay.api();
        rate(api, "warm");
        List<Double> alone = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            alone.add(rate(api, "alone-" + i));
        }

        Instant began = Instant.now();
        String id = api.submit(campaign("batch", LINES, "batched", "delivery: batch\n"));
        List<Double> building = new ArrayList<>();
        while (!state(api, id).equals("SUBMITTED")) {
            building.add(rate(api, "building-" + building.size()));
        }
        JsonNode batch = batch(api, id);
        Duration built = Duration.between(
                Instant.parse(batch.path("createdAt").asText()),
                Instant.parse(batch.path("submittedAt").asText()));
        Duration toSubmitted =
                Duration.between(began, Instant.parse(batch.path("submittedAt").asText()));

        Instant ended = Instant.now();
        provider.takes(Duration.ZERO);
        List<Double> collecting = new ArrayList<>();
        while (!state(api, id).equals("COLLECTED")) {
            collecting.add(rate(api, "collecting-" + collecting.size()));
        }
        Duration collected = Duration.between(ended, Instant.now());
        await().atMost(PATIENCE).until(() -> api.state(id).equals("COMPLETED"));
        Duration completed = Duration.between(ended, Instant.now());

        assertThat(provider.submissions()).isEqualTo(1);
        assertThat(provider.accepted()).hasSize(LINES);
        assertThat(api.campaign(id).at("/progress/cellsDone").asInt()).isEqualTo(LINES);
        System.out.printf(
                "scale of batches: %d lines; %.1f s from the request to the submission, %.1f s of them after the"
                    + " enlisting; at most %.1f s from its end to the last line, %.1f s to the end of the"
                    + " campaign%nscale of batches: live cells a second alone %s, beside the building %s, beside the"
                    + " collecting %s%n",
                LINES,
                toSubmitted.toMillis() / 1000.0,
                built.toMillis() / 1000.0,
                collected.toMillis() / 1000.0,
                completed.toMillis() / 1000.0,
                alone,
                building,
                collecting);
    }

    /** Cells a second of a live campaign. */
    private static double rate(Api api, String name) throws Exception {
        Instant began = Instant.now();
        String id = api.submit(campaign(name, LIVE, "stub", ""));
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> api.state(id).equals("COMPLETED"));
        return Math.round(LIVE * 1e4 / Duration.between(began, Instant.now()).toMillis()) / 10.0;
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
