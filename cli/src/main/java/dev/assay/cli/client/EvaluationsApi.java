package dev.assay.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Consumer;

/** Evaluations of one kind, with the same way to submit, await and cancel them. Failures are those of {@link AssayApi}. */
public final class EvaluationsApi {

    private final AssayApi api;
    private final String path;
    private final String kind;

    /**
     * @param path under which they are, after {@code /api/v1}
     * @param kind what one is called, for people
     */
    EvaluationsApi(AssayApi api, String path, String kind) {
        this.api = api;
        this.path = path;
        this.kind = kind;
    }

    /** The name of the kind, for people. */
    public String kind() {
        return kind;
    }

    /** Stores one and starts it. */
    public JsonNode submit(JsonNode document) {
        return api.post(path, document);
    }

    /** Continues an evaluation that has ended from its selected context. */
    public JsonNode proceed(String id, JsonNode document) {
        return api.post(one(id) + "/continue", document);
    }

    /** Cancels one. */
    public JsonNode cancel(String id) {
        return api.post(one(id) + "/cancel");
    }

    /** An evaluation that has ended: waits for its end. */
    public JsonNode ended(String id) {
        while (true) {
            JsonNode evaluation = api.get(one(id) + "?wait=20s");
            if (evaluation.hasNonNull("finishedAt")) {
                return evaluation;
            }
        }
    }

    /** The events of one as JSON, from the first to the last, as they happen. */
    public void events(String id, Consumer<String> consumer) {
        api.events(one(id) + "/events", consumer);
    }

    private String one(String id) {
        return path + "/" + AssayApi.encoded(id);
    }
}
