package dev.assay.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Consumer;

/** The providers of a server, and their limits. Failures are those of {@link AssayApi}. */
public final class ProvidersApi {

    private static final String PATH = "/providers";

    private final AssayApi api;

    ProvidersApi(AssayApi api) {
        this.api = api;
    }

    /** The providers that live workers can ask. */
    public JsonNode list() {
        return api.get(PATH);
    }

    /** The limits of a provider, and what is used of them. */
    public JsonNode limits(String name) {
        return api.get(one(name) + "/limits");
    }

    /** Changes limits of a provider; returns the changed pools. */
    public JsonNode change(String name, JsonNode limits) {
        return api.patch(one(name) + "/limits", limits);
    }

    /** Drains or enables a key; returns it. */
    public JsonNode changeKey(String name, String key, JsonNode change) {
        return api.patch(one(name) + "/keys/" + AssayApi.encoded(key), change);
    }

    /** Hands over what changed of the limits of a provider, the newest first, page by page. */
    public void changes(String name, Consumer<JsonNode> consumer) {
        api.pages(one(name) + "/changes?pageSize=" + AssayApi.PAGE_SIZE, consumer);
    }

    private static String one(String name) {
        return PATH + "/" + AssayApi.encoded(name);
    }
}
