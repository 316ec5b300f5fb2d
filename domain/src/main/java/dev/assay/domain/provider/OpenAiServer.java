package dev.assay.domain.provider;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Public servers that speak OpenAI's chat completions. Each is a provider as soon as its key is set. Without that a worker would poll
 * queues of eight providers that it cannot ask.
 */
public enum OpenAiServer {
    CEREBRAS("https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
    DEEPSEEK("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    FIREWORKS("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
    GROQ("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    HUGGINGFACE("https://router.huggingface.co/v1", "HF_TOKEN"),
    OPENROUTER("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    TOGETHERAI("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    XAI("https://api.x.ai/v1", "XAI_API_KEY");

    private final String url;
    private final String keyVariable;

    OpenAiServer(String url, String keyVariable) {
        this.url = url;
        this.keyVariable = keyVariable;
    }

    /** The server of the provider with this name; empty: it is none of them. */
    public static Optional<OpenAiServer> named(String provider) {
        return Arrays.stream(values())
                .filter(server -> server.word().equals(provider))
                .findFirst();
    }

    /** The name of the provider. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The URL below which the API's paths lie. */
    public String url() {
        return url;
    }

    /** The environment variable that holds the key. */
    public String keyVariable() {
        return keyVariable;
    }
}
