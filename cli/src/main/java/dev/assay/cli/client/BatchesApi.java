package dev.assay.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The provider batches of a server. Failures are those of {@link AssayApi}. */
public final class BatchesApi {

    private static final String PATH = "/batches";

    private final AssayApi api;

    BatchesApi(AssayApi api) {
        this.api = api;
    }

    /**
     * Hands over batches, the newest first, page by page.
     *
     * @param campaign only those of this campaign; null: all
     * @param state only those in this state; null: all
     */
    public void list(@Nullable String campaign, @Nullable String state, Consumer<JsonNode> consumer) {
        api.pages(
                PATH + "?pageSize=" + AssayApi.PAGE_SIZE + parameter("campaign", campaign) + parameter("state", state),
                consumer);
    }

    private static String parameter(String name, @Nullable String value) {
        return value == null ? "" : "&" + name + "=" + AssayApi.encoded(value);
    }

    /** A batch. */
    public JsonNode show(String id) {
        return api.get(one(id));
    }

    /** Has a batch looked at now; returns it. */
    public JsonNode look(String id) {
        return api.post(one(id) + "/look");
    }

    /** Gives a batch up; returns it. */
    public JsonNode abandon(String id) {
        return api.post(one(id) + "/abandon");
    }

    private static String one(String id) {
        return PATH + "/" + AssayApi.encoded(id);
    }
}
