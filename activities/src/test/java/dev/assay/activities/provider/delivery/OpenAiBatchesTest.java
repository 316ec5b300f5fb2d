package dev.assay.activities.provider.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.provider.LogCapture;
import dev.assay.activities.provider.RawServer;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.delivery.BatchStub.Fault;
import dev.assay.activities.provider.delivery.Listing.Candidate;
import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.domain.delivery.DeliveredLine;
import dev.assay.domain.delivery.LineEnd;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenAiBatchesTest {

    /** SHA-256 of the organization that the stub names. */
    private static final String ACCOUNT = Objects.requireNonNull(AccountHash.of("org-1", null));

    private static final String ANSWERED =
            "{\"custom_id\":\"%s\",\"response\":{\"status_code\":200,\"body\":{\"n\":%d}},\"error\":null}\n";

    @TempDir
    private Path folder;

    private final BatchHttp http = new BatchHttp(
            new BatchHttp.Times(Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ofSeconds(20), 1_000_000));
    private BatchStub stub;
    private BatchWire wire;

    @BeforeEach
    void start() throws IOException {
        stub = new BatchStub();
        wire = wire(stub.url());
    }

    @AfterEach
    void stop() {
        stub.close();
        http.close();
    }

    private BatchWire wire(String url) {
        ProviderSettings settings =
                new ProviderSettings("openai", ProviderType.OPENAI, URI.create(url), "OPENAI_API_KEY", 1, 1, Map.of());
        return BatchWires.of(settings, ApiKey.of(Requests.KEY), http);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("lines.jsonl"), text);
    }

    private Submission submit(BatchWire asked) throws Exception {
        return asked.submit("b1", "file-7", file("x\n"));
    }

    private String accepted() throws Exception {
        return ((Submission.Accepted) submit(wire)).providerId();
    }

    @Test
    void shouldWriteTheBodyAsItIsWhenALineIsMade() {
        ObjectNode body = (ObjectNode) Json.tree("{\"model\":\"m\",\"temperature\":0.70,\"text\":\"ä\\u0000\\n\"}");

        assertThat(new String(wire.line("b1-1", body), StandardCharsets.UTF_8))
                .isEqualTo("{\"custom_id\":\"b1-1\",\"method\":\"POST\",\"url\":\"/v1/chat/completions\",\"body\":"
                        + Json.write(body) + "}\n");
    }

    @Test
    void shouldUploadTheFileByteForByteAndSubmitItByItsId() throws Exception {
        String lines = "{\"a\":\"ä--\\r\\n\"}\n{\"b\":1}\n";

        String fileId = wire.upload(file(lines));
        Submission submission = wire.submit("b1", fileId, folder);

        assertThat(stub.files).containsEntry(Objects.requireNonNull(fileId), lines);
        assertThat(BatchStub.part(stub.asked().getFirst().text(), "purpose")).isEqualTo("batch");
        assertThat(stub.asked().getFirst().header("Authorization")).isEqualTo("Bearer " + Requests.KEY);
        assertThat(stub.asked().getLast().body())
                .isEqualTo(Json.tree("{\"input_file_id\":\"" + fileId
                        + "\",\"endpoint\":\"/v1/chat/completions\",\"completion_window\":\"24h\","
                        + "\"metadata\":{\"assay_batch\":\"b1\"}}"));
        assertThat(submission)
                .isEqualTo(new Submission.Accepted("batch_2", Instant.ofEpochSecond(2_000_000_000L), ACCOUNT));
    }

    @Test
    void shouldSubmitOnceWhenTheReplyIsLost() throws Exception {
        stub.plant("submit", Fault.LOST);

        assertThat(submit(wire)).isInstanceOf(Submission.Unknown.class);

        assertThat(stub.asked()).hasSize(1);
        assertThat(stub.batches).hasSize(1);
    }

    @Test
    void shouldNotKnowWhenTheReplyComesTooLate() throws Exception {
        stub.plant("submit", Fault.late());

        assertThat(submit(wire)).isInstanceOf(Submission.Unknown.class);

        assertThat(stub.asked()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 408, 409, 500, 502, 503, 529})
    void shouldNotKnowWhenAStatusDoesNotSayThatNothingWasAccepted(int status) throws Exception {
        stub.plant("submit", Fault.answering(status, "{\"error\":{\"message\":\"Hm.\"}}", "Retry-After", "1"));

        assertThat(submit(wire))
                .isInstanceOfSatisfying(
                        Submission.Unknown.class,
                        unknown -> assertThat(unknown.words()).contains("openai"));
        assertThat(stub.asked()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"400, false", "401, true", "403, false", "404, false", "413, false", "422, false", "429, true"})
    void shouldKnowThatNothingWasAcceptedWhenTheStatusSaysSo(int status, boolean retryLater) throws Exception {
        String body = "{\"error\":{\"message\":\"No\\u0000\\u001b batches.\",\"type\":\"t\",\"code\":\"no_batches\"}}";
        stub.plant("submit", Fault.answering(status, body, "Retry-After", "7"));

        assertThat(submit(wire)).isInstanceOfSatisfying(Submission.Refused.class, refused -> {
            assertThat(refused.status()).isEqualTo(status);
            assertThat(refused.retryLater()).isEqualTo(retryLater);
            assertThat(refused.code()).isEqualTo("no_batches");
            assertThat(refused.words()).endsWith(": No batches.");
            assertThat(refused.retryAfter()).isEqualTo(status == 429 ? Duration.ofSeconds(7) : null);
            assertThat(refused.asLive().sign().refusedKey()).isEqualTo(status == 401 ? Outage.Reason.AUTH : null);
        });
    }

    @Test
    void shouldKnowThatNothingWasAcceptedWhenNoConnectionIsMade() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }

        for (String url : List.of("http://127.0.0.1:" + port, "http://no-such-host.invalid")) {
            assertThat(submit(wire(url))).isInstanceOfSatisfying(Submission.Refused.class, refused -> {
                assertThat(refused.status()).isZero();
                assertThat(refused.retryLater()).isTrue();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"id\":7}",
                "{\"id\":\"\"}",
                "{\"id\":\"../files\"}",
                "{\"id\":\"a?b\"}",
                "<html>"
            })
    void shouldNotKnowWhenASuccessNamesNoBatch(String body) throws Exception {
        stub.plant("submit", Fault.saying(200, body));

        assertThat(submit(wire)).isInstanceOf(Submission.Unknown.class);
    }

    @Test
    void shouldNotKnowWhenTheAnswerOfASubmissionIsHuge() throws Exception {
        stub.plant("submit", Fault.saying(200, "{\"id\":\"" + "x".repeat(2_000_000) + "\"}"));

        assertThat(submit(wire)).isInstanceOf(Submission.Unknown.class);
    }

    @Test
    void shouldSubmitOnAConnectionOfItsOwn() throws Exception {
        wire.upload(file("x\n"));
        var _ = submit(wire);
        var _ = submit(wire);

        assertThat(stub.connections()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "validating, false",
        "in_progress, false",
        "finalizing, false",
        "cancelling, false",
        "brand_new_word, false",
        "completed, true",
        "expired, true",
        "cancelled, true",
        "failed, true"
    })
    void shouldSayThatABatchEndedOnlyWhenItsStateIsKnownToBeAnEnd(String status, boolean ended) throws Exception {
        String id = accepted();
        stub.batches.get(id).put("status", status);

        assertThat(wire.status(id).ended()).isEqualTo(ended);
    }

    @Test
    void shouldCountLinesAndNameBothFilesWhenABatchExpired() throws Exception {
        String id = accepted();
        stub.end(id, "expired", "a\n", "b\n");
        stub.batches.get(id).set("request_counts", Json.tree("{\"total\":9,\"completed\":4,\"failed\":-1}"));

        BatchStatus status = wire.status(id);

        assertThat(status)
                .isEqualTo(new BatchStatus(
                        id,
                        true,
                        null,
                        9,
                        4,
                        0,
                        List.of("file-2", "file-3"),
                        Instant.ofEpochSecond(2_000_000_000L),
                        ACCOUNT));
    }

    @Test
    void shouldSayWhyWhenABatchFailed() throws Exception {
        String id = accepted();
        stub.batches.get(id).put("status", "failed").set("errors", Json.tree("""
            {"data":[{"code":"token_limit_exceeded","message":"Enqueued token\\nlimit\\u001b reached with %s."}]}
            """.formatted(Requests.KEY)));

        BatchStatus status = wire.status(id);

        assertThat(status.failed())
                .isEqualTo(new BatchStatus.Failed("token_limit_exceeded", "Enqueued token limit reached with [key]."));
        assertThat(status.files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"status\":7}",
                "[]",
                "no JSON",
                "{\"status\":\"completed\",\"output_file_id\":\"../../etc\"}",
                "{\"status\":\"completed\",\"error_file_id\":7}"
            })
    void shouldFailWhenAStatusIsNone(String body) {
        stub.plant("status", Fault.saying(200, body));

        BatchCallException failure = catchThrowableOfType(BatchCallException.class, () -> wire.status("batch_1"));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        assertThat(failure.asksForAnotherKey()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"401, true", "403, true", "404, true", "429, false", "500, false"})
    void shouldSayWhetherAnotherKeyMayReachABatch(int status, boolean isKey) {
        stub.plant("status", Fault.answering(status, "{\"error\":{\"message\":\"m\"}}", "Retry-After", "9"));

        BatchCallException failure = catchThrowableOfType(BatchCallException.class, () -> wire.status("batch_1"));

        assertThat(failure.status()).isEqualTo(status);
        assertThat(failure.asksForAnotherKey()).isEqualTo(isKey);
        assertThat(failure.retryAfter()).isEqualTo(status >= 429 ? Duration.ofSeconds(9) : null);
    }

    private List<DeliveredLine> read(BatchStatus ended, boolean isWhole) throws Exception {
        List<DeliveredLine> lines = new ArrayList<>();
        assertThat(wire.results(ended, lines::add)).isEqualTo(isWhole);
        return lines;
    }

    @Test
    void shouldReadBothFilesWhenABatchEnded() throws Exception {
        String id = accepted();
        String expired = "{\"custom_id\":\"b1-2\",\"response\":null,\"error\":{\"code\":\"batch_expired\"}}";
        stub.end(id, "expired", ANSWERED.formatted("b1-0", 0) + ANSWERED.formatted("b1-1", 1), expired);

        assertThat(read(wire.status(id), true))
                .extracting(DeliveredLine::customId, DeliveredLine::end)
                .containsExactly(
                        tuple("b1-0", LineEnd.ANSWERED),
                        tuple("b1-1", LineEnd.ANSWERED),
                        tuple("b1-2", LineEnd.EXPIRED));
    }

    /** The stub announces a length, or none, and goes away before or after all of it. */
    @ParameterizedTest
    @CsvSource({
        "'Content-Length: 1000', false, false",
        "'Content-Length: 1000', true, false",
        "'Transfer-Encoding: chunked', true, false",
        "'Connection: close', true, true",
        "'Connection: close', false, false"
    })
    void shouldNoticeWhenAResultFileBreaksOff(String header, boolean endsInLine, boolean isWhole) throws Exception {
        String text =
                ANSWERED.formatted("b1-0", 0) + ANSWERED.formatted("b1-1", 1).strip() + (endsInLine ? "\n" : "");
        String body = header.contains("chunked") ? Integer.toHexString(text.length()) + "\r\n" + text + "\r\n" : text;
        try (RawServer server = RawServer.dropping("HTTP/1.1 200 OK\r\n" + header + "\r\n\r\n" + body)) {
            wire = wire(server.url());

            assertThat(read(ended("file-1"), isWhole)).hasSize(endsInLine ? 2 : 1);
        }
    }

    private static BatchStatus ended(String... files) {
        return new BatchStatus("batch_1", true, null, 0, 0, 0, List.of(files), null, null);
    }

    @Test
    void shouldReadTheSecondFileWhenTheFirstBreaksOff() throws Exception {
        stub.files.put("file-1", ANSWERED.formatted("b1-0", 0));
        stub.plant("content", (exchange, _) -> {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write(ANSWERED.formatted("b1-1", 1).getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        });

        assertThat(read(ended("file-0", "file-1"), false))
                .extracting(DeliveredLine::customId)
                .containsExactly("b1-1", "b1-0");
    }

    @Test
    void shouldGiveUpWhenAResultFileStalls() throws Exception {
        try (RawServer server =
                RawServer.holding("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + ANSWERED.formatted("b1-0", 0))) {
            wire = wire(server.url());

            assertThat(read(ended("file-1"), false)).hasSize(1);
            server.awaitClose();
        }
    }

    @Test
    void shouldCloseTheConnectionWhenItsReaderFails() throws Exception {
        try (RawServer server =
                RawServer.holding("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + ANSWERED.formatted("b1-0", 0))) {
            wire = wire(server.url());

            catchThrowableOfType(
                    IllegalStateException.class,
                    () -> wire.results(ended("file-1"), _ -> {
                        throw new IllegalStateException("The database is away");
                    }));

            server.awaitClose();
        }
    }

    @Test
    void shouldFailWhenAResultFileIsRefused() {
        stub.plant("content", Fault.answering(404, "{\"error\":{\"message\":\"Gone " + Requests.KEY + "\"}}"));

        BatchCallException failure =
                catchThrowableOfType(BatchCallException.class, () -> wire.results(ended("file-1"), _ -> {}));

        assertThat(failure.status()).isEqualTo(404);
        assertThat(failure.failure().message()).endsWith("Gone [key]");
    }

    @Test
    void shouldCancelABatchAndLeaveOneThatEnded() throws Exception {
        String id = accepted();
        wire.cancel(id);
        stub.plant("cancel", Fault.answering(409, "{\"error\":{\"message\":\"It has ended.\"}}"));
        wire.cancel(id);

        assertThat(stub.asked().getLast().path()).isEqualTo("/v1/batches/" + id + "/cancel");

        stub.plant("cancel", Fault.answering(500, "{}"));
        catchThrowableOfType(BatchCallException.class, () -> wire.cancel(id));
    }

    @Test
    void shouldFindABatchByItsFileOrItsMetadataOnAnyPage() throws Exception {
        List<Candidate> ours = new ArrayList<>();
        for (String batchId : List.of("b0", "b1", "b2", "b3")) {
            ours.add(new Candidate(
                    ((Submission.Accepted) wire.submit(batchId, "file-" + batchId, folder)).providerId(), true));
        }

        assertThat(wire.candidates(Instant.now(), "b0", null, 1))
                .isEqualTo(new Listing(ACCOUNT, List.of(ours.getFirst())));
        assertThat(wire.candidates(Instant.now(), "other", "file-b3", 1).candidates())
                .containsExactly(ours.getLast());
        assertThat(wire.candidates(Instant.now(), "other", "file-9", 1).candidates())
                .isEmpty();
    }

    @Test
    void shouldLookNoFurtherThanFiveMinutesBeforeASubmission() throws Exception {
        Instant now = Instant.now();
        for (int minutes : new int[] {60, 59, 58, 6, 4, 0}) {
            String id = accepted();
            stub.batches
                    .get(id)
                    .put("created_at", now.minusSeconds(60L * minutes).getEpochSecond());
        }
        int before = stub.asked().size();

        assertThat(wire.candidates(now, "b1", null, 1).candidates()).hasSize(2);
        assertThat(stub.asked()).hasSize(before + 2);
    }

    @Test
    void shouldReadAListToItsEndWhenItIsNotInTheOrderOfAge() throws Exception {
        Instant now = Instant.now();
        for (int minutes : new int[] {0, 57, 58, 59}) {
            String id = accepted();
            stub.batches
                    .get(id)
                    .put("created_at", now.minusSeconds(60L * minutes).getEpochSecond());
        }

        assertThat(wire.candidates(now, "b1", null, 1).candidates()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"data\":{}}",
                "{\"data\":[{\"id\":\"batch_1\"}],\"has_more\":true}",
                "{\"data\":[{}],\"has_more\":false}",
                "{\"data\":[{\"id\":\"../x\"}],\"has_more\":false}",
                "{\"data\":[],\"has_more\":true}"
            })
    void shouldFailWhenAListIsNotComplete(String page) {
        stub.plant("list", Fault.saying(200, page));
        stub.plant("list", Fault.saying(200, page));

        BatchCallException failure =
                catchThrowableOfType(BatchCallException.class, () -> wire.candidates(Instant.now(), "b1", null, 1));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
    }

    @Test
    void shouldFailWhenALaterPageCannotBeRead() throws Exception {
        for (int i = 0; i <= BatchStub.PAGE; i++) {
            accepted();
        }
        stub.plant("list", Fault.saying(200, Json.write(stub.page("limit=100"))));
        stub.plant("list", Fault.DROPPED);

        catchThrowableOfType(BatchCallException.class, () -> wire.candidates(Instant.now(), "b1", null, 1));
    }

    @Test
    void shouldDeleteAFileThatMayBeGone() throws Exception {
        String fileId = Objects.requireNonNull(wire.upload(file("x\n")));

        wire.deleteFile(fileId);
        wire.deleteFile(fileId);

        assertThat(stub.files).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"id\":{}}", "[]", ""})
    void shouldFailWhenAnUploadNamesNoFile(String body) throws Exception {
        stub.plant("upload", Fault.saying(200, body));
        Path lines = file("x\n");

        catchThrowableOfType(BatchCallException.class, () -> wire.upload(lines));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 400, 401, 429, 500})
    void shouldNotShowTheKeyWhenTheProviderEchoesIt(int status) throws Exception {
        String body = "{\"error\":{\"message\":\"key " + Requests.KEY + "\",\"code\":\"" + Requests.KEY + "\"}}";
        try (LogCapture logs = new LogCapture()) {
            for (String step : List.of("submit", "status", "list")) {
                stub.plant(step, Fault.saying(status, body));
            }
            Throwable ofStatus = catchThrowableOfType(BatchCallException.class, () -> wire.status("batch_1"));
            Throwable ofList =
                    catchThrowableOfType(BatchCallException.class, () -> wire.candidates(Instant.now(), "b1", null, 1));

            assertThat(submit(wire).toString() + ofStatus + ofStatus.getCause() + ofList)
                    .doesNotContain("sk-secret");
            assertThat(logs.everything()).noneMatch(line -> line.contains("sk-secret"));
        }
    }

    @Test
    void shouldEndAtOnceWhenItsThreadIsInterrupted() throws Exception {
        stub.plant("submit", Fault.late());
        Thread asking = Thread.currentThread();
        Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(300);
            } catch (InterruptedException _) {
                // It interrupts all the same.
            }
            asking.interrupt();
        });
        long start = System.nanoTime();

        catchThrowableOfType(InterruptedException.class, () -> submit(wire));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1_500));
    }

    @Test
    void shouldNotShowTheKeyWhenALineEchoesIt() throws Exception {
        stub.files.put(
                "file-1",
                "{\"custom_id\":\"b1-0\",\"error\":{\"code\":\"c\",\"message\":\"Bad key " + Requests.KEY + "\"}}\n");

        assertThat(read(ended("file-1"), true)).extracting(DeliveredLine::words).containsExactly("Bad key [key]");
    }

    /** The server sends 256 MB while the first line is being recorded; what it gets rid of are the buffers between the two. */
    @Test
    void shouldReadNoFasterThanLinesAreRecorded() throws Exception {
        byte[] line = (" ".repeat(1_000_000) + ANSWERED.formatted("b1-0", 0)).getBytes(StandardCharsets.UTF_8);
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger sentAtFirst = new AtomicInteger();
        stub.plant("content", (exchange, _) -> {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < 256; i++) {
                exchange.getResponseBody().write(line);
                sent.incrementAndGet();
            }
        });

        boolean isWhole = wire.results(ended("file-1"), _ -> {
            if (sentAtFirst.get() == 0) {
                LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
                sentAtFirst.set(sent.get());
            }
        });

        assertThat(isWhole).isTrue();
        assertThat(sentAtFirst).hasValueBetween(1, 32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../files", "a/b/c", "a?b", "a b", "batch_1#", "A/b"})
    void shouldAskForNoIdThatLeavesItsPath(String id) {
        catchThrowableOfType(IllegalArgumentException.class, () -> wire.status(id));
        catchThrowableOfType(IllegalArgumentException.class, () -> wire.cancel(id));
        catchThrowableOfType(IllegalArgumentException.class, () -> wire.deleteFile(id));
        catchThrowableOfType(IllegalArgumentException.class, () -> wire.results(ended(id), _ -> {}));

        assertThat(stub.asked()).isEmpty();
    }
}
