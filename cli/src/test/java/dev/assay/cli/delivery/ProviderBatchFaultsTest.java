package dev.assay.cli.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubBatches;
import dev.assay.cli.testing.StubBatches.Fault;
import dev.assay.standalone.server.AssayServer;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each fault of a provider at each step of a batch, all at the same time: no line is accepted twice, each cell ends once, and what is spent
 * is what the provider bills.
 */
@Tag("slow")
final class ProviderBatchFaultsTest {

    private static final int CASES = 5;

    /** One for each case, by batch. */
    private static final BigDecimal BILLED = new BigDecimal("0.05");

    private static final List<String> STEPS = List.of("upload", "submit", "list", "poll", "results", "cancel");
    private static final List<String> FAULTS = List.of("429", "503", "lose", "drop", "hang");

    /** Longer than the client waits for an answer; {@code -Dassay.proof=true} takes it. */
    private static final Duration SILENCE =
            Boolean.getBoolean("assay.proof") ? Duration.ofSeconds(65) : Duration.ofSeconds(2);

    private static StubBatches provider;
    private static AssayServer server;
    private static Api api;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        provider = new StubBatches();
        provider.writeProviders(data, "{poll: 1s}");
        provider.hangs(SILENCE);
        System.setProperty("assay.batches.until-listed", "2s");
        System.setProperty("assay.batches.retry", "1s");
        server = InProcessServer.start(data);
        api = new Api(data);
    }

    @AfterAll
    static void stop() {
        api.close();
        server.close();
        provider.close();
    }

    private static String submit(String name) throws Exception {
        return api.submit("name: " + name + "\ncases:\n"
                + IntStream.range(0, CASES)
                        .mapToObj(i -> "  - {id: case-%d, prompt: %s %d}%n".formatted(i, name, i))
                        .collect(Collectors.joining())
                + "branches: [{id: small, provider: batched, model: m}]\ndelivery: batch\n");
    }

    /**
     * A fault twice, or once where what was asked for is done. The reply to a submission is lost where lists fail: only then does what
     * they say decide.
     */
    private static List<Fault> faults(String name, String step, String what) {
        List<Fault> all = new ArrayList<>();
        if (step.equals("list")) {
            all.add(new Fault(name, "submit", "lose"));
        }
        boolean isDone = what.equals("lose") && (step.equals("submit") || step.equals("cancel"));
        all.addAll(Collections.nCopies(isDone ? 1 : 2, new Fault(step.equals("list") ? "" : name, step, what)));
        return all;
    }

    private static long accepted(String name) {
        return provider.accepted().stream()
                .filter(body -> body.contains("\"" + name + " "))
                .count();
    }

    private static boolean isOver(String id) throws Exception {
        for (JsonNode batch : api.get("/api/v1/batches?campaign=" + id).path("items")) {
            if (!batch.path("state").asText().equals("COLLECTED")) {
                return false;
            }
        }
        return true;
    }

    @Test
    void shouldPayEachLineOnceWhateverFailsAtAStep() throws Exception {
        Map<String, String> campaigns = new LinkedHashMap<>();
        provider.takesBy(prompt -> prompt.startsWith("cancel-") ? Duration.ofHours(1) : Duration.ZERO);
        for (String step : STEPS) {
            for (String what : FAULTS) {
                String name = step + "-" + what;
                provider.plant(faults(name, step, what));
                campaigns.put(name, submit(name));
            }
        }
        for (Map.Entry<String, String> one : campaigns.entrySet()) {
            if (one.getKey().startsWith("cancel-")) {
                await().atMost(Api.PATIENCE).until(() -> accepted(one.getKey()) == CASES);
                api.steer(one.getValue(), "cancel");
            }
        }

        for (Map.Entry<String, String> one : campaigns.entrySet()) {
            String name = one.getKey();
            String id = one.getValue();
            boolean isCancelled = name.startsWith("cancel-");
            String end = isCancelled ? "CANCELLED" : "COMPLETED";
            await().atMost(SILENCE.multipliedBy(3).plus(Api.PATIENCE))
                    .untilAsserted(() -> assertThat(api.state(id)).as(name).isEqualTo(end));
            await().atMost(Api.PATIENCE).until(() -> isOver(id));

            assertThat(accepted(name)).as(name).isEqualTo(CASES);
            assertThat(api.campaign(id).at("/account/spentUsd").decimalValue())
                    .as(name)
                    .isEqualByComparingTo(isCancelled ? BigDecimal.ZERO : BILLED.multiply(BigDecimal.valueOf(CASES)));
            assertThat(api.get("/api/v1/campaigns/" + id + "/outcomes").path("items"))
                    .as(name)
                    .hasSize(isCancelled ? 0 : CASES)
                    .allMatch(outcome -> outcome.path("status").asText().equals("COMPLETED")
                            && outcome.path("attempts").asInt() == 1);
        }
        assertThat(provider.planted()).as("faults that no request met").isEmpty();
        // Nobody knows the names of the two files whose uploads got no reply.
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(provider.files()).isEqualTo(2));
    }
}
