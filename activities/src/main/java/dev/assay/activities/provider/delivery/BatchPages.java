package dev.assay.activities.provider.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.provider.delivery.BatchCalls.Said;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The list of an account's batches, page by page. It is read until a page has older batches only; where they are not in the order of
 * their age, to its end. A list that cannot be read to there is an error: who takes it for complete submits a batch twice.
 */
final class BatchPages {

    private static final int PAGE = 100;

    /** A hundred thousand batches. */
    private static final int MOST_PAGES = 1_000;

    private final BatchCalls calls;
    private final String path;
    private final String cursor;
    private final Instant since;
    private final Set<String> seen = new HashSet<>();
    private @Nullable Instant oldest;
    private boolean isInOrder = true;
    private @Nullable Said last;

    /**
     * @param path of the list
     * @param cursor the parameter that names the batch after which a page begins
     * @param since batches before it are not asked for
     */
    BatchPages(BatchCalls calls, String path, String cursor, Instant since) {
        this.calls = calls;
        this.path = path;
        this.cursor = cursor;
        this.since = since;
    }

    /**
     * The batches since then, and perhaps older ones.
     *
     * @param created when a batch was made; null where it does not say, which counts as since then
     */
    List<JsonNode> read(Function<JsonNode, @Nullable Instant> created) throws BatchCallException, InterruptedException {
        List<JsonNode> recent = new ArrayList<>();
        String after = "";
        for (int page = 0; page < MOST_PAGES; page++) {
            Said said =
                    calls.page(calls.to(path + "?limit=" + PAGE + after).GET().build());
            last = said;
            JsonNode batches = said.body().path("data");
            if (!batches.isArray()) {
                throw calls.unusable(said);
            }
            int before = recent.size();
            String lastId = take(said, batches, created, recent);
            boolean hasMore = hasMore(said, batches);
            if (!hasMore) {
                return recent;
            }
            if (lastId == null) {
                throw calls.unusable(said);
            }
            if (isInOrder && recent.size() == before) {
                return recent;
            }
            after = "&" + cursor + "=" + URLEncoder.encode(lastId, StandardCharsets.UTF_8);
        }
        throw calls.unusable(last());
    }

    /** Takes the batches of a page; gives the id of the last one. Null: the page has nothing new. */
    private @Nullable String take(
            Said said, JsonNode batches, Function<JsonNode, @Nullable Instant> created, List<JsonNode> recent)
            throws BatchCallException {
        String lastId = null;
        for (JsonNode batch : batches) {
            String id = BatchCalls.id(batch.path("id"));
            if (id == null) {
                throw calls.unusable(said);
            }
            if (!seen.add(id)) {
                continue;
            }
            lastId = id;
            Instant at = created.apply(batch);
            isInOrder &= at != null && (oldest == null || !at.isAfter(oldest));
            oldest = at == null ? oldest : at;
            if (at == null || !at.isBefore(since)) {
                recent.add(batch);
            }
        }
        return lastId;
    }

    /** Servers that do not say whether there is more have said all when a page is not full. */
    private boolean hasMore(Said said, JsonNode batches) throws BatchCallException {
        JsonNode more = said.body().path("has_more");
        if (more.isBoolean()) {
            return more.booleanValue();
        }
        if (batches.size() >= PAGE) {
            throw calls.unusable(said);
        }
        return false;
    }

    /** The last page, for its headers. */
    Said last() {
        return Objects.requireNonNull(last);
    }
}
