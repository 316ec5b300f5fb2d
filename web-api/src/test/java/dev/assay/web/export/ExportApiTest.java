package dev.assay.web.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.web.ServerFixture;
import dev.assay.web.parquet.ParquetRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two cases, two trials, two branches; one error, one cell that nobody decided, and checks in groups. */
@Timeout(120)
final class ExportApiTest {

    private static final String HEADER = """
        {"tool": "my-tool", "name": "capitals", "trials": 2,
         "branches": [{"id": "small", "model": "maker/m-1"}, {"id": "large", "model": "m-2"}]}\
        """;

    private static final String RESULTS = """
        {"case": {"id": "france", "prompts": ["Capital of France?"], "metadata": {"target": "Paris"}, "tags": ["eu", "a\\"b"]}}
        {"case": {"id": "chad", "vars": {"country": "Chad"}}}
        {"caseId": "france", "branchId": "small", "trial": 1, "status": "COMPLETED", "response": "Paris", \
        "usage": {"input": 8, "output": 2, "total": 10}, "latencyMs": 120, "costUsd": 0.0010000015, "finishReason": "stop", \
        "output": {"city": "Paris"}, \
        "checks": [{"metric": "both", "status": "PASSED", "score": 0.75, "weight": 2, "value": "C", "reason": "ok", \
        "checks": [{"metric": "one", "status": "PASSED", "score": 1}, {"metric": "two", "status": "PASSED", "score": 0.5}]}, \
        {"metric": "last", "status": "PASSED", "score": 1, "value": [1]}]}
        {"caseId": "france", "branchId": "small", "trial": 2, "status": "COMPLETED", "response": "Lyon", \
        "checks": [{"metric": "exact", "status": "FAILED", "score": 0, "value": "I"}]}
        {"caseId": "chad", "branchId": "small", "trial": 1, "status": "MODEL_ERROR", "error": {"message": "away"}}
        {"caseId": "chad", "branchId": "small", "trial": 2, "status": "COMPLETED", "response": "=N'Djamena", \
        "checks": [{"metric": "exact", "status": "UNSCORED", "value": null, "reason": "no number"}]}
        {"caseId": "france", "branchId": "large", "trial": 1, "status": "COMPLETED", "response": "Paris", \
        "checks": [{"metric": "exact", "status": "PASSED", "score": 1}]}
        """;

    private static final String LONG =
            "{\"tool\": \"my-tool\", \"name\": \"long\", \"trials\": 600, \"branches\": [{\"id\": \"small\","
                    + " \"model\": \"m\"}]}";

