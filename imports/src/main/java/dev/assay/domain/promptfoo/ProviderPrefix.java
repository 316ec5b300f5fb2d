package dev.assay.domain.promptfoo;

import dev.assay.domain.provider.OpenAiServer;
import dev.assay.domain.text.Excerpt;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
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
            "azure:assistant",
            "azureopenai:assistant",
            "bedrock:agents",
            "bedrock-agent",
            "openai:assistant",
            "openai:codex-sdk",
            "openai:codex-app-server",
            "openai:agents",
            "opencode:sdk");

    /** Words after that of a provider, for models that answer with something else than a text. */
    private static final Set<String> OTHER_KINDS =
            Set.of("image", "moderation", "realtime", "speech", "transcription", "tts", "video");

    /** Code that no branch here runs. */
    private static final Pattern CODE =
            Pattern.compile("(?:package|golang|ruby|webhook):.*|(?:file://)?.+\\.(?:[cm]?ts|go|rb)(?::.*)?");

    /** A word that may be the name of a server. */
    private static final Pattern SERVER = Pattern.compile("[a-z][a-z0-9-]{1,40}");

    /** Words before a colon that name no server. */
    private static final Set<String> NO_SERVERS = Set.of("file", "python", "javascript", "promptfoo", "ws", "wss");

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

    /** Whether {@code id} is that of an agent, or of a model that answers with something else than a text. */
    static boolean isOther(String id) {
        return isAgent(id) || isOtherKind(id);
    }

    private static boolean isAgent(String id) {
        return AGENTS.stream().anyMatch(agent -> id.equals(agent) || id.startsWith(agent + ":"));
    }

    private static boolean isOtherKind(String id) {
        String[] parts = id.split(":", 3);
        return parts.length > 1
                && (NAMES.contains(parts[0]) || OTHERS.containsKey(parts[0]))
                && OTHER_KINDS.contains(parts[1]);
    }

    /** Why a provider has no counterpart, and what to write instead. */
    static String unknown(String id) {
        String shown = "`" + Excerpt.of(id, 100) + "`";
        String[] parts = id.split(":", 3);
        if (isAgent(id)) {
            return shown
                    + " is an agent, no model. Write a campaign file with a branch of `kind: command`, whose `command`"
                    + " starts the agent.";
        }
        if (isOtherKind(id)) {
            return shown + " does not answer with a text, so it has no counterpart.";
        }
        String sentence = "There is no counterpart of the provider " + shown + ".";
        if (CODE.matcher(id).matches()) {
            return sentence + " Write a campaign file with a branch of `kind: command`, whose `command` runs the code.";
        }
        if (NAMES.contains(parts[0])) {
            return shown + " names no model; write `" + parts[0] + ":MODEL`.";
        }
        boolean maybeServer = parts.length > 1
                && SERVER.matcher(parts[0]).matches()
                && !NO_SERVERS.contains(parts[0])
                && !KINDS.contains(parts[1]);
        return maybeServer
                ? sentence + " If it speaks OpenAI's API, write into providers.yaml: " + ProviderAddress.entry(parts[0])
                        + "."
                : sentence;
    }
}
