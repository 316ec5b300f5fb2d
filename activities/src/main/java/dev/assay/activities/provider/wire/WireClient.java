package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.wire.Endpoint.Deadline;
import dev.assay.activities.provider.wire.StreamingSupport.Way;
import dev.assay.activities.provider.wire.Wire.ThinkingForm;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.Served;
import dev.assay.domain.delivery.DeliveredLine;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.answer.AnswerHeaders;
import dev.assay.domain.message.Message;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Price;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks the models of one provider in the format of its API. */
public final class WireClient {

    /** Bytes of an answer, far above any of a model. */
    public static final long MAX_ANSWER = 32L * 1024 * 1024;

    /** Fields of how an answer travels. */
    private static final List<String> TRAVEL = List.of("stream", "stream_options");

    /** Fields that are on record elsewhere and may be large. */
    private static final Set<String> CONVERSATION = Set.of("messages", "input", "system", "instructions", "tools");

    /** Where the formats say the form of an answer, in which the schema is on record elsewhere and may be large, too. */
    private static final List<String> FORMATS =
            List.of("/response_format/json_schema", "/text/format", "/output_config/format");

    private final ProviderSettings settings;
    private final Wire wire;
    private final Endpoint endpoint;
    private final ProviderFailures failures;
    private final ThinkingSupport thinkingSupport;
    private final StreamingSupport streamingSupport;

    public WireClient(ProviderSettings settings, @Nullable ApiKey key, WholeAnswers http) {
        this.settings = settings;
        this.failures = new ProviderFailures(settings, key);
        this.endpoint = new Endpoint(settings, key, http, failures);
        this.streamingSupport = new StreamingSupport(settings.name());
        this.wire = switch (settings.type()) {
            case OPENAI, GOOGLE, MISTRAL, OLLAMA -> new OpenAiWire(settings);
            case OPENAI_RESPONSES -> new ResponsesWire();
            case ANTHROPIC -> new AnthropicWire();
        };
        this.thinkingSupport = new ThinkingSupport(settings.name(), wire);
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
                        : WireClient.this.ask(choice, request, Deadline.in(request.timeout()), Way.WHOLE, null);
            }

