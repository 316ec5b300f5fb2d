package dev.assay.activities.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Requests and answers that tests share. */
public final class Requests {

    public static final String KEY = "sk-secret-4711-never-shown";

    public static final String OPENAI_ANSWER = """
        {"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":
        {"role":"assistant","content":"Paris.","reasoning_content":"France, so Paris"},"finish_reason":"stop"}],
        "usage":{"prompt_tokens":20,"completion_tokens":9,"total_tokens":29,
        "prompt_tokens_details":{"cached_tokens":8},"completion_tokens_details":{"reasoning_tokens":5}}}\
        """;

    /** The shortest answer in the format of OpenAI, of six tokens, which a judge understands, too. */
    public static final String OPENAI_ONE = """
        {"id": "1", "model": "m", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": "1"}}],
         "usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6}}\
        """;

    public static final String ANTHROPIC_ANSWER = """
        {"id":"msg_1","type":"message","role":"assistant","model":"m","content":[
        {"type":"thinking","thinking":"France, so Paris","signature":"x"},{"type":"text","text":"Paris."}],
        "stop_reason":"end_turn","usage":{"input_tokens":12,"output_tokens":9,
        "cache_read_input_tokens":8,"cache_creation_input_tokens":3}}\
        """;

    private Requests() {}

    /** A request, and the model that it is meant for. */
    public record Asked(ModelChoice choice, ModelRequest request) {

        public ModelReply ask(ProviderCatalog catalog) throws InterruptedException {
            return catalog.client(choice).ask(request);
        }
    }

    public static ModelChoice choice(String provider) {
        return new ModelChoice(provider, "some-model", Thinking.OFF, Map.of());
    }

    public static Asked to(String provider) {
        return to(provider, Duration.ofSeconds(20));
    }

    public static Asked to(String provider, Duration timeout) {
        return new Asked(choice(provider), request(500, timeout));
    }

    public static Asked to(String provider, Thinking thinking, Map<String, JsonNode> parameters, int maxOutputTokens) {
        return new Asked(
                new ModelChoice(provider, "some-model", thinking, parameters),
                request(maxOutputTokens, Duration.ofSeconds(20)));
    }

    public static ModelRequest request(int maxOutputTokens, Duration timeout) {
        return new ModelRequest(
                "Be concise.",
                List.of(
                        Message.user("Hello"),
                        Message.assistant("Hi, how can I help?"),
                        Message.user("What is the capital of France?")),
                1,
                1,
                maxOutputTokens,
                timeout);
    }

    /** @param texts a JSON list */
    public static ModelRequest comparing(String texts, Duration timeout) {
        return new ModelRequest(null, List.of(Message.user(texts)), 1, 1, 500, timeout).comparing();
    }

    public static Map<String, JsonNode> parameters(String json) {
        return Json.mapper().convertValue(Json.tree(json), new com.fasterxml.jackson.core.type.TypeReference<>() {});
    }

    /** The built-in providers, with {@code url} as the server of OpenAI and Anthropic. */
    public static ProviderCatalog catalog(String url) {
        return ProviderCatalog.load(
                null,
                Map.of(
                        "OPENAI_API_KEY", KEY,
                        "OPENAI_BASE_URL", url + "/v1",
                        "ANTHROPIC_API_KEY", KEY,
                        "ANTHROPIC_BASE_URL", url,
                        "OLLAMA_BASE_URL", url));
    }
}
