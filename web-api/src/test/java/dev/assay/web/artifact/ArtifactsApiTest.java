package dev.assay.web.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.store.result.ProgressRepository;
import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a run, asked of the server in every state of its campaign. */
@Timeout(60)
final class ArtifactsApiTest {

    /** The server packs megabytes for each client that is to fill its sockets. */
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private enum State {
        PENDING,
        RUNNING,
        PAUSED,
        CANCELLED,
        FAILED
    }

    /** 3 cases × 2 branches × 2 trials. */
    private static final SampleCampaign SAMPLE = new SampleCampaign("files", 3, 2, 2);

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static ServerFixture server;

    private String id;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
        HTTP.close();
    }

    @BeforeEach
    void submit() {
        id = server.submit(SAMPLE);
    }

    private void record(int ordinal, int branch, String status, boolean passed) {
        SAMPLE.recordOutcome(server.store(), id, ordinal, branch, status, passed);
        server.get(ProgressRepository.class).recount(id);
    }

    private HttpResponse<byte[]> artifacts(String query) throws IOException, InterruptedException {
        var request = server.request("/api/v1/campaigns/" + id + "/artifacts" + query);
        return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static Map<String, String> files(HttpResponse<byte[]> archive) throws IOException {
        assertThat(archive.statusCode()).isEqualTo(200);
        assertThat(archive.headers().firstValue("Content-Type")).hasValue("application/zip");
        Map<String, String> files = new LinkedHashMap<>();
        ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive.body()));
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
        }
        return files;
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void shouldHaveTheDirectoryOfTheRunInEveryState(State state) throws Exception {
        record(1, 1, "COMPLETED", true);
        record(4, 1, "MODEL_ERROR", false);
        server.store().execute("UPDATE campaign SET state = ? WHERE campaign_id = ?", state.name(), id);

        Map<String, String> files = files(artifacts(""));

        assertThat(files.keySet())
                .as("a trial's result is written last")
                .containsSubsequence(
                        "case-1/branch-1/trial-1/stdout.txt",
                        "case-1/branch-1/trial-1/result.json",
                        "case-1/branch-1/trial-2/result.json",
                        "case-0/branch-0/aggregated.json",
                        "summary.json")
                .doesNotContain("case-0/branch-0/trial-1/result.json");
        assertThat(files.get("case-1/branch-1/trial-1/stdout.txt")).isEqualTo("the answer");
        assertThat(files.get("case-1/branch-1/trial-1/trace.jsonl")).contains("the answer");
        JsonNode aggregated = Json.tree(files.get("case-1/branch-1/aggregated.json"));
        assertThat(aggregated.path("trials").findValuesAsText("status")).containsExactly("passed", "error");
        JsonNode summary = Json.tree(files.get("summary.json"));
        assertThat(summary.path("campaign_id").asText()).isEqualTo(id);
        assertThat(summary.path("state").asText()).isEqualTo(state.name());
        assertThat(summary.at("/branches/branch-0/cases")).hasSize(3);
        assertThat(summary.at("/branches/branch-1/cases/1/trials").findValuesAsText("status"))
                .containsExactly("passed", "error");
        assertThat(summary.at("/branches/branch-1/cases/0/trials").findValuesAsText("status"))
                .containsExactly("skipped", "skipped");
    }

    @Test
    void shouldHaveWhatEndedSinceAVersion() throws Exception {
        record(1, 1, "COMPLETED", true);
        HttpResponse<byte[]> first = artifacts("?part=trials");
        assertThat(files(first))
                .hasSize(4)
                .allSatisfy((path, text) -> assertThat(path).startsWith("case-1/branch-1/trial-1/"));

        server.store()
                .execute(
                        "INSERT INTO matrix_change (campaign_id, entries)"
                                + " VALUES (?, int4send(5) || int2send(0::smallint) || ?)",
                        id,
                        new byte[] {0, 2});
        record(5, 0, "COMPLETED", true);
        HttpResponse<byte[]> second = artifacts("?since=" + header(first, "Matrix-Version"));

        assertThat(files(second))
                .hasSize(4)
                .allSatisfy((path, text) -> assertThat(path).startsWith("case-2/branch-0/trial-2/"));
        assertThat(files(artifacts("?since=" + header(second, "Matrix-Version"))))
                .isEmpty();
        assertThat(files(artifacts("?since=unknown")))
                .as("all, where the version is not known")
                .hasSize(8);
    }

    @Test
    void shouldHaveWhatAProgramPrintedAndTheCommandsOfItsTrace() throws Exception {
        record(0, 0, "COMPLETED", true);
        byte[] printed = {'o', 'u', 't', 0, (byte) 0xff};
        server.store().execute("UPDATE outcome SET stdout = ?, stderr = 'err' WHERE campaign_id = ?", printed, id);

        HttpResponse<byte[]> archive = artifacts("");

        Map<String, String> files = files(archive);
        assertThat(files.get("case-0/branch-0/trial-1/stderr.txt")).isEqualTo("err");
        assertThat(files.get("case-0/branch-0/trial-1/stdout.txt"))
                .isEqualTo(new String(printed, StandardCharsets.UTF_8));
        JsonNode result = Json.tree(files.get("case-0/branch-0/trial-1/result.json"));
        assertThat(result.get("command_count").intValue()).isZero();
    }

    @Test
    void shouldHaveOneFileOfEachOtherForm() throws Exception {
        record(1, 1, "MODEL_ERROR", false);
        record(4, 1, "MODEL_ERROR", false);

        HttpResponse<byte[]> junit = artifacts("?format=junit");
        assertThat(header(junit, "Content-Type")).isEqualTo("application/xml");
        assertThat(header(junit, "Content-Disposition")).contains(id + ".xml");
        assertThat(new String(junit.body(), StandardCharsets.UTF_8))
                .contains(
                        "<testsuite name=\"files.branch-1\" tests=\"3\" failures=\"0\" errors=\"1\"",
                        "trial 2: The provider did not answer")
                .endsWith("</testsuites>");
        HttpResponse<byte[]> markdown = artifacts("?format=markdown&maxBytes=2000");
        assertThat(header(markdown, "Content-Type")).startsWith("text/markdown");
        assertThat(new String(markdown.body(), StandardCharsets.UTF_8)).startsWith("## files: ");
        assertThat(markdown.body()).hasSizeLessThanOrEqualTo(2_000);
        HttpResponse<byte[]> html = artifacts("?format=html");
        assertThat(header(html, "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(html, "Content-Disposition")).contains("attachment", id + ".html");
        assertThat(new String(html.body(), StandardCharsets.UTF_8))
                .startsWith("<!doctype html>")
                .contains("trial 2: The provider did not answer", "<h3>Question</h3><pre dir=\"auto\">")
                .endsWith("</html>\n");
        JsonNode summary = Json.tree(new String(artifacts("?format=summary").body(), StandardCharsets.UTF_8));
        assertThat(summary.at("/branches/branch-1/trials/errors").intValue()).isEqualTo(2);
        assertThat(summary.get("run_dir").isNull()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"?format=pdf", "?part=some", "?format=markdown&maxBytes=0", "?format=markdown&maxBytes=1000001"})
    void shouldNameTheParameterWhenItIsWrong(String query) throws Exception {
        HttpResponse<byte[]> refused = artifacts(query);
        assertThat(refused.statusCode()).isEqualTo(422);
        JsonNode problem = Json.tree(new String(refused.body(), StandardCharsets.UTF_8));
        assertThat(query).contains(problem.at("/errors/0/path").asText() + "=");
    }

    @Test
    void shouldAnswerNotFoundWhenThereIsNoSuchCampaign() throws Exception {
        id = "none-such";
        for (String format : List.of("zip", "junit", "markdown", "summary")) {
            assertThat(artifacts("?format=" + format).statusCode()).isEqualTo(404);
        }
    }

    /** Answers of 16 MB, three of which fill whatever the sockets of a client that does not read take. */
    private void recordLongAnswers() {
        record(0, 0, "COMPLETED", true);
        record(2, 0, "COMPLETED", true);
        record(3, 0, "COMPLETED", true);
        server.store()
                .execute(
                        "UPDATE outcome SET response = (SELECT string_agg(md5(i::text), '')"
                                + " FROM generate_series(1, 500000) i) WHERE campaign_id = ?",
                        id);
    }

    private RawClient askAndReadNothing() throws IOException {
        RawClient client = new RawClient(server.uri(), Duration.ofSeconds(20));
        client.send("GET /api/v1/campaigns/" + id + "/artifacts HTTP/1.1\r\nHost: "
                + server.uri().getAuthority() + "\r\n\r\n");
        return client;
    }

    @Test
    @Timeout(300)
    void shouldKeepItsPlacesForClientsThatReadWhenOthersDoNotOrLeave() throws Exception {
        recordLongAnswers();
        List<RawClient> silent = new ArrayList<>();
        HttpResponse<byte[]> busy = await().atMost(PATIENCE)
                .until(
                        () -> {
                            silent.add(askAndReadNothing());
                            return artifacts("?format=summary");
                        },
                        answer -> answer.statusCode() == 503);
        assertThat(new String(busy.body(), StandardCharsets.UTF_8)).contains("SERVER_BUSY");
        assertThat(busy.headers().firstValue("Retry-After")).isPresent();

        for (RawClient client : silent) {
            client.close();
        }

        await().atMost(PATIENCE).until(() -> artifacts("?format=summary").statusCode() == 200);
        assertThat(files(artifacts("")).get("case-0/branch-0/trial-1/stdout.txt"))
                .hasSize(16_000_000);
    }

    @Test
    void shouldEndWithoutAnEndOfTheArchiveWhenAResultCannotBeRead() throws Exception {
        recordLongAnswers();
        record(1, 0, "COMPLETED", true);
        server.store().execute("UPDATE outcome SET checks = '\"none\"' WHERE campaign_id = ? AND ordinal = 1", id);

        assertThatThrownBy(() -> artifacts("")).isInstanceOf(IOException.class);
        assertThat(artifacts("?format=junit").statusCode()).isEqualTo(500);
    }
}
