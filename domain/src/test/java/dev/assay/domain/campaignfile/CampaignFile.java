package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.provider.BatchSettings;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.usage.Price;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A campaign file under test: a valid one that is changed place by place. */
final class CampaignFile {

    static final Map<String, ProviderInfo> PROVIDERS = Map.of(
            "openai",
                    new ProviderInfo(
                            "openai",
                            ProviderType.OPENAI,
                            true,
                            "OPENAI_API_KEY",
                            10,
                            4096,
                            Map.of("gpt-5-mini", price(), "gpt-6.1-terra", price()),
                            List.of(),
                            List.of(),
                            BatchSettings.usual(ProviderType.OPENAI)),
            "anthropic", provider("anthropic", true, "ANTHROPIC_API_KEY", Map.of("*", price())),
            "mistral", provider("mistral", false, "MISTRAL_API_KEY", Map.of()),
            "ollama", provider("ollama", true, null, Map.of()),
            "replay", provider("replay", true, null, Map.of()),
            "scripted", provider("scripted", true, null, Map.of()));

    /** What workers have that know one custom strategy. */
    static final WorkerCapabilities OFFER = new WorkerCapabilities(PROVIDERS, null, Set.of("mine", "graded"));

    private final ObjectNode document;

    private CampaignFile(ObjectNode document) {
        this.document = document;
    }

    private static ProviderInfo provider(
            String name,
            boolean hasKey,
            @org.jspecify.annotations.Nullable String variable,
            Map<String, Price> prices) {
        return new ProviderInfo(name, hasKey, variable, 10, 4096, prices);
    }

    private static Price price() {
        return new Price(BigDecimal.ONE, BigDecimal.TWO, BigDecimal.ONE, BigDecimal.ONE);
    }

    /** One case, one branch. */
    static CampaignFile minimal() {
        return yaml("""
            name: capitals
            cases:
              - {id: france, prompt: What is the capital of France?}
            branches:
              - {id: small, provider: openai, model: gpt-5-mini}
            """);
    }

    /** Every field that a campaign of models and a judge can have. */
    static CampaignFile full() {
        return yaml("""
            name: capitals
            description: Which model knows its capitals?
            metadata: {commit: 3f2a91c, "pr/7": "1"}
            checks:
              - {type: regex, value: "\\\\w+", required: false}
            cases:
              - id: france
                prompt: What is the capital of France?
                context:
                  - {role: user, content: Hello}
                  - {role: assistant, content: "Hi, how can I help?"}
                checks:
                  - {type: icontains, value: Paris}
                tags: [geo]
                metadata: {source: atlas, page: 12}
              - id: answered
                context:
                  - role: user
                    content:
                      - {type: text, text: What is this?}
                      - {type: image, mediaType: image/png, data: iVBORw0KGgo=}
                checks:
                  - {type: json, schema: {type: object, required: [city]}}
            branches:
              - {id: small, provider: openai, model: gpt-5-mini, thinking: off, systemPrompt: Be concise., parameters: {temperature: 0}}
              - id: large
                kind: model
                provider: anthropic
                model: claude-opus-4-6
                thinking: high
                parameters: {topP: 0.9, maxOutputTokens: 1000, seed: 7, stop: ["\\n\\n"], frequencyPenalty: 0.5, presencePenalty: -0.5}
                limits: {maxTurns: 10, maxTokens: 100000, maxSeconds: 60, maxCostUsd: 0.5}
            trials: 5
            strategy:
              type: llm-judge
              judge: {provider: anthropic, model: claude-opus-4-6, maxContextTokens: 200000}
              systemPrompt: null
            gate: {passThreshold: 0.8, suiteThreshold: 0.9, branches: [large]}
            limits: {maxConcurrent: 50, budgetUsd: 20, timeoutSeconds: 300, maxAttempts: 3}
            """);
    }

    static CampaignFile yaml(String text) {
        return new CampaignFile((ObjectNode) CampaignDocument.parse(text));
    }

    /** The same file with the value {@code yaml} at {@code pointer}; in a list, {@code -} stands for a new last item. */
    CampaignFile with(String pointer, String yaml) {
        return with(pointer, CampaignDocument.parse("value: " + yaml).get("value"));
    }

    CampaignFile with(String pointer, JsonNode value) {
        JsonPointer at = JsonPointer.compile(pointer);
        ObjectNode copy = document.deepCopy();
        JsonNode parent = copy.at(at.head());
        String last = at.last().getMatchingProperty();
        switch (parent) {
            case ObjectNode object -> object.set(last, value);
            case ArrayNode list when last.equals("-") -> list.add(value);
            case ArrayNode list -> list.set(Integer.parseInt(last), value);
            default -> throw new IllegalArgumentException("Nothing stands at " + at.head());
        }
        return new CampaignFile(copy);
    }

    CampaignFile without(String pointer) {
        JsonPointer at = JsonPointer.compile(pointer);
        ObjectNode copy = document.deepCopy();
        ((ObjectNode) copy.at(at.head())).remove(at.last().getMatchingProperty());
        return new CampaignFile(copy);
    }

    ObjectNode document() {
        return document;
    }

    CampaignSubmission read() {
        return CampaignReader.read(document, OFFER);
    }

    /** All errors, as {@code path: message}. */
    List<String> errors() {
        return errors(document);
    }

    static List<String> errors(JsonNode document) {
        try {
            CampaignReader.read(document, OFFER);
            return List.of();
        } catch (AssayException e) {
            if (e.code() != ErrorCode.INVALID_INPUT) {
                throw e;
            }
            return e.errors().stream().map(CampaignFile::line).toList();
        }
    }

    private static String line(FieldError error) {
        return error.path() + ": " + error.message();
    }
}
