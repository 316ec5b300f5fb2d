package dev.assay.activities.proxy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An address of the proxy that is sent on to the provider. */
enum Route {
    /** OpenAI's chat completions. */
    CHAT("/chat/completions", List.of("max_tokens", "max_completion_tokens")),
    /** OpenAI's responses. */
    RESPONSES("/responses", List.of("max_output_tokens")),
    /** OpenAI's embeddings, which are all input. */
    EMBEDDINGS("/embeddings", List.of()),
    /** Anthropic's messages. */
    MESSAGES("/messages", List.of("max_tokens")),
    /** Anthropic's count of the tokens of a message, which costs nothing. */
    COUNT_TOKENS("/messages/count_tokens", List.of());

    /** The address that answers with the allowed models, and asks nobody. */
    static final String MODELS = "/v1/models";

    private static final String VERSION = "/v1";

    private final String path;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> limits;

    Route(String path, List<String> limits) {
        this.path = path;
        this.limits = limits;
    }

    /** The route of a request; empty: it is not served. */
    static Optional<Route> of(String method, String path) {
        return Stream.of(values())
                .filter(route -> method.equals("POST") && path.equals(VERSION + route.path))
                .findFirst();
    }

    /** The path below the provider's URL. */
    String path() {
        return path;
    }

    /** The fields that bound the output; empty: it has none. The first is set where none is there. */
    List<String> limits() {
        return limits;
    }
}
