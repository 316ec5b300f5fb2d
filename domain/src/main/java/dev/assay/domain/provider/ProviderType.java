package dev.assay.domain.provider;

import dev.assay.domain.limit.size.CountingRules;
import dev.assay.domain.limit.size.OutputCounting;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The APIs that Assay speaks. Users write the constant in lower case, with hyphens. */
public enum ProviderType {
    /** OpenAI's chat completions, and every server that is compatible with them. */
    OPENAI("https://api.openai.com/v1", List.of("OPENAI_API_KEY"), "OPENAI_BASE_URL", ""),
    /** OpenAI's responses. No provider of this type is built in: an operator names one. */
    OPENAI_RESPONSES("https://api.openai.com/v1", List.of("OPENAI_API_KEY"), "OPENAI_BASE_URL", ""),
    /** Anthropic's messages. */
    ANTHROPIC("https://api.anthropic.com/v1", List.of("ANTHROPIC_API_KEY"), "ANTHROPIC_BASE_URL", "/v1"),
    /** Gemini through Google's endpoint for OpenAI clients. */
    GOOGLE(
            "https://generativelanguage.googleapis.com/v1beta/openai",
            List.of("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            "",
            ""),
    /** Mistral; its chat completions differ from OpenAI's only in the name of the seed. */
    MISTRAL("https://api.mistral.ai/v1", List.of("MISTRAL_API_KEY"), "", ""),
    /** A local Ollama through its endpoint for OpenAI clients; needs no key. */
    OLLAMA("http://localhost:11434/v1", List.of(), "OLLAMA_BASE_URL", "/v1");

    private static final long MEBIBYTE = 1_048_576;

    private final String publicUrl;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> keyVariables;

    private final String urlVariable;
    private final String requiredPath;

    ProviderType(String publicUrl, List<String> keyVariables, String urlVariable, String requiredPath) {
        this.publicUrl = publicUrl;
        this.keyVariables = keyVariables;
        this.urlVariable = urlVariable;
        this.requiredPath = requiredPath;
    }

    /** The word that users write, which is also the name of the built-in provider of this type, where there is one. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Whether there is a provider of this type without a word of the operator. Workers tell servers of all their providers, so a
     * built-in one of a new type would stop servers of an earlier build.
     */
    public boolean isBuiltIn() {
        return this != OPENAI_RESPONSES;
    }

    /**
     * The most that a batch of an API may be.
     *
     * @param lines requests
     * @param bytes of the file, or of the body that is submitted
     */
    record BatchLimits(int lines, long bytes) {}

    /** The bounds of the API's batches, as its documentation states them (Google's lines are ours); null: it has no batches. */
    @Nullable
    BatchLimits batches() {
        return switch (this) {
            case OPENAI -> new BatchLimits(50_000, 200 * MEBIBYTE);
            case ANTHROPIC -> new BatchLimits(100_000, 256 * MEBIBYTE);
            case GOOGLE -> new BatchLimits(50_000, 2_048 * MEBIBYTE);
            case OPENAI_RESPONSES, MISTRAL, OLLAMA -> null;
        };
    }

    /** All types by their words, in the order of the constants. */
    static Map<String, ProviderType> byWord() {
        Map<String, ProviderType> types = new LinkedHashMap<>();
        for (ProviderType type : values()) {
            types.put(type.word(), type);
        }
        return types;
    }

    public String publicUrl() {
        return publicUrl;
    }

    /** Environment variables that hold the built-in provider's key, the preferred one first; empty: it needs no key. */
    public List<String> keyVariables() {
        return keyVariables;
    }

    /** The environment variable that moves the built-in provider to another server; empty: none does. */
    public String urlVariable() {
        return urlVariable;
    }

    /** What the API counts of a request, where nothing else is configured. */
    CountingRules counting() {
        return this == ANTHROPIC
                ? new CountingRules(OutputCounting.PRODUCED, false)
                : new CountingRules(OutputCounting.ASKED, true);
    }

    /**
     * The URL below which the API's paths lie. Anthropic's and Ollama's own clients take their server's address without the version
     * that every path begins with. So it is added where it is missing.
     */
    String apiUrl(URI baseUrl) {
        String url = baseUrl.toString();
        while (url.endsWith("/")) {
            url = url.substring(0, url.length() - 1);
        }
        return url.endsWith(requiredPath) ? url : url + requiredPath;
    }
}
