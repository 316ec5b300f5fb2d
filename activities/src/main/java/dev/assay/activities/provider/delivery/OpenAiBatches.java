package dev.assay.activities.provider.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.provider.delivery.BatchCalls.Said;
import dev.assay.domain.delivery.DeliveredFile;
import dev.assay.domain.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** OpenAI's batches of chat completions. */
final class OpenAiBatches implements BatchWire {

    private static final String ENDPOINT = "/v1/chat/completions";

    /** The key of a batch's metadata that holds Assay's own id. */
    private static final String OURS = "assay_batch";

    private static final List<String> FILES = List.of("output_file_id", "error_file_id");

    /** Seconds: far above any time, and below the latest instant of Java. */
    private static final long LATEST = 1_000_000_000_000L;

    private static final Set<String> ENDED = Set.of("completed", "failed", "expired", "cancelled");

    /** Clocks differ: so much before a submission is looked at, too. */
    private static final Duration MARGIN = Duration.ofMinutes(5);

    private final BatchCalls calls;
    private final BatchFiles files;

    OpenAiBatches(BatchCalls calls, BatchFiles files) {
        this.calls = calls;
        this.files = files;
    }

    @Override
    public byte[] line(String customId, ObjectNode body) {
        ObjectNode line = Json.mapper().createObjectNode();
        line.put("custom_id", customId).put("method", "POST").put("url", ENDPOINT);
        line.set("body", body);
        return (Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String upload(Path file) throws BatchCallException, InterruptedException {
        return files.upload(file);
    }

    @Override
    public Submission submit(String batchId, @Nullable String fileId, Path file) throws InterruptedException {
        ObjectNode body = Json.mapper().createObjectNode();
        body.put("input_file_id", Objects.requireNonNull(fileId))
                .put("endpoint", ENDPOINT)
                .put("completion_window", "24h")
                .putObject("metadata")
                .put(OURS, batchId);
        return calls.submit(calls.to("/batches"), BodyPublishers.ofString(Json.write(body)), said -> {
            String id = BatchCalls.id(said.body().path("id"));
            return id == null
                    ? null
                    : new Submission.Accepted(id, seconds(said.body().path("expires_at")), account(said));
        });
    }

    @Override
    public BatchStatus status(String providerId) throws BatchCallException, InterruptedException {
        Said said = calls.get("/batches/" + BatchCalls.checked(providerId));
        JsonNode batch = said.body();
        String status = batch.path("status").textValue();
        if (status == null) {
            throw calls.unusable(said);
        }
        JsonNode counts = batch.path("request_counts");
        return new BatchStatus(
                providerId,
                ENDED.contains(status),
                status.equals("failed") ? failed(batch) : null,
                BatchCalls.count(counts, "total"),
                BatchCalls.count(counts, "completed"),
                BatchCalls.count(counts, "failed"),
                files(said),
                seconds(batch.path("expires_at")),
                account(said));
    }

    /** The files that a batch names. One whose id is none would be lines that were paid and never read. */
    private List<String> files(Said said) throws BatchCallException {
        List<String> named = new ArrayList<>();
        for (String field : FILES) {
            JsonNode file = said.body().path(field);
            String id = BatchCalls.id(file);
            if (id != null) {
                named.add(id);
            } else if (!file.isMissingNode() && !file.isNull() && !file.asText().isEmpty()) {
                throw calls.unusable(said);
            }
        }
        return named;
    }

    private BatchStatus.Failed failed(JsonNode batch) {
        JsonNode error = batch.path("errors").path("data").path(0);
        return new BatchStatus.Failed(calls.words(error.path("code")), calls.words(error.path("message")));
    }

    /** A time in seconds since 1970; null: there is none. */
    private static @Nullable Instant seconds(JsonNode said) {
        boolean isTime = said.isNumber() && said.canConvertToLong() && Math.abs(said.longValue()) < LATEST;
        return isTime ? Instant.ofEpochSecond(said.longValue()) : null;
    }

    private static @Nullable String account(Said said) {
        return AccountHash.of(said.header("openai-organization"), said.header("openai-project"));
    }

    /** Both files are read, whatever the batch's state: lines that failed or expired stand in the second. */
    @Override
    public boolean results(BatchStatus ended, DeliveredFile.Sink sink) throws BatchCallException, InterruptedException {
        boolean isWhole = true;
        for (String file : ended.files()) {
            isWhole &= calls.results(files.content(BatchCalls.checked(file)), sink);
        }
        return isWhole;
    }

    /** The API refuses to cancel a batch that ended with 409. */
    @Override
    public void cancel(String providerId) throws BatchCallException, InterruptedException {
        try {
            var _ = calls.done(calls.to("/batches/" + BatchCalls.checked(providerId) + "/cancel")
                    .POST(BodyPublishers.noBody())
                    .build());
        } catch (BatchCallException e) {
            if (e.status() != 409) {
                throw e;
            }
        }
    }

    @Override
    public Listing candidates(Instant since, String batchId, @Nullable String fileId, int lines)
            throws BatchCallException, InterruptedException {
        BatchPages pages = new BatchPages(calls, "/batches", "after", since.minus(MARGIN));
        List<Listing.Candidate> ours = pages.read(batch -> seconds(batch.path("created_at"))).stream()
                .filter(batch -> batch.at("/metadata/" + OURS).asText().equals(batchId)
                        || (fileId != null
                                && batch.path("input_file_id").asText().equals(fileId)))
                .map(batch -> new Listing.Candidate(batch.path("id").textValue(), true))
                .toList();
        return new Listing(account(pages.last()), ours);
    }

    @Override
    public void deleteFile(String fileId) throws BatchCallException, InterruptedException {
        files.delete(BatchCalls.checked(fileId));
    }
}
