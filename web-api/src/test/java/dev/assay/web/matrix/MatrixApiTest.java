package dev.assay.web.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.store.result.ProgressRepository;
import dev.assay.web.ServerFixture;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class MatrixApiTest {

    /** 3 cases × 2 branches × 2 trials. */
    private static final SampleCampaign SAMPLE = new SampleCampaign("matrix", 3, 2, 2);

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

    private void record(int ordinal, int branch, boolean passed) {
        SAMPLE.recordOutcome(server.store(), id, ordinal, branch, "COMPLETED", passed);
        server.store()
                .execute(
                        "INSERT INTO matrix_change (campaign_id, entries) VALUES (?, int4send(?) ||"
                                + " int2send(?::smallint) || ?)",
                        id,
                        ordinal,
                        branch,
                        new byte[] {0, (byte) (passed ? 2 : 3)});
        server.get(ProgressRepository.class).recount(id);
    }

    private HttpResponse<byte[]> matrix(String query, String... headers) throws IOException, InterruptedException {
        var request = server.request("/api/v1/campaigns/" + id + "/matrix" + query);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElseThrow();
    }

    @Test
    void shouldAnswerOneByteForEachCellAndThenWhatChanged() throws Exception {
        record(1, 1, true);

        HttpResponse<byte[]> whole = matrix("");

        assertThat(whole.body()).containsExactly(0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(header(whole, "Content-Type")).isEqualTo("application/octet-stream");
        assertThat(List.of(
                        header(whole, "Matrix-Trials"),
                        header(whole, "Matrix-Cases"),
                        header(whole, "Matrix-Branches")))
                .containsExactly("2", "3", "2");
        String version = header(whole, "Matrix-Version");
        record(5, 0, false);
        HttpResponse<byte[]> changes = await().atMost(Duration.ofSeconds(10))
                .until(() -> matrix("?since=" + version), answer -> answer.body().length > 0);

        assertThat(header(changes, "Matrix-Since")).isEqualTo(version);
        assertThat(changes.body())
                .isEqualTo(ByteBuffer.allocate(5).putInt(10).put((byte) 3).array());
        assertThat(matrix("?since=" + header(changes, "Matrix-Version")).body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "%F0%9F%98%80", "00000000-1", "-1", ""})
    void shouldAnswerTheWholeMatrixWhenAVersionIsNotKnown(String version) throws Exception {
        HttpResponse<byte[]> answer = matrix("?since=" + version);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).hasSize(12);
        assertThat(answer.headers().firstValue("Matrix-Since")).isEmpty();
    }

    @Test
    void shouldAnswerNotModifiedWhenTheClientHasIt() throws Exception {
        HttpResponse<byte[]> whole = matrix("");

        HttpResponse<byte[]> again = matrix("", "If-None-Match", header(whole, "ETag"));

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void shouldReadTheResultsOnceWhenAnEarlierBuildRecordedThem() throws Exception {
        SAMPLE.recordOutcome(server.store(), id, 0, 0, "COMPLETED", true);
        server.get(ProgressRepository.class).recount(id);

        assertThat(matrix("").body()).startsWith(2, 0);
        assertThat(server.store().count("SELECT count(*) FROM matrix_chunk WHERE campaign_id = ?", id))
                .isOne();
    }

    @Test
    void shouldAnswerNotFoundOrNameTheListWhenThereIsNoMatrix() throws Exception {
        String campaign = id;
        id = "none-such";
        assertThat(matrix("").statusCode()).isEqualTo(404);
        id = campaign;
        server.store().execute("UPDATE campaign SET trials = 1000, case_count = 1000000 WHERE campaign_id = ?", id);
        HttpResponse<byte[]> tooLarge = matrix("");
        assertThat(tooLarge.statusCode()).isEqualTo(422);
        assertThat(Json.tree(new String(tooLarge.body())).get("detail").asText())
                .contains("/outcomes");
    }

    @Test
    void shouldGiveManyReadersTheSameCellsWhileResultsCome() throws Exception {
        String version = header(matrix(""), "Matrix-Version");
        byte[] mine = new byte[12];
        List<Thread> readers = new ArrayList<>();
        for (int ordinal = 0; ordinal < 6; ordinal++) {
            record(ordinal, 1, ordinal % 2 == 0);
        }
        for (int i = 0; i < 20; i++) {
            readers.add(Thread.startVirtualThread(() -> server.fetch("/api/v1/campaigns/" + id + "/matrix")));
        }
        for (Thread reader : readers) {
            reader.join();
        }
        HttpResponse<byte[]> changes = await().atMost(Duration.ofSeconds(10))
                .until(() -> matrix("?since=" + version), answer -> answer.body().length == 30);
        ByteBuffer body = ByteBuffer.wrap(changes.body());
        while (body.hasRemaining()) {
            mine[body.getInt()] = body.get();
        }
        assertThat(mine).isEqualTo(matrix("").body());
    }
}
