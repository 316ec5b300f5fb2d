package dev.assay.domain.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.assay.domain.agent.AgentHttp;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a system under test.
 *
 * @param usage tokens that it took, as far as it says
 * @param costUsd in US dollars; null: not reported
 */
public record SystemAnswer(
        String text, Usage usage, @Nullable BigDecimal costUsd) {

    /** The words for numbers of a usage, each with the names that APIs give it. */
    public static final Map<String, List<String>> NAMES = Map.of(
            "input", List.of("input", "prompt_tokens", "input_tokens", "promptTokens", "inputTokens", "prompt"),
            "output",
                    List.of(
                            "output",
                            "completion_tokens",
                            "output_tokens",
                            "completionTokens",
                            "outputTokens",
                            "completion"),
            "reasoning", List.of("reasoning", "reasoning_tokens", "reasoningTokens"),
            "cacheRead", List.of("cacheRead", "cache_read_input_tokens"),
            "cacheWrite", List.of("cacheWrite", "cache_creation_input_tokens"),
            "total", List.of("total", "total_tokens", "totalTokens"),
            "costUsd", List.of("costUsd", "cost_usd", "cost"));

    private static final BigDecimal MOST_USD = BigDecimal.valueOf(1_000_000_000);

    /**
     * Finds the answer in {@code body}.
     *
     * @throws ToolException when it is not where it should be
     */
    public static SystemAnswer of(String body, AgentHttp.Answer answer) {
        boolean needsJson = answer.needsSearch();
        JsonNode document = needsJson ? document(body, answer.response() != null) : MissingNode.getInstance();
        String text = body;
        if (answer.response() != null) {
            JsonNode found = JsonPathQuery.find(document, answer.response());
            text = found.isTextual() ? found.textValue() : JsonPathQuery.written(found);
        }
        return new SystemAnswer(text, usage(document, answer.usage()), cost(document, answer.usage()));
    }

    private static JsonNode document(String body, boolean isNeeded) {
        try {
            JsonNode document = Json.mapper().readTree(body);
            if (document != null && JsonNumbers.areReadable(document)) {
                return document;
            }
        } catch (JsonProcessingException e) {
            if (isNeeded) {
                throw new ToolException("The answer is no JSON, which `response` needs: " + e.getOriginalMessage(), e);
            }
        }
        if (isNeeded) {
            throw new ToolException("The answer is empty, or holds a number with too many digits.");
        }
        return MissingNode.getInstance();
    }

    private static Usage usage(JsonNode document, AgentHttp.UsagePaths paths) {
        Long input = tokens(document, paths, "input");
        Long output = tokens(document, paths, "output");
        return new Usage(
                input,
                output,
                tokens(document, paths, "reasoning"),
                tokens(document, paths, "cacheRead"),
                tokens(document, paths, "cacheWrite"),
                Usage.total(tokens(document, paths, "total"), input, output));
    }

    private static @Nullable Long tokens(JsonNode document, AgentHttp.UsagePaths paths, String word) {
        JsonNode found = find(document, paths, word);
        return found.isIntegralNumber() && found.canConvertToInt() && found.intValue() >= 0 ? found.longValue() : null;
    }

    private static @Nullable BigDecimal cost(JsonNode document, AgentHttp.UsagePaths paths) {
        JsonNode found = find(document, paths, "costUsd");
        boolean isMoney = found.isNumber()
                && found.decimalValue().signum() >= 0
                && found.decimalValue().compareTo(MOST_USD) <= 0;
        return isMoney ? found.decimalValue() : null;
    }

    private static JsonNode find(JsonNode document, AgentHttp.UsagePaths paths, String word) {
        String path = paths.fields().get(word);
        if (path != null) {
            return findOrMissing(document, path);
        }
        JsonNode object = paths.object() == null ? MissingNode.getInstance() : findOrMissing(document, paths.object());
        return NAMES.getOrDefault(word, List.of()).stream()
                .map(object::path)
                .filter(JsonNode::isNumber)
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static JsonNode findOrMissing(JsonNode document, String path) {
        try {
            return document.isMissingNode() ? document : JsonPathQuery.find(document, path);
        } catch (ToolException e) {
            // Unreported numbers are unknown.
            return MissingNode.getInstance();
        }
    }
}
