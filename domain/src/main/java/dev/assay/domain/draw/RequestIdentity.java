package dev.assay.domain.draw;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.ResponseFormat;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.replay.RequestKey;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that decides a request to a model. Two requests with the same identity ask the same, so the answer to one may stand for the
 * answer to the other. Keys of providers are no part of it.
 *
 * @param endpoint the address that is asked, without user, query and key; see {@link #endpoint}
 * @param maxOutputTokens the bound that is sent, at least 1
 * @param compares whether embeddings are asked for instead of an answer
 */
public record RequestIdentity(
        String endpoint,
        ModelChoice choice,
        int maxOutputTokens,
        @Nullable String systemPrompt,
        List<Message> messages,
        boolean compares) {

    private static final String MAX_OUTPUT_TOKENS = "maxOutputTokens";

    public RequestIdentity {
        messages = List.copyOf(messages);
    }

    /** Scheme, host, port and path of a base URL. */
    public static String endpoint(URI url) {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        return url.getScheme().toLowerCase(Locale.ROOT) + "://" + url.getHost().toLowerCase(Locale.ROOT) + port
                + url.getRawPath();
    }

    /** SHA-256, in hexadecimal, of its canonical JSON. */
    public String key() {
        ObjectNode asked = Json.mapper().createObjectNode();
        asked.put("provider", choice.provider());
        asked.put("endpoint", endpoint);
        asked.put("model", choice.model());
        asked.put("thinking", choice.thinking().word());
        if (choice.thinkingOptional()) {
            asked.put("thinkingOptional", true);
        }
        // What has a field of its own is no other request where it is written as a parameter, too.
        Map<String, JsonNode> parameters = new TreeMap<>(choice.parameters());
        parameters.remove(MAX_OUTPUT_TOKENS);
        parameters.remove(ResponseFormat.PARAMETER);
        asked.set("parameters", Json.mapper().valueToTree(parameters));
        asked.put(MAX_OUTPUT_TOKENS, maxOutputTokens);
        ResponseFormat format = choice.responseFormat();
        if (format != null) {
            asked.set(ResponseFormat.PARAMETER, format.written());
        }
        if (systemPrompt != null) {
            asked.put("systemPrompt", systemPrompt);
        }
        asked.set("messages", Json.mapper().valueToTree(messages));
        if (compares) {
            asked.put("compares", true);
        }
        return RequestKey.sha256(RequestKey.canonical(asked));
    }
}
