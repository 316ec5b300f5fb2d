package dev.assay.activities.provider.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.provider.delivery.BatchCalls.Said;
import dev.assay.domain.delivery.DeliveredFile;
import dev.assay.domain.delivery.DeliveredLine;
import dev.assay.domain.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Anthropic's batches of messages. The lines go with the submission. The API keeps nothing of ours but the custom ids, and shows these
 * when a batch ended.
 */
record AnthropicBatches(BatchCalls calls) implements BatchWire {

    private static final String PATH = "/messages/batches";

    private static final List<String> ENDS = List.of("succeeded", "errored", "canceled", "expired");

    /** Clocks differ: so much before a submission is looked at, too. */
    private static final Duration MARGIN = Duration.ofMinutes(1);

    @Override
    public byte[] line(String customId, ObjectNode body) {
        ObjectNode line = Json.mapper().createObjectNode().put("custom_id", customId);
        line.set("params", body);
        return (Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public @Nullable String upload(Path file) {
        return null;
    }

    @Override
    public Submission submit(String batchId, @Nullable String fileId, Path file) throws InterruptedException {
        return calls.submit(calls.to(PATH), RequestsBody.of(file).publisher(), said -> {
            String id = BatchCalls.id(said.body().path("id"));
            return id == null
                    ? null
                    : new Submission.Accepted(id, time(said.body().path("expires_at")), account(said));
        });
    }

    @Override
    public BatchStatus status(String providerId) throws BatchCallException, InterruptedException {
        Said said = calls.get(PATH + "/" + BatchCalls.checked(providerId));
        JsonNode batch = said.body();
        if (!batch.path("processing_status").isTextual()) {
            throw calls.unusable(said);
        }
        boolean ended = hasEnded(batch);
        JsonNode counts = batch.path("request_counts");
        long succeeded = BatchCalls.count(counts, "succeeded");
        long ends =
                ENDS.stream().mapToLong(end -> BatchCalls.count(counts, end)).sum();
        return new BatchStatus(
                providerId,
                ended,
                null,
                lines(batch),
                succeeded,
                ends - succeeded,
                ended ? List.of(resultsPath(batch, providerId)) : List.of(),
                time(batch.path("expires_at")),
                account(said));
    }

    private static boolean hasEnded(JsonNode batch) {
        return batch.path("processing_status").asText().equals("ended");
    }

    /** All counts together are the lines: those under way count as processing. */
    private static long lines(JsonNode batch) {
        JsonNode counts = batch.path("request_counts");
        return BatchCalls.count(counts, "processing")
                + ENDS.stream().mapToLong(end -> BatchCalls.count(counts, end)).sum();
    }

    /** The path of the results on the provider's host. An answer says where they lie, but never on which host. */
    private String resultsPath(JsonNode batch, String id) {
        String own = PATH + "/" + id + "/results";
        try {
            String path = URI.create(batch.path("results_url").asText()).getRawPath();
            // What lies where it always does is found through a gateway, too, whose paths are others.
            if (path != null && path.startsWith("/") && !path.endsWith(own)) {
                return path;
            }
        } catch (IllegalArgumentException _) {
            // It is no address.
        }
        return URI.create(calls.settings().apiUrl() + own).getRawPath();
    }

    private HttpRequest results(String path) {
        return calls.to(PATH).uri(calls.onHost(path)).GET().build();
    }

    private static @Nullable Instant time(JsonNode said) {
        try {
            return said.isTextual() ? OffsetDateTime.parse(said.textValue()).toInstant() : null;
        } catch (DateTimeParseException _) {
            return null;
        }
    }

    private static @Nullable String account(Said said) {
        return AccountHash.of(said.header("anthropic-organization-id"), null);
    }

    @Override
    public boolean results(BatchStatus ended, DeliveredFile.Sink sink) throws BatchCallException, InterruptedException {
        boolean isWhole = true;
        for (String path : ended.files()) {
            isWhole &= calls.results(results(path), sink);
        }
        return isWhole;
    }

    /** The API refuses to cancel a batch that ended. */
    @Override
    public void cancel(String providerId) throws BatchCallException, InterruptedException {
        try {
            var _ = calls.done(calls.to(PATH + "/" + BatchCalls.checked(providerId) + "/cancel")
                    .POST(BodyPublishers.noBody())
                    .build());
        } catch (BatchCallException e) {
            boolean mayHaveEnded = e.status() == 400 || e.status() == 409;
            if (!mayHaveEnded || !status(providerId).ended()) {
                throw e;
            }
        }
    }

    @Override
    public Listing candidates(Instant since, String batchId, @Nullable String fileId, int lines)
            throws BatchCallException, InterruptedException {
        BatchPages pages = new BatchPages(calls, PATH, "after_id", since.minus(MARGIN));
        List<Listing.Candidate> candidates = new ArrayList<>();
        for (JsonNode batch : pages.read(one -> time(one.path("created_at")))) {
            String id = Objects.requireNonNull(batch.path("id").textValue());
            if (lines(batch) != lines) {
                continue;
            }
            if (!hasEnded(batch)) {
                candidates.add(new Listing.Candidate(id, false));
            } else if (isOurs(batch, id, batchId)) {
                candidates.add(new Listing.Candidate(id, true));
            }
        }
        return new Listing(account(pages.last()), candidates);
    }

    /** The first custom id decides: it begins with the id of its batch. */
    private boolean isOurs(JsonNode batch, String id, String batchId) throws BatchCallException, InterruptedException {
        DeliveredLine first = calls.firstResult(results(resultsPath(batch, id)));
        if (first == null) {
            throw calls.without("results that name an item");
        }
        return Objects.requireNonNull(first.customId()).startsWith(batchId + "-");
    }

    /** There are no files. */
    @Override
    public void deleteFile(String fileId) {}
}
