package dev.assay.domain.promptfoo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The words before a model in the id of a provider: whose model it is, and how it is asked. */
final class ProviderPrefix {

    /** Ways of asking that come to the same here: models are asked for a message after messages. */
    static final Set<String> KINDS = Set.of("chat", "responses", "messages", "completion", "text-generation");

    /** The ways for which promptfoo asks for the continuation of a text. */
    static final Set<String> COMPLETIONS = Set.of("completion", "text-generation");

    /** Programs that work with models; a word for the model may follow. */
    private static final List<String> AGENTS = List.of(
            "anthropic:claude-agent-sdk",
            "anthropic:claude-code",
            "openai:codex-sdk",
            "openai:codex-app-server",
            "openai:agents",
            "opencode:sdk");

    private static final Map<String, String> NAMES = names();

    private ProviderPrefix() {}

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        List.of(
                        "openai",
                        "anthropic",
                        "google",
                        "mistral",
                        "ollama",
                        "bedrock",
                        "azure",
                        "vertex",
                        "groq",
                        "openrouter",
                        "deepseek",
                        "xai",
                        "togetherai",
                        "fireworks",
                        "cerebras",
                        "perplexity",
                        "litellm",
                        "lmstudio",
                        "localai",
                        "vllm",
                        "huggingface")
                .forEach(name -> names.put(name, name));
        names.put("azureopenai", "azure");
        names.put("palm", "vertex");
        return Map.copyOf(names);
    }

    /**
     * The provider that {@code word} names; null: there is none.
     *
     * @param configured the providers that the operator has named
     */
    static @Nullable String provider(String word, Set<String> configured) {
        String name = NAMES.get(word);
        return name == null && configured.contains(word) ? word : name;
    }

    /** Whether {@code id} is that of an agent, which is no model. */
    static boolean isAgent(String id) {
        return AGENTS.stream().anyMatch(agent -> id.equals(agent) || id.startsWith(agent + ":"));
    }
}