            @Override
            public ModelReply ask(ModelRequest request, AnswerListener listener) throws InterruptedException {
                return request.compares() ? compare(choice, request) : streamed(choice, request, listener);
            }
        };
    }

    /** Sends the request once, and again in another way when the model refuses to stream in this one. */
    private ModelReply streamed(ModelChoice choice, ModelRequest request, AnswerListener listener)
            throws InterruptedException {
        Deadline deadline = Deadline.in(request.timeout());
        while (true) {
            Way way = streamingSupport.of(choice.model());
            try {
                return ask(choice, request, deadline, way, way == Way.WHOLE ? null : listener);
            } catch (ModelException e) {
                if (!streamingSupport.refused(choice.model(), way, e)) {
                    throw e;
                }
                request.repeat();
            }
        }
    }

    /**
     * Sends the request once; once more in each other form of thinking while the model refuses the ones before.
     *
     * @param listener null: the answer is not streamed
     */
    private ModelReply ask(
            ModelChoice choice, ModelRequest request, Deadline deadline, Way way, @Nullable AnswerListener listener)
            throws InterruptedException {
        ModelException refused = null;
        for (ThinkingForm form : thinkingSupport.forms(choice)) {
            if (refused != null) {
                request.repeat();
            }
            long start = System.nanoTime();
            Wire.Asked asked = new Wire.Asked(choice, form, way, request);
            ObjectNode body = body(asked);
            Answer answer = listener == null
                    ? endpoint.ask(wire.path(), body, deadline)
                    : endpoint.ask(
                            wire.path(), body, deadline, new AnswerEvents(wire.reading(listener)), listener::pause);
            if (answer.isSuccess()) {
                ModelReply reply = reply(asked, body, answer, settings.price(choice.model()), since(start));
                request.answered(AnswerHeaders.ofLists(answer.headers()));
                thinkingSupport.took(choice, form);
                return reply;
            }
            refused = failures.ofAnswer(answer);
            if (form == ThinkingForm.NONE || !ThinkingSupport.isRefused(answer)) {
                throw refused;
            }
        }
        throw ThinkingSupport.refusal(choice, Objects.requireNonNull(refused));
    }

    /**
     * The body of a request that goes in a provider batch: as it would be sent live first, without how its answer travels.
     *
     * @throws ModelException when the conversation cannot be said in this API
     */
    public ObjectNode batchBody(ModelChoice choice, ModelRequest request) {
        return body(inBatch(choice, request)).without(TRAVEL);
    }

    /**
     * Reads the answer to a request that went in a provider batch, at the price of these.
     *
     * @param answer as it would have come live
     * @throws ModelException as for a live answer
     */
    public ModelReply batchReply(ModelChoice choice, ModelRequest request, JsonNode answer) {
        Price live = settings.price(choice.model());
        return reply(
                inBatch(choice, request),
                batchBody(choice, request),
                new Answer(200, Map.of(), Json.write(answer), null),
                live == null ? null : live.ofBatch().price(),
                Duration.ZERO);
    }

    /** The failure of a request that went in a provider batch and was not answered, as that of a live call. */
    public ModelException batchFailure(DeliveredLine line) {
        return failures.ofStatus(line.failedStatus(), AnswerHeaders.NONE, Json.write(line.body()));
    }

    private Wire.Asked inBatch(ModelChoice choice, ModelRequest request) {
        return new Wire.Asked(choice, thinkingSupport.forms(choice).getFirst(), Way.WHOLE, request);
    }

    private ObjectNode body(Wire.Asked asked) {
        try {
            return wire.request(asked);
        } catch (RuntimeException e) {
            throw failures.ofUnsendableRequest(e);
        }
    }

    private ModelReply reply(
            Wire.Asked asked, ObjectNode body, Answer answer, @Nullable Price price, Duration latency) {
        Wire.Reply reply;
        try {
            Wire.Reading streamed = answer.streamed();
            reply = streamed == null ? whole(answer) : streamed.reply();
        } catch (JsonProcessingException | IllegalArgumentException _) {
            throw failures.ofUnusableAnswer(answer);
        }
        return new ModelReply(
                reply.message(),
                measured(reply.usage(), price, latency),
                reply.finishReason(),
                warnings(asked),
                new Provenance(null, effective(body), reply.served()));
    }

    private Wire.Reply whole(Answer answer) throws JsonProcessingException {
        JsonNode document = Json.mapper().readTree(answer.text());
        Wire.Reading reading = wire.reading(null);
        if (reading.isFailed(document)) {
            throw failures.ofAnswer(AnswerEvents.failed(answer, document));
        }
        reading.whole(document);
        return reading.reply();
    }

    /** What of the request is left out, as sentences. */
    private List<String> warnings(Wire.Asked asked) {
        List<String> warnings = new ArrayList<>();
        for (String name : wire.unsupported()) {
            JsonNode value = asked.choice().parameters().get(name);
            if (value != null && !value.isNull()) {
                warnings.add("Provider %s has no parameter %s: it was left out.".formatted(settings.name(), name));
            }
        }
        String withoutThinking = thinkingSupport.warning(asked.choice(), asked.form());
        if (withoutThinking != null) {
            warnings.add(withoutThinking);
        }
        return warnings;
    }

    /** The fields of {@code body} but those of the conversation, of streaming and of schemas, as they are read where they arrive. */
    private static JsonNode effective(ObjectNode body) {
        ObjectNode effective = Wire.object();
        body.properties().stream()
                .filter(field -> !CONVERSATION.contains(field.getKey()) && !TRAVEL.contains(field.getKey()))
                .forEach(field -> effective.set(field.getKey(), field.getValue()));
        JsonNode read = Json.tree(Json.write(effective));
        for (String place : FORMATS) {
            if (read.at(place) instanceof ObjectNode format) {
                format.remove("schema");
            }
        }
        return read;
    }

    /** Compares the texts of the request; the answer is the list of their similarities. */
    private ModelReply compare(ModelChoice choice, ModelRequest request) throws InterruptedException {
        if (settings.type() == ProviderType.ANTHROPIC) {
            throw failures.ofNoEmbeddings();
        }
        long start = System.nanoTime();
        List<String> texts = request.texts();
        ObjectNode body = Embeddings.request(choice.model(), texts);
        Answer answer = endpoint.ask(Embeddings.PATH, body, Deadline.in(request.timeout()));
        if (!answer.isSuccess()) {
            throw failures.ofAnswer(answer);
        }
        request.answered(AnswerHeaders.ofLists(answer.headers()));
        try {
            Embeddings.Compared compared = Embeddings.compared(answer.text(), texts.size());
            return new ModelReply(
                    Message.assistant(Json.write(compared.similarities())),
                    measured(compared.usage(), settings.price(choice.model()), since(start)),
                    null,
                    List.of(),
                    new Provenance(null, effective(body), new Served(compared.model(), null, null)));
        } catch (Embeddings.IncomparableException e) {
            throw failures.ofIncomparable(e);
        }
    }

    /** The cost is unknown where input or output are not reported. */
    private static Measured measured(Usage reported, @Nullable Price price, Duration latency) {
        Usage usage = reported.ofAnswer();
        BigDecimal cost = price == null ? null : price.costUsd(usage);
        return new Measured(usage, cost, latency);
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
