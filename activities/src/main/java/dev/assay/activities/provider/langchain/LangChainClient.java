package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.langchain.Wire.ThinkingForm;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Price;
import dev.assay.domain.usage.Usage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Asks the models of one provider through LangChain4j. */
public final class LangChainClient {

    /** Enough for every branch that a worker meets at a time; beyond it the cache starts anew. */
    private static final int MAX_PREPARED = 1_000;

    private final ProviderSettings settings;
    private final Wire wire;

    /** Null: its API has none. */
    private final @Nullable Embeddings embeddings;

    private final ProviderFailures failures;
    private final ThinkingSupport thinkingSupport;
    private final StreamingSupport streamingSupport;
    private final Map<Question, Prepared> prepared = new ConcurrentHashMap<>();

    /** The parts of which request parameters are made. */
    private record Question(ModelChoice choice, ThinkingForm form, int maxOutputTokens, List<ToolSpec> tools) {}

    /** @param warnings what of the question is left out, as sentences */
    private record Prepared(ChatRequestParameters parameters, List<String> warnings) {}

    public LangChainClient(ProviderSettings settings, @Nullable ApiKey key, PooledHttpClient http) {
        this.settings = settings;
        this.failures = new ProviderFailures(settings.name(), key);
        this.streamingSupport = new StreamingSupport(settings.name());
        this.wire = switch (settings.type()) {
            case OPENAI, GOOGLE, MISTRAL, OLLAMA -> new OpenAiWire(settings, key, http.builder());
            case ANTHROPIC -> new AnthropicWire(settings, key, http.builder());
        };
        this.embeddings = settings.type() == ProviderType.ANTHROPIC ? null : new Embeddings(settings, key, http);
        this.thinkingSupport = new ThinkingSupport(settings.name(), wire.thinkingForms());
    }

    public int outputTokenBound(ModelChoice choice, int maxOutputTokens) {
        return wire.outputTokenBound(choice.thinking(), maxOutputTokens);
    }

    /** The client of one model. */
    public ModelClient of(ModelChoice choice) {
        return new ModelClient() {

            @Override
            public ModelReply ask(ModelRequest request) throws InterruptedException {
                return request.compares()
                        ? compare(choice, request)
                        : LangChainClient.this.ask(choice, request, deadline(request), null);
            }

            @Override
            public ModelReply ask(ModelRequest request, AnswerListener listener) throws InterruptedException {
                return request.compares() ? compare(choice, request) : streamed(choice, request, listener);
            }
        };
    }

    private static long deadline(ModelRequest request) {
        return System.nanoTime() + request.timeout().toNanos();
    }

    /** Sends the request once, and again in another way when the model refuses to stream in this one. */
    private ModelReply streamed(ModelChoice choice, ModelRequest request, AnswerListener listener)
            throws InterruptedException {
        long deadline = deadline(request);
        while (true) {
            StreamingSupport.Way way = streamingSupport.of(choice.model());
            try {
                Exchange.Streaming streaming = way == StreamingSupport.Way.WHOLE
                        ? null
                        : new Exchange.Streaming(listener, way == StreamingSupport.Way.WITH_USAGE);
                return ask(choice, request, deadline, streaming);
            } catch (ModelException e) {
                if (!streamingSupport.refused(choice.model(), way, e)) {
                    throw e;
                }
            }
        }
    }

    /** Sends the request once; once more in each other form of thinking while the model refuses the ones before. */
    private ModelReply ask(
            ModelChoice choice, ModelRequest request, long deadline, Exchange.@Nullable Streaming streaming)
            throws InterruptedException {
        ModelException refused = null;
        for (ThinkingForm form : thinkingSupport.forms(choice)) {
            Exchange exchange = new Exchange(request.timeout(), deadline, streaming);
            try {
                ModelReply reply = send(choice, request, form, exchange);
                thinkingSupport.took(choice, form);
                return reply;
            } catch (ModelException e) {
                if (form == ThinkingForm.NONE || !ThinkingSupport.isRefused(exchange)) {
                    throw e;
                }
                refused = e;
            }
        }
        throw ThinkingSupport.refusal(choice, Objects.requireNonNull(refused));
    }

    private ModelReply send(ModelChoice choice, ModelRequest request, ThinkingForm form, Exchange exchange)
            throws InterruptedException {
        long start = System.nanoTime();
        try {
            Prepared asked = prepared(choice, request, form);
            ChatRequest chat = ChatRequest.builder()
                    .messages(Conversations.toLangChain(request.systemPrompt(), request.messages()))
                    .parameters(asked.parameters())
                    .build();
            ChatResponse response = ScopedValue.where(Exchange.CURRENT, exchange)
                    .call(() -> response(choice.thinking(), form, chat, exchange));
            String refusal = exchange.refusal();
            return new ModelReply(
                    refusal.isEmpty() ? Conversations.fromLangChain(response.aiMessage()) : Message.assistant(refusal),
                    measured(choice, wire.usage(response.metadata()), start),
                    finishReason(refusal.isEmpty() ? response.finishReason() : FinishReason.CONTENT_FILTER),
                    asked.warnings(),
                    new Provenance(null, exchange.effective(), wire.served(response.metadata())));
        } catch (ContentFilteredException e) {
            List<String> warnings = prepared(choice, request, form).warnings();
            return refusal(choice, Objects.requireNonNull(e.getMessage()), warnings, exchange, start);
        } catch (RuntimeException e) {
            throw classified(e, exchange);
        }
    }

