package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.StubBatches;
import dev.assay.standalone.server.Endpoints;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of server and PostgreSQL while a batch is at each of its steps: no line is accepted twice, and each cell has an outcome. */
@Tag("slow")
final class ProviderBatchCrashTest {

    private static final int CASES = 6;

    /** The steps that may cost money twice; {@code -Dassay.proof=true} takes all. */
    private static final List<String> DEAREST = List.of("submit", "submitted", "content");

    private static final List<String> ALL =
            List.of("upload", "uploaded", "list", "submit", "submitted", "status", "content", "delete");

    @TempDir
    Path temporary;

    private StubBatches provider;
    private KilledServer assay;

    @BeforeEach
    void prepare() throws Exception {
        provider = new StubBatches();
        provider.writeProviders(temporary.resolve("data"), "{poll: 1s}");
        assay = new KilledServer(temporary.resolve("data"), Map.of("ASSAY_BATCHES_UNTIL_LISTED", "2s"));
    }

    @AfterEach
    void stop() throws Exception {
        assay.close();
        provider.close();
    }

    private static String campaign(String name) {
        String cases = IntStream.range(0, CASES)
                .mapToObj(i -> "  - {id: case-%d, prompt: %s %d, checks: [{type: contains, value: Paris}]}%n"
                        .formatted(i, name, i))
                .collect(Collectors.joining());
        return "name: " + name + "\ncases:\n" + cases
                + "branches: [{id: small, provider: batched, model: m}]\ndelivery: batch\n";
    }

    private long accepted(String name) {
        return provider.accepted().stream()
                .filter(body -> body.contains("\"" + name + " "))
                .count();
    }

    @Test
    void shouldPayNoLineTwiceWhenServerAndPostgresAreKilledAtAStepOfABatch() throws Exception {
        Process server = assay.up();
        for (String step : Boolean.getBoolean("assay.proof") ? ALL : DEAREST) {
            Endpoints endpoints = assay.api().await();
            provider.holdAt(step);
            String id = assay.api().submit(campaign(step));
            assertThat(provider.isReached(Duration.ofSeconds(60))).as(step).isTrue();

            assay.kill(server, endpoints);
            provider.release();
            server = assay.up();
            assay.api().await();
            await().atMost(Api.PATIENCE).until(() -> assay.api().state(id).equals("COMPLETED"));

            assertThat(accepted(step)).as(step).isEqualTo(CASES);
            assertThat(assay.api().campaign(id).at("/account/spentUsd").decimalValue())
                    .as(step)
                    .isEqualByComparingTo("0.30");
            JsonNode outcomes =
                    assay.api().get("/api/v1/campaigns/" + id + "/outcomes").path("items");
            assertThat(outcomes)
                    .as(step)
                    .hasSize(CASES)
                    .allMatch(one -> one.path("status").asText().equals("COMPLETED")
                            && one.path("attempts").asInt() == 1);
        }
    }
}
