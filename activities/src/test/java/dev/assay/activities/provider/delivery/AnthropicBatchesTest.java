package dev.assay.activities.provider.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnthropicBatchesTest {

    private static final String PATH = "/v1/messages/batches";
    private static final String LINE = "{\"custom_id\":\"%s\",\"result\":{\"type\":\"%s\"}}\n";

    @TempDir
    private Path folder;

    private final BatchHttp http = new BatchHttp(
            new BatchHttp.Times(Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ofSeconds(20), 1_000_000));

    /** Answers by path; a path without one is 404, and an empty one is never answered. */
    private final Map<String, String> answers = new LinkedHashMap<>();

    private StubProvider stub;
    private BatchWire wire;
    private int status = 200;

    @BeforeEach
    void start() throws IOException {
        stub = new StubProvider(this::answer);
        wire = wire(stub.url());
    }

    @AfterEach
    void stop() {
        stub.close();
        http.close();
    }

    private BatchWire wire(String url) {
        ProviderSettings settings = new ProviderSettings(
                "anthropic", ProviderType.ANTHROPIC, URI.create(url), "ANTHROPIC_API_KEY", 1, 1, Map.of());
        return BatchWires.of(settings, ApiKey.of(Requests.KEY), http);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String said = answers.get(exchange.getRequestURI().toString());
        exchange.getResponseHeaders().set("anthropic-organization-id", "org-1");
        if (said == null) {
            StubProvider.answer(exchange, 404, "{\"error\":{\"message\":\"There is no such thing.\"}}");
        } else if (!said.isEmpty()) {
            StubProvider.answer(exchange, status, said);
        }
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("lines.jsonl"), text);
    }

    private Asked lastAsked() {
        return stub.asked().getLast();
    }

    @Test
    void shouldWriteTheParamsAsTheyAreWhenALineIsMade() {
        ObjectNode body = (ObjectNode) Json.tree("{\"model\":\"m\",\"top_p\":0.70,\"text\":\"ä\\n\"}");

        assertThat(new String(wire.line("b1-1", body), StandardCharsets.UTF_8))
                .isEqualTo("{\"custom_id\":\"b1-1\",\"params\":" + Json.write(body) + "}\n");
    }

    @Test
    void shouldSendTheLinesWithTheSubmission() throws Exception {
        answers.put(PATH, "{\"id\":\"msgbatch_1\",\"expires_at\":\"2026-11-28T10:00:00.5+01:00\"}");
        String one = "{\"custom_id\":\"b1-1\",\"params\":{\"text\":\"ä\\n,\"}}";
        String two = "{\"custom_id\":\"b1-2\",\"params\":{}}";

        assertThat(wire.upload(folder)).isNull();
        Submission submission = wire.submit("b1", null, file(one + "\n" + two + "\n"));

        assertThat(submission)
                .isEqualTo(new Submission.Accepted(
                        "msgbatch_1", Instant.parse("2026-11-28T09:00:00.5Z"), AccountHash.of("org-1", null)));
        String sent = "{\"requests\":[" + one + "," + two + "]}";
        assertThat(lastAsked().text()).isEqualTo(sent);
        assertThat(lastAsked().header("Content-Length"))
                .isEqualTo(Integer.toString(sent.getBytes(StandardCharsets.UTF_8).length));
        assertThat(lastAsked().header("x-api-key")).isEqualTo(Requests.KEY);
        assertThat(lastAsked().header("anthropic-version")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100_000})
    void shouldWriteTheSameBodyWhateverTheSizeOfThePieces(int size) throws Exception {
        String line = "{\"text\":\"" + "x".repeat(10_000) + "\"}\n";
        RequestsBody body = RequestsBody.of(file(line + line));
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] piece = new byte[size];
        try (InputStream stream = body.stream()) {
            int first = stream.read();
            read.write(first);
            for (int n = stream.read(piece); n >= 0; n = stream.read(piece)) {
                read.write(piece, 0, n);
            }
        }

        assertThat(read.toString(StandardCharsets.UTF_8))
                .isEqualTo("{\"requests\":[" + line.strip() + "," + line.strip() + "]}");
        assertThat(body.length()).isEqualTo(read.size());
    }

    @Test
    void shouldRefuseAnEmptyFile() throws Exception {
        Path empty = file("");

        catchThrowableOfType(IllegalArgumentException.class, () -> RequestsBody.of(empty));
    }

    @ParameterizedTest
    @CsvSource({"400, false", "413, false", "401, true", "429, true"})
    void shouldKnowThatNothingWasAcceptedWhenTheStatusSaysSo(int answered, boolean retryLater) throws Exception {
        answers.put(PATH, "{\"type\":\"error\",\"error\":{\"type\":\"some_error\",\"message\":\"No.\"}}");
        status = answered;

        assertThat(wire.submit("b1", null, file("{}\n"))).isInstanceOfSatisfying(Submission.Refused.class, refused -> {
            assertThat(refused.retryLater()).isEqualTo(retryLater);
            assertThat(refused.code()).isEqualTo("some_error");
            assertThat(refused.words()).endsWith(": No.");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 500, 529})
    void shouldNotKnowWhenAStatusDoesNotSayThatNothingWasAccepted(int answered) throws Exception {
        answers.put(PATH, "{}");
        status = answered;

        assertThat(wire.submit("b1", null, file("{}\n"))).isInstanceOf(Submission.Unknown.class);
    }

    @Test
    void shouldSubmitOnceWhenTheReplyIsLost() throws Exception {
        answers.put(PATH, "");

        assertThat(wire.submit("b1", null, file("{}\n".repeat(100_000)))).isInstanceOf(Submission.Unknown.class);

        assertThat(stub.asked()).hasSize(1);
    }

    private static String batch(String id, String state, String created, int processing, int succeeded) {
        return """
            {"id":"%1$s","processing_status":"%2$s","created_at":"%3$s","expires_at":"2026-11-28T10:00:00Z",
             "request_counts":{"processing":%4$d,"succeeded":%5$d,"errored":2,"canceled":1,"expired":3},
             "results_url":"https://evil.example/v1/messages/batches/%1$s/results"}
            """.formatted(id, state, created, processing, succeeded);
    }

    @ParameterizedTest
    @CsvSource({"in_progress, false", "canceling, false", "a_new_word, false", "ended, true"})
    void shouldCountLinesAndSayWhetherABatchEnded(String state, boolean ended) throws Exception {
        answers.put(PATH + "/msgbatch_1", batch("msgbatch_1", state, "2026-11-27T10:00:00Z", 4, 5));

        assertThat(wire.status("msgbatch_1"))
                .isEqualTo(new BatchStatus(
                        "msgbatch_1",
                        ended,
                        null,
                        15,
                        5,
                        6,
                        ended ? List.of(PATH + "/msgbatch_1/results") : List.of(),
                        Instant.parse("2026-11-28T10:00:00Z"),
                        AccountHash.of("org-1", null)));
    }

    @Test
    void shouldReadResultsFromItsOwnHostWhateverTheAnswerNames() throws Exception {
        answers.put(PATH + "/msgbatch_1", batch("msgbatch_1", "ended", "2026-11-27T10:00:00Z", 0, 5));
        answers.put(PATH + "/msgbatch_1/results", LINE.formatted("b1-0", "expired"));

        assertThat(read("msgbatch_1")).extracting(DeliveredLine::customId).containsExactly("b1-0");
        assertThat(lastAsked().header("x-api-key")).isEqualTo(Requests.KEY);
    }

    private List<DeliveredLine> read(String id) throws Exception {
        List<DeliveredLine> lines = new ArrayList<>();
        assertThat(wire.results(wire.status(id), lines::add)).isTrue();
        return lines;
    }

    @Test
    void shouldReadResultsAtThePathThatTheAnswerNames() throws Exception {
        answers.put(
                PATH + "/msgbatch_1",
                "{\"processing_status\":\"ended\",\"results_url\":\"https://evil.example/elsewhere/r%20?x=y\"}");
        answers.put("/elsewhere/r%20", LINE.formatted("b1-0", "expired"));

        assertThat(read("msgbatch_1")).hasSize(1);
    }

    @Test
    void shouldReadResultsThroughAGateway() throws Exception {
        wire = wire(stub.url() + "/gateway/v1");
        answers.put("/gateway" + PATH + "/msgbatch_1", batch("msgbatch_1", "ended", "2026-11-27T10:00:00Z", 0, 5));
        answers.put("/gateway" + PATH + "/msgbatch_1/results", LINE.formatted("b1-0", "expired"));

        assertThat(read("msgbatch_1")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "{\"processing_status\":7}", "no JSON"})
    void shouldFailWhenAStatusIsNone(String said) {
        answers.put(PATH + "/msgbatch_1", said);

        catchThrowableOfType(BatchCallException.class, () -> wire.status("msgbatch_1"));
    }

    @ParameterizedTest
    @CsvSource({"ended, true", "in_progress, false"})
    void shouldCancelABatchOrLeaveOneThatEnded(String state, boolean isDone) throws Exception {
        stub.close();
        stub = new StubProvider(exchange -> StubProvider.answer(
                exchange,
                exchange.getRequestMethod().equals("POST") ? 400 : 200,
                batch("msgbatch_1", state, "2026-11-27T10:00:00Z", 0, 5)));
        wire = wire(stub.url());

        BatchCallException failure = catchThrowableOfType(BatchCallException.class, () -> wire.cancel("msgbatch_1"));

        assertThat(failure == null).isEqualTo(isDone);
        assertThat(stub.asked().getFirst().path()).isEqualTo(PATH + "/msgbatch_1/cancel");
    }

    private static final Instant SINCE = Instant.parse("2026-11-27T10:00:00Z");

    private void list(String... batches) {
        answers.put(PATH + "?limit=100", "{\"data\":[" + String.join(",", batches) + "],\"has_more\":false}");
    }

    @Test
    void shouldTellCandidatesByTheirTimeTheirLinesAndTheirFirstCustomId() throws Exception {
        list(
                batch("running", "in_progress", "2026-11-27T10:00:01Z", 9, 0),
                batch("ours", "ended", "2026-11-27T09:59:30Z", 0, 9),
                batch("others", "ended", "2026-11-27T09:59:29Z", 0, 9),
                batch("longer", "ended", "2026-11-27T09:59:28Z", 0, 10),
                batch("older", "ended", "2026-11-27T09:58:59Z", 0, 9));
        answers.put(PATH + "/ours/results", "half a line\n" + LINE.formatted("b1-3", "expired"));
        answers.put(PATH + "/others/results", LINE.formatted("b10-3", "expired") + LINE.formatted("b1-3", "expired"));

        assertThat(wire.candidates(SINCE, "b1", null, 15))
                .isEqualTo(new Listing(
                        AccountHash.of("org-1", null),
                        List.of(new Candidate("running", false), new Candidate("ours", true))));
    }

    @Test
    void shouldReadNoMoreThanTheFirstLineOfACandidate() throws Exception {
        list(batch("ours", "ended", "2026-11-27T10:00:00Z", 0, 9));
        String first = LINE.formatted("b1-3", "expired");
        stub.close();
        stub = new StubProvider(exchange -> {
            if (exchange.getRequestURI().getPath().endsWith("/results")) {
                exchange.sendResponseHeaders(200, 1_000_000_000);
                exchange.getResponseBody().write(first.getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
                Thread.sleep(10_000);
            } else {
                answer(exchange);
            }
        });
        wire = wire(stub.url());

        assertThat(wire.candidates(SINCE, "b1", null, 15).candidates()).containsExactly(new Candidate("ours", true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "no line\n", "{\"custom_id\":7}\n"})
    void shouldFailWhenACandidateCannotBeTold(String results) {
        list(batch("ended", "ended", "2026-11-27T10:00:00Z", 0, 9));
        answers.put(PATH + "/ended/results", results);

        catchThrowableOfType(BatchCallException.class, () -> wire.candidates(SINCE, "b1", null, 15));
    }

    @Test
    void shouldFailWhenTheResultsOfACandidateAreGone() {
        list(batch("ended", "ended", "2026-11-27T10:00:00Z", 0, 9));

        BatchCallException failure =
                catchThrowableOfType(BatchCallException.class, () -> wire.candidates(SINCE, "b1", null, 15));

        assertThat(failure.status()).isEqualTo(404);
    }

    @Test
    void shouldAskForTheNextPageAfterTheLastBatch() throws Exception {
        answers.put(
                PATH + "?limit=100",
                "{\"data\":[" + batch("one", "in_progress", "2026-11-27T10:00:02Z", 9, 0) + "],\"has_more\":true}");
        answers.put(
                PATH + "?limit=100&after_id=one",
                "{\"data\":[" + batch("two", "in_progress", "2026-11-27T10:00:01Z", 9, 0) + "],\"has_more\":false}");

        assertThat(wire.candidates(SINCE, "b1", null, 15).candidates())
                .containsExactly(new Candidate("one", false), new Candidate("two", false));
    }
}
