package dev.assay.domain.promptfoo;

import dev.assay.domain.provider.OpenAiServer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** Providers whose name is the word; the public servers beside them. */
    private static final Set<String> NAMES = Stream.concat(
                    Stream.of(
                            "openai",
                            "anthropic",
                            "google",
                            "mistral",
                            "ollama",
                            "bedrock",
                            "azure",
                            "vertex",
                            "perplexity",
                            "litellm",
                            "lmstudio",
                            "localai",
                            "vllm"),
                    Arrays.stream(OpenAiServer.values()).map(OpenAiServer::word))
            .collect(Collectors.toUnmodifiableSet());

    /** Other words for some of them. */
    private static final Map<String, String> OTHERS = Map.of("azureopenai", "azure", "palm", "vertex");

    private ProviderPrefix() {}

    /**
     * The provider that {@code word} names; null: there is none.
     *
     * @param configured the providers that the operator has named
     */
    static @Nullable String provider(String word, Set<String> configured) {
        return NAMES.contains(word) || (!OTHERS.containsKey(word) && configured.contains(word))
                ? word
                : OTHERS.get(word);
    }

    /** Whether {@code id} is that of an agent, which is no model. */
    static boolean isAgent(String id) {
        return AGENTS.stream().anyMatch(agent -> id.equals(agent) || id.startsWith(agent + ":"));
    }
}
