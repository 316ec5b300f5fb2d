package dev.assay.activities.provider.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.activities.provider.StubProvider.Asked;
import dev.assay.activities.provider.delivery.Listing.Candidate;
import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.domain.delivery.DeliveredLine;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoogleBatchesTest {

    private static final String OPENAI = "/v1beta/openai";
    private static final String LIST = OPENAI + "/batches?limit=100";

    /** An answer to a request; its headers come in pairs. */
    private record Said(int status, String body, String... headers) {}

    @TempDir
    private Path folder;

    private final BatchHttp http = new BatchHttp();
    private final Map<String, Said> answers = new LinkedHashMap<>();
    private StubProvider stub;
    private BatchWire wire;

    @BeforeEach
    void start() throws IOException {
        stub = new StubProvider(this::answer);
        ProviderSettings settings = new ProviderSettings(
                "google", ProviderType.GOOGLE, URI.create(stub.url() + OPENAI), "GOOGLE_API_KEY", 1, 1, Map.of());
        wire = BatchWires.of(settings, ApiKey.of(Requests.KEY), http);
    }

    @AfterEach
    void stop() {
        stub.close();
        http.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        Said said = answers.get(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        if (said == null) {
            StubProvider.answer(exchange, 404, "{\"error\":{\"message\":\"There is no such thing.\"}}");
        } else {
            StubProvider.answer(exchange, said.status(), said.body(), said.headers());
        }
    }

    private void answer(String request, String body, String... headers) {
        answers.put(request, new Said(200, body, headers));
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("lines.jsonl"), text);
    }

    @Test
    void shouldUploadInTwoStepsAndNeverToAnotherHost() throws Exception {
        answer("POST /upload/v1beta/files", "", "X-Goog-Upload-URL", "https://evil.example/up?upload_id=7");
        answer("POST /up?upload_id=7", "{\"file\":{\"name\":\"files/abc\"}}");

        assertThat(wire.upload(file("{}\n{}\n"))).isEqualTo("files/abc");

        Asked start = stub.asked().getFirst();
        assertThat(start.header("X-Goog-Upload-Protocol")).isEqualTo("resumable");
        assertThat(start.header("X-Goog-Upload-Command")).isEqualTo("start");
        assertThat(start.header("X-Goog-Upload-Header-Content-Length")).isEqualTo("6");
        Asked content = stub.asked().getLast();
        assertThat(content.header("X-Goog-Upload-Command")).isEqualTo("upload, finalize");
        assertThat(content.header("X-Goog-Upload-Offset")).isEqualTo("0");
        assertThat(content.text()).isEqualTo("{}\n{}\n");
        assertThat(List.of(start, content)).allSatisfy(asked -> {
            assertThat(asked.header("x-goog-api-key")).isEqualTo(Requests.KEY);
            assertThat(asked.header("Authorization")).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no address", "mailto:x", "http://[", "https://host"})
    void shouldFailWhenAnUploadIsGivenNoAddress(String address) throws Exception {
        answer("POST /upload/v1beta/files", "{}", "X-Goog-Upload-URL", address);
        Path lines = file("{}\n");

        catchThrowableOfType(BatchCallException.class, () -> wire.upload(lines));

        assertThat(stub.asked()).hasSize(1);
    }

    @Test
    void shouldSubmitAtTheAddressForClientsOfOpenAi() throws Exception {
        answer("POST " + OPENAI + "/batches", "{\"id\":\"batches/b7\"}");

        assertThat(wire.submit("b1", "files/abc", folder)).isEqualTo(new Submission.Accepted("batches/b7", null, null));

        assertThat(stub.asked().getFirst().header("Authorization")).isEqualTo("Bearer " + Requests.KEY);
        assertThat(stub.asked().getFirst().body().path("input_file_id")).isEqualTo(Json.tree("\"files/abc\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/batches/batches/b7", "/batches/b7"})
    void shouldFindABatchByItsNameWithOrWithoutItsKind(String path) throws Exception {
        answer("GET " + OPENAI + path, "{\"status\":\"JOB_STATE_NEW\"}");
        answer("POST " + OPENAI + path + "/cancel", "{}");

        assertThat(wire.status("batches/b7").ended()).isFalse();
        wire.cancel("batches/b7");

        assertThat(stub.asked().getLast().path()).isEqualTo(OPENAI + path + "/cancel");
    }

    @Test
    void shouldNotLookElsewhereWhenABatchIsRefused() {
        answers.put("GET " + OPENAI + "/batches/batches/b7", new Said(403, "{}"));

        BatchCallException failure = catchThrowableOfType(BatchCallException.class, () -> wire.status("batches/b7"));

        assertThat(failure.status()).isEqualTo(403);
        assertThat(stub.asked()).hasSize(1);
    }

    @Test
    void shouldDownloadResults() throws Exception {
        answer(
                "GET /download/v1beta/files/r1:download?alt=media",
                "{\"custom_id\":\"b1-0\",\"error\":{\"code\":\"batch_expired\"}}\n");
        List<DeliveredLine> lines = new ArrayList<>();
        BatchStatus ended = new BatchStatus("batches/b7", true, null, 0, 0, 0, List.of("files/r1"), null, null);

        assertThat(wire.results(ended, lines::add)).isTrue();

        assertThat(lines).extracting(DeliveredLine::customId).containsExactly("b1-0");
        assertThat(stub.asked().getFirst().header("x-goog-api-key")).isEqualTo(Requests.KEY);
    }

    @Test
    void shouldFindABatchByTheListOfOpenAi() throws Exception {
        answer("GET " + LIST, "{\"data\":[{\"id\":\"batches/b7\",\"input_file_id\":\"files/abc\"}]}");

        assertThat(candidates()).containsExactly(new Candidate("batches/b7", true));
    }

    private List<Candidate> candidates() throws Exception {
        return wire.candidates(Instant.now(), "b1", "files/abc", 1).candidates();
    }

    private static String operations(String token) {
        return """
            {"operations":[{"name":"batches/b6","metadata":{"inputConfig":{"fileName":"files/x"}}},
             {"name":"batches/b7","metadata":{"inputConfig":{"fileName":"files/abc"}}},
             {"name":"batches/b8","metadata":{"inputConfig":{"requests":[]}}}]%s}
            """.formatted(token);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 405, 501})
    void shouldFindABatchByGooglesOwnListWhereThatOfOpenAiIsMissing(int status) throws Exception {
        answers.put("GET " + LIST, new Said(status, "{}"));
        answer("GET /v1beta/batches", "{\"nextPageToken\":\"t/1\"}");
        answer("GET /v1beta/batches?pageToken=t%2F1", operations(""));

        assertThat(candidates()).containsExactly(new Candidate("batches/b7", true));
    }

    @Test
    void shouldFindNothingWhenGooglesListIsEmpty() throws Exception {
        answer("GET /v1beta/batches", "{}");

        assertThat(candidates()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 429, 500, 503})
    void shouldFailWhenAListCannotBeRead(int status) {
        answers.put("GET " + LIST, new Said(status, "{}"));
        answer("GET /v1beta/batches", operations(""));

        BatchCallException failure = catchThrowableOfType(BatchCallException.class, this::candidates);

        assertThat(failure.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[]", "{\"operations\":{}}", "{\"operations\":[{}]}", "{\"nextPageToken\":\"again\"}", "no JSON"
            })
    void shouldFailWhenGooglesListIsNotComplete(String page) {
        answer("GET /v1beta/batches", page);
        answer("GET /v1beta/batches?pageToken=again", page);

        catchThrowableOfType(BatchCallException.class, this::candidates);

        assertThat(stub.asked()).hasSizeLessThan(5);
    }

    @Test
    void shouldDeleteAnInputFileThatMayBeGone() throws Exception {
        answer("DELETE /v1beta/files/abc", "{}");
        wire.deleteFile("files/abc");
        answers.clear();
        wire.deleteFile("files/abc");

        assertThat(stub.asked()).hasSize(2);
    }
}
