package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.StubBatches;
import dev.assay.cli.testing.StubBatches.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Batches outlive the key that submitted them, other installations in its account, and a list that nobody may read; {@code benchmarks/batches/kills} runs it. */
@Tag("slow")
@EnabledIfSystemProperty(named = "assay.proof", matches = "true")
final class ProviderBatchKeysTest {

    private static final Duration LONG = Duration.ofHours(1);

    /** Several looks at a batch, and at the file of the key. */
    private static final Duration A_WHILE = Duration.ofSeconds(6);

    @TempDir
    Path temporary;

    private final List<KilledServer> installations = new ArrayList<>();
    private StubBatches provider;
    private Path key;

    @BeforeEach
    void prepare() throws IOException {
        provider = new StubBatches();
        key = temporary.resolve("key");
        uses("account-a.1");
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (KilledServer one : installations) {
            one.close();
        }
        provider.close();
    }

    /** The key in its file, which is looked at every five seconds. */
    private void uses(String value) throws IOException {
        Files.writeString(key, value);
    }

    private KilledServer installation(String name) throws Exception {
        return installation(name, "keyVariable: BATCH_KEY");
    }

    private KilledServer installation(String name, String keys) throws Exception {
        Path data = temporary.resolve(name);
        provider.writeKeyed(data, keys);
        KilledServer server = new KilledServer(
                data,
                Map.of(
                        "BATCH_KEY_FILE",
                        key.toString(),
                        "OTHER_KEY",
                        "account-a.9",
                        "ASSAY_BATCHES_UNTIL_LISTED",
                        "2s",
                        "ASSAY_BATCHES_RETRY",
                        "1s"));
        installations.add(server);
        server.up();
        server.api().await();
        return server;
    }

    private static String campaign(String name) {
        return "name: %1$s\ncases: [{id: a, prompt: %1$s 0}, {id: b, prompt: %1$s 1}]\n".formatted(name)
                + "branches: [{id: small, provider: batched, model: m}]\ndelivery: batch\n";
    }

    private long accepted(String name) {
        return provider.accepted().stream()
                .filter(body -> body.contains("\"" + name + " "))
                .count();
    }

    private static JsonNode batch(Api api, String id) throws Exception {
        return api.get("/api/v1/batches?campaign=" + id).path("items").path(0);
    }

    private static void awaitState(Api api, String id, String state) {
        await().atMost(Api.PATIENCE)
                .until(() -> batch(api, id).path("state").asText().equals(state));
    }

    private static void awaitHealth(Api api, String id, String code) {
        await().atMost(Api.PATIENCE)
                .until(() -> api.campaign(id).path("health").toString().contains(code));
    }

    private static void awaitEnd(Api api, String id) {
        await().atMost(Api.PATIENCE).until(() -> api.state(id).equals("COMPLETED"));
    }

    @Test
    void shouldGoOnWithARotatedKeyAndWaitWhileTheKeyIsOfAnotherAccount() throws Exception {
        Api api = installation("one").api();
        provider.takes(LONG);
        String out = api.submit(campaign("out"));
        awaitState(api, out, "SUBMITTED");

        uses("account-b.1");
        awaitHealth(api, out, "BATCH_UNREACHABLE");
        assertThat(api.campaign(out).path("health").toString()).contains("Key default of account ");

        provider.plant(List.of(new Fault("lost", "submit", "lose")));
        String lost = api.submit(campaign("lost"));
        awaitState(api, lost, "SUBMITTING");
        uses("account-c.1");
        awaitHealth(api, lost, "BATCH_UNCERTAIN");
        int submissions = provider.submissions();
        await().during(A_WHILE).atMost(A_WHILE.multipliedBy(2)).until(() -> provider.submissions() == submissions);
        assertThat(accepted("lost")).isEqualTo(2);

        uses("account-b.2");
        awaitState(api, lost, "SUBMITTED");
        provider.takes(Duration.ZERO);
        awaitEnd(api, lost);
        uses("account-a.2");
        awaitEnd(api, out);

        assertThat(accepted("out")).isEqualTo(2);
        assertThat(accepted("lost")).isEqualTo(2);
    }

    @Test
    void shouldSubmitNothingWhileTheListCannotBeReadAndFreeTheCellsWhenTheBatchIsAbandoned() throws Exception {
        KilledServer server = installation("one");
        Api api = server.api();
        provider.plant(List.of(new Fault("unread", "submit", "lose")));
        String id = api.submit(campaign("unread"));
        await().atMost(Api.PATIENCE).until(() -> accepted("unread") == 2);
        provider.plant(Collections.nCopies(1_000, new Fault("", "list", "403")));

        awaitHealth(api, id, "BATCH_UNCERTAIN");
        String batch = batch(api, id).path("id").asText();
        await().during(A_WHILE).atMost(A_WHILE.multipliedBy(2)).until(() -> provider.submissions() == 1);
        assertThat(batch(api, id).path("state").asText()).isEqualTo("UNCERTAIN");

        String address = api.endpoints().orElseThrow().api().toString();
        assertThat(CommandRun.of("batch", "abandon", batch, "--yes", "--server", address)
                        .code())
                .isZero();
        await().atMost(Api.PATIENCE)
                .until(() ->
                        api.get("/api/v1/batches?campaign=" + id).path("items").size() == 2);
        assertThat(provider.submissions()).isEqualTo(1);
        provider.mend();
        awaitEnd(api, id);

        assertThat(accepted("unread")).as("once given up, and once again").isEqualTo(4);
        // The lines that were given up count at their worst case.
        assertThat(api.campaign(id).at("/account/spentUsd").decimalValue()).isEqualByComparingTo("0.20");
    }

    @Test
    void shouldSubmitWithAnotherKeyWhenTheFirstIsRefused() throws Exception {
        Api api = installation("one", "keys: [{name: main, variable: BATCH_KEY}, {name: other, variable: OTHER_KEY}]")
                .api();
        // Whichever is taken first is refused.
        provider.plant(List.of(new Fault("refused", "submit", "401")));

        String id = api.submit(campaign("refused"));
        awaitEnd(api, id);

        assertThat(provider.keys()).hasSize(2).containsExactlyInAnyOrder("account-a.1", "account-a.9");
        assertThat(accepted("refused")).isEqualTo(2);
    }

    @Test
    void shouldTellItsBatchesFromThoseOfAnotherInstallationInTheSameAccount() throws Exception {
        Api one = installation("one").api();
        Api two = installation("two").api();
        provider.plant(Collections.nCopies(2, new Fault("same", "submit", "lose")));

        String first = one.submit(campaign("same"));
        String second = two.submit(campaign("same"));
        awaitEnd(one, first);
        awaitEnd(two, second);

        assertThat(accepted("same")).isEqualTo(4);
        assertThat(batch(one, first).path("providerId").asText())
                .isNotEmpty()
                .isNotEqualTo(batch(two, second).path("providerId").asText());
        for (JsonNode campaign : List.of(one.campaign(first), two.campaign(second))) {
            assertThat(campaign.at("/account/spentUsd").decimalValue()).isEqualByComparingTo("0.10");
        }
    }
}