    /** Compares the texts of the request; the answer is the list of their similarities. */
    private ModelReply compare(ModelChoice choice, ModelRequest request) throws InterruptedException {
        if (embeddings == null) {
            throw failures.ofNoEmbeddings();
        }
        Embeddings asked = embeddings;
        Exchange exchange = new Exchange(request.timeout(), deadline(request));
        long start = System.nanoTime();
        try {
            Embeddings.Compared compared = ScopedValue.where(Exchange.CURRENT, exchange)
                    .call(() -> asked.compare(choice.model(), request.texts()));
            return new ModelReply(
                    Message.assistant(Json.write(compared.similarities())),
                    measured(choice, compared.usage(), start),
                    null,
                    List.of(),
                    new Provenance(null, exchange.effective(), new Served(compared.model(), null, null)));
        } catch (Embeddings.IncomparableException e) {
            throw failures.ofIncomparable(e);
        } catch (RuntimeException e) {
            throw classified(e, exchange);
        }
    }

    private ChatResponse response(Thinking thinking, ThinkingForm form, ChatRequest chat, Exchange exchange) {
        Exchange.Streaming streaming = exchange.streaming();
        if (streaming == null) {
            return wire.chatModel(thinking, form).chat(chat);
        }
        StreamedAnswer answer = new StreamedAnswer(streaming.listener());
        wire.streamingModel(thinking, form).chat(chat, answer);
        AnswerEvents events = exchange.events();
        if (events == null) {
            // The endpoint does not stream: its whole answer is there.
            return wire.chatModel(thinking, form).chat(chat);
        }
        return answer.whole(events, exchange);
    }

    /** A refusal is an answer: the model's words, paid for like any other. */
    private ModelReply refusal(ModelChoice choice, String words, List<String> warnings, Exchange exchange, long start) {
        JsonNode answer = Json.tree(Objects.requireNonNull(exchange.answer()).text());
        return new ModelReply(
                Message.assistant(words),
                measured(choice, OpenAiRefusal.usage(answer), start),
                finishReason(FinishReason.CONTENT_FILTER),
                warnings,
                new Provenance(null, exchange.effective(), OpenAiRefusal.served(answer)));
    }

    private Prepared prepared(ModelChoice choice, ModelRequest request, ThinkingForm form) {
        if (prepared.size() > MAX_PREPARED) {
            prepared.clear();
        }
        return prepared.computeIfAbsent(
                new Question(choice, form, request.maxOutputTokens(), request.tools()), this::prepare);
    }

    private Prepared prepare(Question question) {
        ModelChoice choice = question.choice();
        ModelParameters wanted = ModelParameters.of(choice.parameters());
        List<String> warnings = new ArrayList<>();
        for (String name : wire.unsupported(wanted)) {
            warnings.add("Provider %s has no parameter %s: it was left out.".formatted(settings.name(), name));
        }
        String withoutThinking = thinkingSupport.warning(choice, question.form());
        if (withoutThinking != null) {
            warnings.add(withoutThinking);
        }
        ChatRequestParameters parameters = wire.parameters(
                choice.model(),
                new Wire.Asked(
                        wanted,
                        choice.thinking(),
                        question.form(),
                        question.maxOutputTokens(),
                        ToolSpecifications.of(question.tools())));
        return new Prepared(parameters, List.copyOf(warnings));
    }

    /** The cost is unknown where input or output are not reported. */
    private Measured measured(ModelChoice choice, Usage reported, long start) {
        Usage usage = reported.ofAnswer();
        Price price = settings.price(choice.model());
        BigDecimal cost = price == null ? null : price.costUsd(usage);
        return new Measured(usage, cost, Duration.ofNanos(System.nanoTime() - start));
    }

    private static @Nullable String finishReason(@Nullable FinishReason reason) {
        return reason == null ? null : reason.name().toLowerCase(Locale.ROOT);
    }

    private ModelException classified(RuntimeException failure, Exchange exchange) throws InterruptedException {
        if (exchange.failure() instanceof InterruptedException) {
            throw new InterruptedException("Interrupted while waiting for provider " + settings.name());
        }
        if (exchange.failure() != null) {
            return failures.ofNoAnswer(exchange.failure(), exchange);
        }
        Exchange.Answer answer = exchange.answer();
        if (answer == null) {
            return failures.ofUnsendableRequest(failure);
        }
        return answer.isSuccess() ? failures.ofUnusableAnswer(answer) : failures.ofAnswer(answer);
    }
}
