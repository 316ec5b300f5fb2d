package dev.assay.web.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.outage.KeyRepository;
import dev.assay.store.outage.SeenKey;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.web.ServerFixture;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class KeysApiTest {

    private static final String KEYS = "/api/v1/providers/two/keys/";
    private static final String DRAIN = "{\"state\": \"draining\", \"reason\": \"rotated\"}";
    private static final String ENABLE = "{\"state\": \"enabled\", \"reason\": \"mended\"}";

    private ServerFixture server;

    @BeforeEach
    void start() {
        server = ServerFixture.start();
        ProviderInfo two = new ProviderInfo(
                "two",
                null,
                true,
                "KEY_A",
                50,
                4_096,
                Map.of(),
                List.of(),
                List.of(
                        new ProviderKey("main", "KEY_A", 1, "main"),
                        new ProviderKey("second", "KEY_B", 2, "org"),
                        new ProviderKey("third", "KEY_C", 1, "org")));
        server.get(WorkerRepository.class)
                .register(new WorkerRepository.Worker("w", "host", 1, "test", List.of(), List.of(two)));
        tell("main", "aaaaaaaaaaaa", false);
        tell("second", "bbbbbbbbbbbb", false);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void tell(String name, String fingerprint, boolean isRefused) {
        SeenKey.Refused refused = isRefused
                ? new SeenKey.Refused(
                        Outage.Reason.AUTH, 5, "No", List.of(new ModelPool("two", ModelPool.DEFAULT_ACCOUNT, "m")))
                : null;
        server.get(KeyRepository.class)
                .tell("w", List.of(new SeenKey(new KeyMark("two", name, fingerprint), false, null, refused)));
    }

    private JsonNode keys() {
        for (JsonNode provider : server.json("/api/v1/providers").get("items")) {
            if (provider.get("name").asText().equals("two")) {
                return provider.get("keys");
            }
        }
        throw new AssertionError("The provider is not listed");
    }

    @Test
    void shouldShowTheKeysOfAProvider() {
        assertThat(keys()).isEqualTo(Json.tree("""
            [{"name": "main", "account": "main", "variable": "KEY_A", "weight": 1, "state": "enabled", "reason": null,
              "since": null, "workers": 1,
              "values": [{"fingerprint": "aaaaaaaaaaaa", "state": "enabled", "reason": null, "workers": 1}]},
             {"name": "second", "account": "org", "variable": "KEY_B", "weight": 2, "state": "enabled", "reason": null,
              "since": null, "workers": 1,
              "values": [{"fingerprint": "bbbbbbbbbbbb", "state": "enabled", "reason": null, "workers": 1}]},
             {"name": "third", "account": "org", "variable": "KEY_C", "weight": 1, "state": "missing", "reason": null,
              "since": null, "workers": 0, "values": []}]\
            """));
    }

    @Test
    void shouldShowWhyAKeyIsNotUsed() {
        tell("main", "aaaaaaaaaaaa", true);

        JsonNode main = keys().get(0);

        assertThat(main.get("state").asText()).isEqualTo("disabled");
        assertThat(main.get("reason").asText()).isEqualTo("AUTH");
        assertThat(main.get("since").isNull()).isFalse();
        assertThat(main.at("/values/0/state").asText()).isEqualTo("disabled");
    }

    @Test
    void shouldSayInTheHealthOfACampaignWhichKeyNoWorkerHas() {
        server.get(CampaignRepository.class)
                .create(
                        "c",
                        CampaignReader.read(
                                CampaignDocument.parse("""
                                    name: keys
                                    cases: [{id: only, prompt: Hello?}]
                                    branches: [{id: b, provider: two, model: m}]
                                    """),
                                Map.of("two", new ProviderInfo("two", true, "KEY_A", 50, 4_096, Map.of()))));

        assertThat(messages())
                .contains("Key third of provider two is missing: no live worker has KEY_C. 2 of 3 keys go on.");

        tell("third", "cccccccccccc", false);
        assertThat(messages()).noneMatch(message -> message.contains("is missing"));
    }

    private List<String> messages() {
        return server.json("/api/v1/campaigns/c").at("/health/reasons").findValuesAsText("message");
    }

    @Test
    void shouldDrainAndEnableAKey() {
        HttpResponse<String> drained = server.patch(KEYS + "second", DRAIN);

        assertThat(drained.statusCode()).as(drained.body()).isEqualTo(200);
        assertThat(Json.tree(drained.body())).isEqualTo(keys().get(1));
        assertThat(Json.tree(server.patch(KEYS + "second", DRAIN).body()))
                .as("sent twice it is the same")
                .isEqualTo(keys().get(1));
        assertThat(keys().get(1).get("state").asText()).isEqualTo("draining");
        assertThat(keys().get(1).get("reason").asText()).isEqualTo("rotated");

        HttpResponse<String> last = server.patch(KEYS + "main", DRAIN);
        assertThat(last.statusCode()).isEqualTo(409);
        assertThat(last.body()).contains("Pause the campaigns instead");

        assertThat(server.patch(KEYS + "second", ENABLE).statusCode()).isEqualTo(200);
        assertThat(keys().get(1).get("state").asText()).isEqualTo("enabled");
        assertThat(server.patch(KEYS + "main", DRAIN).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldRecordWhoChangedAKeyAndWhy() {
        server.patch(KEYS + "second", DRAIN);
        server.patch(KEYS + "second", DRAIN);
        server.patch(KEYS + "second", ENABLE);
        server.patch(KEYS + "second", ENABLE);
        tell("second", "bbbbbbbbbbbb", true);
        tell("second", "bbbbbbbbbbbb", true);
        server.get(KeyRepository.class).taken("two", "second/bbbbbbbbbbbb");

        JsonNode changes = server.json("/api/v1/providers/two/changes").path("items");

        assertThat(changes.findValuesAsText("name")).containsOnly("key/second");
        assertThat(changes.findValuesAsText("account")).containsOnly("org");
        assertThat(changes.findValuesAsText("new")).containsExactly("enabled", "disabled", "enabled", "draining");
        assertThat(changes.findValuesAsText("why")).containsOnly("key");
        assertThat(changes.findValuesAsText("who")).containsExactly("assay", "w", "local", "local");
        assertThat(changes.findValuesAsText("reason")).containsExactly("null", "AUTH", "mended", "rotated");
    }

    @Test
    void shouldNotDrainTheLastKeyWhenTheOtherIsRefused() {
        tell("second", "bbbbbbbbbbbb", true);

        assertThat(server.patch(KEYS + "main", DRAIN).statusCode()).isEqualTo(409);
    }

    @Test
    void shouldAnswerNotFoundWhenThereIsNoSuchKey() {
        assertThat(server.patch(KEYS + "fourth", DRAIN).statusCode()).isEqualTo(404);
        assertThat(server.patch(KEYS + "%00", DRAIN).statusCode()).isIn(400, 404);
        assertThat(server.patch("/api/v1/providers/none/keys/main", DRAIN).statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "null",
                "[]",
                "{\"state\": \"draining\"}",
                "{\"state\": \"disabled\", \"reason\": \"r\"}",
                "{\"state\": 5, \"reason\": \"r\"}",
                "{\"state\": \"draining\", \"reason\": \"\"}",
                "{\"state\": \"draining\", \"reason\": \"a\\u0000b\"}",
                "{\"state\": \"draining\", \"reason\": \"\\ud800\"}",
                "{\"state\": \"draining\", \"reason\": \"r\", \"value\": \"sk\"}"
            })
    void shouldChangeNothingWhenTheBodyIsWrong(String body) {
        HttpResponse<String> answer = server.patch(KEYS + "main", body);

        assertThat(answer.statusCode()).as(answer.body()).isIn(400, 422);
        assertThat(keys().get(0).get("state").asText()).isEqualTo("enabled");
    }
}
