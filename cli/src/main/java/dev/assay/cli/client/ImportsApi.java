package dev.assay.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import org.jspecify.annotations.Nullable;

/** Imports of finished results. Failures are those of {@link AssayApi}. */
public final class ImportsApi {

    private static final String IMPORTS = "/imports";

    private final AssayApi api;

    ImportsApi(AssayApi api) {
        this.api = api;
    }

    /** Begins an import: answers with its id, or with the campaign of the same files. */
    public JsonNode begin(JsonNode header) {
        return api.post(IMPORTS, header);
    }

    /** Sends a piece of the results: lines of JSON. */
    public void add(String id, int sequence, byte[] lines) {
        api.sendLines(IMPORTS + "/" + AssayApi.encoded(id) + "/results?sequence=" + sequence, lines);
    }

    /**
     * Makes a campaign of the results, however long it takes.
     *
     * @param reason why the tool's run is not complete; null: it is
     * @return the campaign
     */
    public JsonNode finish(String id, @Nullable String reason) {
        ObjectNode said = Json.mapper().createObjectNode().put("complete", reason == null);
        if (reason != null) {
            said.put("reason", reason);
        }
        return api.postUnlimited(IMPORTS + "/" + AssayApi.encoded(id) + "/finish", said);
    }

    /** Gives an import up. */
    public void remove(String id) {
        api.remove(IMPORTS + "/" + AssayApi.encoded(id));
    }

    /** What the tool says of a campaign, beside what its results come to. */
    public JsonNode report(String campaign) {
        return api.get("/campaigns/" + AssayApi.encoded(campaign) + "/import");
    }
}
