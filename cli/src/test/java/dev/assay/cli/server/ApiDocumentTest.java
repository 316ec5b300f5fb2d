package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.assay.cli.testing.ApiDocument;
import dev.assay.cli.testing.ApiDocument.Operation;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every address of the OpenAPI document answers as the document says, with the results of a campaign and of an evaluation. */
@Tag("slow")
class ApiDocumentTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String CAMPAIGN = """
        {"name": "documented",
         "cases": [{"id": "france", "prompt": "Capital of France?", "tags": ["geo"],
                    "checks": [{"type": "contains", "value": "Paris"}]}],
         "trials": 2,
         "branches": [{"id": "a", "provider": "stub", "model": "m"},
                      {"id": "b", "kind": "scripted", "tools": [{"type": "calculator"}],
                       "script": {"answers": [[{"toolCalls": [{"name": "calculator", "arguments": {"expression": "1+1"}}]},
                                               "Lyon"]]}},
                      {"id": "c", "kind": "scripted", "script": {"answers": ["x"], "failures": [{"status": 400}]}}],
         "strategy": {"type": "llm-judge", "judge": {"provider": "stub", "model": "j"}, "swapPositions": true}}\
        """;

    private static final String EVALUATION = """
        {"prompts": ["Capital of France?"], "context": [{"role": "user", "content": [{"type": "text", "text": "Hi"},
            {"type": "text", "text": "there"}]}, {"role": "assistant", "content": "Hello"}],
         "branches": [{"provider": "stub", "model": "m"}, {"provider": "stub", "model": "n"}],
         "strategy": {"type": "llm-judge", "judge": {"provider": "stub", "model": "j"}}}\
        """;

    private static final String HYPOTHESES = """
        {"challenger": {"kind": "scripted", "script": {"delayMs": %d, "answers": ["{\\"evaluations\\": [{\\"id\\": \\"h1\\",
          \\"scores\\": {\\"specificity\\": 4, \\"novelty\\": 4, \\"connectionValidity\\": 4, \\"feasibility\\": 4, \\"grounding\\": 4},
          \\"verdict\\": \\"pass\\", \\"reasons\\": [\\"Clear\\"]}]}"]}},
         "hypotheses": [{"id": "h1", "statement": "Sleep loss lowers memory."}, {"id": "h2", "statement": "Tea cures colds."}]}
        """.replace("\n", "");

    private static final String PREVIEW = "{\"query\": \"Q\", \"responses\": [\"A\", \"B\"]}";

    private final Set<Operation> seen = new LinkedHashSet<>();
    private final StubModel model = new StubModel();
    private final HttpClient http = HttpClient.newHttpClient();
    private AssayServer server;
    private ApiDocument document;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        model.answerBy((name, prompt) -> name.equals("j") ? "1" : "Paris");
        model.writeProviders(data);
        Files.writeString(
                data.resolve("providers.yaml"),
                "    limits: [{models: 'limited*', requestsPerMinute: 5, tokensPerDay: 9}]\n",
                StandardOpenOption.APPEND);
        server = InProcessServer.start(data);
        document = new ApiDocument(
                CampaignDocument.parse(send("GET", "/openapi", null).body()));
    }

    @AfterEach
    void stop() {
        http.close();
        server.close();
        model.close();
    }

    @Test
    void shouldAnswerAsDocumentedWhenEveryAddressIsAsked() throws Exception {
        askAboutCampaigns();
        askAboutWorkspaces();
        askAboutEvaluations();
        askAboutHypotheses();
        askAboutKeys();
        askAboutImports();
        askAboutBatches();
        ask("POST", "/api/v1/judge/preview", PREVIEW, 200);
        ask("POST", "/api/v1/judge/preview", "{}", 422);
        ask("GET", "/api/v1/providers", null, 200);
        askAboutLimits();
        ask("GET", "/api/v1/audit", null, 200);
        ask("GET", "/api/v1/audit?who=local&object=a&from=2026-01-01T00:00:00Z&refused=false&pageSize=1", null, 200);
        ask("GET", "/api/v1/audit?whom=local", null, 422);
        ask("GET", "/api/v1/server", null, 200);

        assertThat(seen).containsAll(document.operations());
    }

    /** Without the license a generated Python client has the license "NoLicense", which is not installed. */
    @Test
    void shouldNameALicenseThatPackagesKnowAndTheVersionOfTheBuild() throws Exception {
        JsonNode info =
                CampaignDocument.parse(send("GET", "/openapi", null).body()).get("info");

        assertThat(info.get("license"))
                .isEqualTo(Json.tree("{\"name\": \"Apache-2.0\", \"identifier\": \"Apache-2.0\"}"));
        assertThat(info.get("version").asText()).isEqualTo(versionOfTheBuild());
    }

    private static String versionOfTheBuild() throws Exception {
        Matcher version = Pattern.compile("<artifactId>assay</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(Files.readString(Path.of("../pom.xml")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    private void askAboutKeys() throws Exception {
        String one = "/api/v1/providers/{name}/keys/{key}";
        String change = "{\"state\": \"enabled\", \"reason\": \"documented\"}";
        ask("PATCH", one, change, 200, "openai", "default");
        ask("PATCH", one, change.replace("enabled", "draining"), 409, "openai", "default");
        ask("PATCH", one, change, 404, "openai", "other");
        ask("PATCH", one, "{}", 422, "openai", "default");
    }

    private void askAboutCampaigns() throws Exception {
        String all = "/api/v1/campaigns";
        String one = all + "/{id}";
        String id = ask("POST", all, CAMPAIGN, 202).get("id").asText();
        await().atMost(PATIENCE).until(() -> {
            ask("GET", one + "/progress", null, 200, id);
            return ask("GET", one, null, 200, id).get("state").asText().equals("COMPLETED");
        });
        ask("GET", all, null, 200);
        for (String part :
                List.of("/progress", "/account", "/report", "/outcomes", "/selections", "/events", "/cassette")) {
            ask("GET", one + part, null, 200, id);
        }
        askAsThePagesDo(one, id);
        askAboutScorings(one, id);
        askAboutLabels(one, id);
        askAboutEvaluators(ask("GET", one + "/outcomes/{caseId}/{branchId}/{trial}", null, 200, id, "france", "b", "1")
                .at("/checks/0/evaluator")
                .asText());
        for (String branch : List.of("a", "b", "c")) {
            ask("GET", one + "/outcomes/{caseId}/{branchId}/{trial}", null, 200, id, "france", branch, "2");
        }
        ask(
                "GET",
                one + "/outcomes/{caseId}/{branchId}/{trial}/{file}",
                null,
                200,
                id,
                "france",
                "a",
                "2",
                "stdout.txt");
        askAboutNumbers(id);
        ask("POST", one + "/pause", null, 409, id);
        ask("POST", one + "/rerun", "{\"only\": \"failed\"}", 200, id);
        // Long enough for what follows.
        model.delay(Duration.ofSeconds(1));
        ask("PATCH", one, "{\"trials\": 200}", 200, id);
        ask("POST", one + "/pause", null, 200, id);
        ask("POST", one + "/resume", null, 200, id);
        ask("POST", one + "/cancel", null, 200, id);
        ask("GET", one + "/progress", null, 200, id);
        ask("DELETE", one, null, 204, id);
        ask("DELETE", one, null, 404, id);
        ask("GET", one, null, 404, "unknown");
        ask("POST", all, "{\"name\": 1}", 422);
    }

    private void askAboutScorings(String one, String id) throws Exception {
        String scoring = ask("POST", one + "/scorings", "{\"keepChecks\": true}", 202, id)
                .get("id")
                .asText();
        await().atMost(PATIENCE)
                .until(() -> ask("GET", one, null, 200, scoring)
                        .get("state")
                        .asText()
                        .equals("COMPLETED"));
        ask("POST", one + "/scorings", "{\"checks\": 1}", 422, id);
        ask("POST", one + "/scorings", "{\"keepChecks\": true}", 404, "unknown");
        ask("GET", one + "/scorings", null, 200, id);
        ask("GET", one + "/scoring", null, 200, scoring);
        ask("GET", one + "/scoring", null, 404, id);
    }

    private void askAboutImports() throws Exception {
        String all = "/api/v1/imports";
        String one = all + "/{id}";
        String header = "{\"tool\": \"t\", \"name\": \"n\", \"branches\": [{\"id\": \"b\", \"model\": \"m\"}],"
                + " \"aggregates\": [{\"metric\": \"passed\", \"branch\": \"b\", \"theirs\": 1, \"of\": \"passed\"}]}";
        String id = ask("POST", all, header, 201).get("import").asText();
        String lines = "{\"case\": {\"id\": \"c\", \"prompts\": [\"q\"]}}\n"
                + "{\"caseId\": \"c\", \"branchId\": \"b\", \"trial\": 1, \"status\": \"COMPLETED\", \"response\":"
                + " \"a\"}\n";
        ask("POST", one + "/results?sequence=0", lines, 204, id);
        ask("POST", one + "/results?sequence=2", lines, 409, id);
        String campaign = ask("POST", one + "/finish", "{}", 201, id).get("id").asText();
        ask("POST", one + "/finish", "{}", 200, id);
        ask("DELETE", one, null, 204, id);
        ask("POST", all, "{}", 422);
        ask("GET", "/api/v1/campaigns/{id}/import", null, 200, campaign);
        ask("GET", "/api/v1/campaigns/{id}", null, 200, campaign);
        ask("GET", "/api/v1/campaigns/{id}/outcomes", null, 200, campaign);
    }

    /** {@code ProviderBatchTest} has batches. */
    private void askAboutBatches() throws Exception {
        String all = "/api/v1/batches";
        ask("GET", all, null, 200);
        ask("GET", all + "?state=OUT", null, 422);
        ask("GET", all + "/{id}", null, 404, "unknown");
        ask("POST", all + "/{id}/look", null, 404, "unknown");
        ask("POST", all + "/{id}/abandon", null, 404, "unknown");
    }

    private void askAboutLabels(String one, String id) throws Exception {
        String cell = one + "/labels/{caseId}/{branchId}/{trial}";
        ask("PUT", cell, "{\"verdict\": \"pass\"}", 200, id, "france", "b", "1");
        ask("PUT", cell, "{\"verdict\": \"maybe\"}", 422, id, "france", "b", "1");
        ask("GET", one + "/labels", null, 200, id);
        ask("GET", one + "/calibration", null, 200, id);
        String csv = "campaign,case,branch,trial,label\n" + id + ",france,b,1,fail\n";
        ask("POST", one + "/labels", csv, 200, id);
        ask("POST", "/api/v1/labels", csv, 200);
        String samples = one + "/label-samples";
        String sample =
                ask("POST", samples, "{\"count\": 1}", 201, id).get("sample").asText();
        ask("GET", samples + "/{sample}", null, 200, id, sample);
        ask("DELETE", cell, null, 204, id, "france", "b", "1");
    }

    private void askAboutEvaluators(String hash) throws Exception {
        String one = "/api/v1/evaluators/{hash}";
        assertThat(ask("GET", one, null, 200, hash).path("kind").asText()).isEqualTo("check");
        ask("GET", one, null, 404, hash.replaceAll(".", "0"));
        ask("GET", one, null, 404, "icontains");
    }

    private void askAsThePagesDo(String one, String id) throws Exception {
        for (String part : List.of(
                "/matrix?since=0",
                "/cases?q=france",
                "/cases/positions?tag=geo",
                "/tags",
                "/replaced",
                "/series",
                "/definition",
                "/export?format=csv",
                "/artifacts?format=summary",
                "/export?only=failing&tag=geo",
                "/failures?pageSize=2",
                "/answers?places=0,1",
                "/errors",
                "/events?matrix=true")) {
            ask("GET", one + part, null, 200, id);
        }
        ask("GET", one + "/trials/{caseId}/{trial}", null, 200, id, "france", "1");
        ask("GET", one + "/trials/{caseId}/{trial}", null, 404, id, "france", "99");
        ask("GET", one + "/cases?limit=0", null, 422, id);
        ask(
                "DELETE",
                one,
                null,
                409,
                ask("POST", "/api/v1/campaigns", CAMPAIGN.replace("\"trials\": 2", "\"trials\": 200"), 202)
                        .get("id")
                        .asText());
    }

    private void askAboutNumbers(String id) throws Exception {
        String compare = "/api/v1/compare?a={id}:{branch}&b={id}:{branch}";
        ask("GET", compare, null, 200, id, "a", id, "b");
        ask("GET", compare, null, 422, id, "a", id, "a");
        ask("GET", compare, null, 404, "unknown", "a", id, "a");
        ask("POST", "/api/v1/campaigns/plan", CAMPAIGN, 200);
        ask("POST", "/api/v1/campaigns/plan", "{\"name\": 1}", 422);
    }

    private void askAboutLimits() throws Exception {
        String one = "/api/v1/providers/{name}";
        String change = "{\"models\": \"limited*\", \"tokensPerDay\": 8, \"reason\": \"documented\"}";
        ask("GET", one, null, 200, "stub");
        ask("GET", one, null, 404, "unknown");
        ask("GET", one + "/limits", null, 200, "stub");
        ask("GET", one + "/limits", null, 404, "unknown");
        ask("PATCH", one + "/limits", change, 200, "stub");
        ask("PATCH", one + "/limits", change.replace("8", "null"), 200, "stub");
        ask("PATCH", one + "/limits", change.replace("limited*", "*"), 404, "stub");
        ask("PATCH", one + "/limits", "{\"models\": 1}", 422, "stub");
        ask("GET", one + "/changes", null, 200, "stub");
        ask("GET", one + "/changes?pageToken=x", null, 422, "stub");
    }

    private void askAboutWorkspaces() throws Exception {
        String one = "/api/v1/workspaces/{hash}";
        // The end of an archive, without entries.
        String content = "\0".repeat(1_024);
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8)));
        assertThat(ask("GET", one, null, 200, hash).get("stored").booleanValue())
                .isFalse();
        ask("PUT", one, "{\"pieces\": 1}", 422, hash);
        ask("PUT", one + "/{piece}", "another", 200, hash, "0");
        ask("PUT", one, "{\"pieces\": 1}", 422, hash);
        ask("PUT", one + "/{piece}", content.substring(0, 4), 200, hash, "0");
        ask("PUT", one + "/{piece}", content.substring(4), 200, hash, "1");
        ask("PUT", one + "/{piece}", "left over", 200, hash, "2");
        assertThat(ask("PUT", one, "{\"pieces\": 2}", 200, hash).get("stored").booleanValue())
                .isTrue();
        ask("PUT", one + "/{piece}", "too late", 200, hash, "0");
        assertThat(ask("GET", one, null, 200, hash).get("stored").booleanValue())
                .isTrue();
        ask("PUT", one + "/{piece}", content, 422, hash, "32");
        ask("GET", one, null, 422, "name");
        ask("PUT", one, "{\"pieces\": \"x\"}", 422, hash);
    }

    private void askAboutHypotheses() throws Exception {
        String all = "/api/v1/hypothesis-evaluations";
        String one = all + "/{id}";
        String id = ask("POST", all, HYPOTHESES.formatted(0), 202).get("id").asText();
        await().atMost(PATIENCE)
                .until(() ->
                        ask("GET", one, null, 200, id).get("state").asText().equals("COMPLETED"));
        assertThat(ask("GET", one, null, 200, id).at("/summary/scored").asInt()).isOne();
        ask("POST", one + "/cancel", null, 409, id);
        String slow =
                ask("POST", all, HYPOTHESES.formatted(60_000), 202).get("id").asText();
        ask("POST", one + "/cancel", null, 200, slow);
        ask("GET", all, null, 200);
        ask("GET", one, null, 404, "unknown");
        ask("POST", all, "{\"hypotheses\": []}", 422);
    }

    private void askAboutEvaluations() throws Exception {
        String all = "/api/v1/evaluations";
        String one = all + "/{id}";
        String id = ask("POST", all, EVALUATION, 202).get("id").asText();
        ask("GET", one, null, 200, id);
        ask("GET", one + "/events", null, 200, id);
        await().atMost(PATIENCE)
                .until(() ->
                        ask("GET", one, null, 200, id).get("state").asText().equals("COMPLETED"));
        String next = ask("POST", one + "/continue", "{\"prompts\": [\"Sure?\"]}", 202, id)
                .get("id")
                .asText();
        ask("POST", one + "/cancel", null, 200, next);
        ask("GET", all, null, 200);
    }

    private JsonNode ask(String method, String path, @Nullable String body, int status, String... arguments)
            throws Exception {
        String address = path;
        for (String argument : arguments) {
            address = address.replaceFirst("\\{\\w+}", argument);
        }
        HttpResponse<String> answer = send(method, address, body);
        assertThat(answer.statusCode())
                .as("%s %s: %s", method, address, answer.body())
                .isEqualTo(status);
        Operation operation = new Operation(method, path.replaceFirst("\\?.*", ""));
        assertThat(document.violations(operation, answer))
                .as("%s %s", method, address)
                .isEmpty();
        seen.add(operation);
        return answer.body().startsWith("{") ? Json.tree(answer.body()) : NullNode.instance;
    }

    private HttpResponse<String> send(String method, String address, @Nullable String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.api().resolve(address))
                .timeout(PATIENCE)
                .header(
                        "Content-Type",
                        address.matches(".*/workspaces/.*/[0-9]+")
                                ? "application/octet-stream"
                                : method.equals("POST") && address.endsWith("/labels")
                                        ? "text/csv"
                                        : address.contains("/results?sequence=")
                                                ? "application/x-ndjson"
                                                : "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }
}
