package dev.assay.activities.provider.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.provider.delivery.BatchCalls.Said;
import dev.assay.domain.delivery.DeliveredFile;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gemini's batches: OpenAI's, with files and, where that is missing, a list of Google's own. */
final class GoogleBatches implements BatchWire {

    /** Google's own name of a batch begins with it; the address for OpenAI's clients may know the rest only. */
    private static final String PREFIX = "batches/";

    /** Statuses of a server that has no list at OpenAI's address. */
    private static final Set<Integer> NO_LIST = Set.of(404, 405, 501);

    private static final int MOST_PAGES = 1_000;

    private final BatchCalls calls;
    private final GoogleFiles files;
    private final OpenAiBatches openAi;

    GoogleBatches(BatchCalls calls) {
        this.calls = calls;
        this.files = new GoogleFiles(calls);
        this.openAi = new OpenAiBatches(calls, files);
    }

    /** A step with the id of a batch. */
    @FunctionalInterface
    private interface Step<T> {
        T with(String id) throws BatchCallException, InterruptedException;
    }

    private static <T> T atEither(String id, Step<T> step) throws BatchCallException, InterruptedException {
        try {
            return step.with(id);
        } catch (BatchCallException e) {
            if (e.status() != 404 || !id.startsWith(PREFIX)) {
                throw e;
            }
            return step.with(id.substring(PREFIX.length()));
        }
    }

    @Override
    public byte[] line(String customId, ObjectNode body) {
        return openAi.line(customId, body);
    }

    @Override
    public String upload(Path file) throws BatchCallException, InterruptedException {
        return openAi.upload(file);
    }

    @Override
    public Submission submit(String batchId, @Nullable String fileId, Path file) throws InterruptedException {
        return openAi.submit(batchId, fileId, file);
    }

    @Override
    public BatchStatus status(String providerId) throws BatchCallException, InterruptedException {
        return atEither(providerId, openAi::status);
    }

    @Override
    public boolean results(BatchStatus ended, DeliveredFile.Sink sink) throws BatchCallException, InterruptedException {
        return openAi.results(ended, sink);
    }

    @Override
    public void cancel(String providerId) throws BatchCallException, InterruptedException {
        var _ = atEither(providerId, id -> {
            openAi.cancel(id);
            return id;
        });
    }

    @Override
    public Listing candidates(Instant since, String batchId, @Nullable String fileId, int lines)
            throws BatchCallException, InterruptedException {
        try {
            return openAi.candidates(since, batchId, fileId, lines);
        } catch (BatchCallException e) {
            if (!NO_LIST.contains(e.status()) || fileId == null) {
                throw e;
            }
            return ofGoogle(fileId);
        }
    }

    /** Google's own list, to its end. It knows the file of a batch. */
    private Listing ofGoogle(String fileId) throws BatchCallException, InterruptedException {
        List<Listing.Candidate> ours = new ArrayList<>();
        Set<String> tokens = new HashSet<>();
        String query = "";
        for (int page = 0; page < MOST_PAGES; page++) {
            Said said = calls.page(files.to("/v1beta/batches" + query).GET().build());
            JsonNode batches = said.body().path("operations");
            if (!batches.isArray() && !batches.isMissingNode()) {
                throw calls.unusable(said);
            }
            for (JsonNode batch : batches) {
                String id = BatchCalls.id(batch.path("name"));
                if (id == null) {
                    throw calls.unusable(said);
                }
                if (batch.at("/metadata/inputConfig/fileName").asText().equals(fileId)) {
                    ours.add(new Listing.Candidate(id, true));
                }
            }
            String token = said.body().path("nextPageToken").asText();
            if (token.isEmpty() || said.body().path("nextPageToken").isNull()) {
                return new Listing(null, ours);
            }
            if (!tokens.add(token)) {
                throw calls.unusable(said);
            }
            query = "?pageToken=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
        }
        throw calls.without("a list that ends");
    }

    @Override
    public void deleteFile(String fileId) throws BatchCallException, InterruptedException {
        openAi.deleteFile(fileId);
    }
}