    private static ServerFixture server;
    private static String campaign = "";

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
        campaign = "/api/v1/campaigns/" + imported(HEADER, RESULTS);
        label("france/small/1", "{\"verdict\": \"pass\", \"labeller\": \"ann\", \"note\": \"yes\"}");
        label("france/small/1", "{\"verdict\": \"fail\", \"labeller\": \"bob\"}");
        label("france/small/1", "{\"score\": 0.75, \"labeller\": \"eve\"}");
        label("france/small/2", "{\"verdict\": \"unsure\", \"labeller\": \"ann\"}");
        label("chad/small/2", "{\"verdict\": \"fail\", \"labeller\": \"ann\", \"check\": \"exact\"}");
    }

    private static String imported(String header, String results) {
        HttpResponse<String> begun = server.post("/api/v1/imports", "application/json", header);
        String path = "/api/v1/imports/" + Json.tree(begun.body()).get("import").asText();
        HttpResponse<String> added = server.post(path + "/results?sequence=0", "application/x-ndjson", results);
        assertThat(added.statusCode()).as(added.body()).isEqualTo(204);
        HttpResponse<String> finished = server.post(path + "/finish", "application/json", "{\"complete\": true}");
        return Json.tree(finished.body()).get("id").asText();
    }

    private static void label(String cell, String body) {
        HttpResponse<String> labelled = server.send(server.request(campaign + "/labels/" + cell)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body)));
        assertThat(labelled.statusCode()).as(labelled.body()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<byte[]> export(String query) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    server.request(campaign + "/export?" + query).GET().build(), BodyHandlers.ofByteArray());
        }
    }

    private static Map<String, byte[]> entries(byte[] archive) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries.put(entry.getName(), zip.readAllBytes());
            }
        }
        return entries;
    }

    private static List<JsonNode> lines(byte[] text) {
        return new String(text, StandardCharsets.UTF_8).lines().map(Json::tree).toList();
    }

    @Test
    void shouldWriteEachOutcomeAsARowWhenParquetIsAskedFor() throws Exception {
        HttpResponse<byte[]> answer = export("format=parquet");

        assertThat(answer.headers().firstValue("Content-Type")).contains("application/vnd.apache.parquet");
        ParquetRows table = ParquetRows.of(answer.body());
        assertThat(table.column("case")).containsExactly("france", "france", "chad", "france", "chad");
        assertThat(table.column("branch")).containsExactly("small", "large", "small", "small", "small");
        assertThat(table.column("trial")).containsExactly(1, 1, 1, 2, 2);
        assertThat(table.column("source")).containsOnly("IMPORTED");
        assertThat(table.column("passed")).as("null is no evidence").containsExactly(true, true, false, false, null);
        Map<String, ?> first = table.rows().getFirst();
        assertThat(first.get("cost_usd")).as("rounded half up").isEqualTo(new BigDecimal("0.001000002"));
        assertThat(first.get("input_tokens")).isEqualTo(8L);
        assertThat(first.get("reasoning_tokens")).isNull();
        assertThat(first.get("model")).isEqualTo("maker/m-1");
        assertThat(first.get("tags")).isEqualTo(List.of("eu", "a\"b"));
        assertThat(first.get("origin_campaign")).isNull();
        assertThat(first.get("answered_at")).isInstanceOf(Instant.class);
        assertThat(String.valueOf(first.get("answer_hash"))).matches("[0-9a-f]{64}");
        assertThat(Json.tree(String.valueOf(first.get("messages"))).findValuesAsText("role"))
                .containsExactly("user", "assistant");
        assertThat(Json.tree(String.valueOf(first.get("output"))).at("/city").asText())
                .isEqualTo("Paris");
        assertThat(table.column("error_code")).containsExactly(null, null, "IMPORTED_ERROR", null, null);
    }

    @Test
    void shouldHoldTheSameNumbersAsTheOtherForms() throws Exception {
        ParquetRows table = ParquetRows.of(export("format=parquet").body());
        List<JsonNode> lines = lines(export("format=ndjson").body());

        assertThat(table.rows()).hasSameSizeAs(lines);
        for (int i = 0; i < lines.size(); i++) {
            Map<String, ?> row = table.rows().get(i);
            JsonNode line = lines.get(i);
            Map.of(
                            "case", "/caseId",
                            "response", "/response",
                            "passed", "/passed",
                            "score", "/score",
                            "total_tokens", "/usage/total",
                            "latency_ms", "/latencyMs",
                            "error_message", "/error/message",
                            "finish_reason", "/finishReason")
                    .forEach((column, field) -> assertThat(Json.mapper()
                                    .<JsonNode>valueToTree(row.get(column))
                                    .asText())
                            .as(column)
                            .isEqualTo(line.at(field).asText("null")));
        }
    }

    @Test
    void shouldWriteEachTableAsAFileWhenTablesAreNamed() throws Exception {
        HttpResponse<byte[]> answer = export("format=parquet&tables=outcomes,checks,labels,cases,checks");

        assertThat(answer.headers().firstValue("Content-Type")).contains("application/zip");
        Map<String, byte[]> files = entries(answer.body());
        assertThat(files.keySet())
                .containsExactly("outcomes.parquet", "checks.parquet", "labels.parquet", "cases.parquet");
        ParquetRows checks = ParquetRows.of(files.get("checks.parquet"));
        assertThat(checks.column("metric")).containsExactly("both", "one", "two", "last", "exact", "exact", "exact");
        assertThat(checks.column("place")).containsExactly(0, 1, 2, 3, 0, 0, 0);
        assertThat(checks.column("parent")).containsExactly(null, 0, 0, null, null, null, null);
        assertThat(checks.column("weight")).containsExactly(2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0);
        assertThat(checks.column("value")).containsExactly("\"C\"", null, null, "[1]", null, "\"I\"", null);
        assertThat(checks.column("score").getLast()).as("unscored is never 0").isNull();
        ParquetRows labels = ParquetRows.of(files.get("labels.parquet"));
        assertThat(labels.column("labeller")).containsExactly("ann", "bob", "eve", "ann", "ann");
        assertThat(labels.column("verdict")).containsExactly("pass", "fail", "pass", "unsure", "fail");
        assertThat(labels.column("score")).containsExactly(1.0, 0.0, 0.75, null, 0.0);
        assertThat(labels.column("check")).containsExactly(null, null, null, null, "exact");
        ParquetRows cases = ParquetRows.of(files.get("cases.parquet"));
        assertThat(cases.column("case")).containsExactly("france", "chad");
        assertThat(cases.column("place")).containsExactly(0, 1);
        assertThat(cases.column("prompt").getFirst()).isEqualTo("Capital of France?");
        assertThat(cases.column("vars").getLast()).isEqualTo("{\"country\":\"Chad\"}");
    }

    @Test
    void shouldHoldTheSameTablesAsJsonLines() throws Exception {
        Map<String, byte[]> files =
                entries(export("format=ndjson&tables=outcomes,checks,cases&branchId=small&caseId=france")
                        .body());

        assertThat(files.keySet()).containsExactly("outcomes.jsonl", "checks.jsonl", "cases.jsonl");
        assertThat(lines(files.get("outcomes.jsonl"))).hasSize(2);
        assertThat(lines(files.get("checks.jsonl")).stream()
                        .map(row -> row.get("metric").asText()))
                .containsExactly("both", "one", "two", "last", "exact");
        assertThat(lines(files.get("checks.jsonl")).get(3).get("value")).isEqualTo(Json.tree("[1]"));
        assertThat(lines(files.get("cases.jsonl"))
                        .getFirst()
                        .at("/metadata/target")
                        .asText())
                .isEqualTo("Paris");
        assertThat(lines(files.get("cases.jsonl"))).as("of this case").hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "format=parquet&label=pass, 1",
        "format=parquet&q=capital, 3",
        "format=parquet&passed=false&trial=1, 1",
        "format=parquet&source=LIVE, 0",
        "format=parquet&caseId=chad&branchId=large, 0",
    })
    void shouldKeepWhatTheFiltersKeep(String query, int rows) throws Exception {
        assertThat(ParquetRows.of(export(query).body()).rows()).hasSize(rows);
    }

    @ParameterizedTest
    @CsvSource({
        "'', small:3 large:1",
        "&label=pass, small:1 large:0",
        "&q=capital, small:2 large:1",
        "&source=LIVE, small:0 large:0",
        "&passed=false&caseId=chad, small:1 large:0",
    })
    void shouldKeepWhatTheFiltersKeepInEveryEvalEver(String query, String samples) throws Exception {
        Map<String, byte[]> files = entries(export("format=eee" + query).body());

        assertThat(String.join(
                        " ",
                        files.entrySet().stream()
                                .filter(file -> file.getKey().endsWith("_samples.jsonl"))
                                .map(file -> (file.getKey().contains("/m-1/") ? "small:" : "large:")
                                        + lines(file.getValue()).size())
                                .toList()))
                .isEqualTo(samples);
    }

    /** Readers look for the files of a model in the directory of its id. */
    @ParameterizedTest
    @CsvSource({"'', maker", "&developer=other, other"})
    void shouldNameAModelAsItsDirectory(String query, String developer) throws Exception {
        Map<String, byte[]> files =
                entries(export("format=eee&branchId=small" + query).body());

        String aggregate = files.keySet().stream()
                .filter(name -> !name.endsWith("_samples.jsonl"))
                .findFirst()
                .orElseThrow();
        assertThat(aggregate).startsWith("data/capitals/" + developer + "/m-1/");
        assertThat(Json.tree(new String(files.get(aggregate), StandardCharsets.UTF_8))
                        .at("/model_info/id")
                        .asText())
                .isEqualTo(developer + "/m-1");
    }

    @Test
    void shouldSayWhatPeopleSayTogetherInTheLastColumnOfCsv() throws Exception {
        List<String> lines = List.of(new String(export("format=csv").body(), StandardCharsets.UTF_8).split("\r\n"));

        assertThat(lines.stream().map(line -> line.substring(line.lastIndexOf(',') + 1)))
                .as("labels of a check say nothing of the trial")
                .containsExactly("label", "pass", "", "", "unsure", "");
        assertThat(lines.getFirst().split(",")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "format=parquet&tables=outcomes%2Canswers, tables",
        "format=parquet&tables=, tables",
        "format=csv&tables=outcomes, tables",
        "format=eee&tables=cases, tables",
        "format=arrow, format",
    })
    void shouldNameTheParameterWhenItIsWrong(String query, String named) throws Exception {
        HttpResponse<byte[]> answer = export(query);

        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(Json.tree(new String(answer.body(), StandardCharsets.UTF_8))
                        .at("/errors/0/path")
                        .asText())
                .isEqualTo(named);
    }

    @ParameterizedTest
    @ValueSource(strings = {"format=ndjson&tables=cases,outcomes", "format=eee"})
    void shouldHaveNoEndWhenWritingFailsInTheMiddle(String query) throws Exception {
        String long600 = imported(
                LONG,
                "{\"case\": {\"id\": \"only\", \"prompts\": [\"q\"]}}\n"
                        + IntStream.rangeClosed(1, 600)
                                .mapToObj(trial ->
                                        "{\"caseId\": \"only\", \"branchId\": \"small\", \"status\": \"COMPLETED\","
                                                + " \"trial\": " + trial + ", \"response\": \"" + noise(trial)
                                                + "\", \"checks\": [{\"status\": \"PASSED\"}]}\n")
                                .collect(Collectors.joining()));
        server.store()
                .execute(
                        "UPDATE outcome SET checks = '[{\"status\": \"SURE\"}]' WHERE campaign_id = ? AND trial = 600",
                        long600);
        ByteArrayOutputStream got = new ByteArrayOutputStream();

        try (HttpClient client = HttpClient.newHttpClient();
                InputStream body = client.send(
                                server.request("/api/v1/campaigns/" + long600 + "/export?" + query)
                                        .GET()
                                        .build(),
                                BodyHandlers.ofInputStream())
                        .body()) {
            assertThatThrownBy(() -> body.transferTo(got))
                    .as("the connection is cut")
                    .isInstanceOf(IOException.class);
        }

        assertThat(got.size()).as("it had begun").isGreaterThan(50_000);
        assertThat(got.toString(StandardCharsets.ISO_8859_1)).doesNotContain("PK\u0005\u0006");
    }

    /** Text that does not pack well, so that what is written is sent. */
    private static String noise(int seed) {
        return new Random(seed)
                .ints(400, 'a', 'z')
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }
}
