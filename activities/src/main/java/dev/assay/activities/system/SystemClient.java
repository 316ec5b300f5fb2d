package dev.assay.activities.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.activities.call.RunnableKind.Asking;
import dev.assay.activities.http.AnswerTooLongException;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.tool.Secrets;
import dev.assay.domain.agent.AgentHttp;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.template.Places;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.tool.SystemAddress;
import dev.assay.domain.tool.SystemAnswer;
import dev.assay.domain.tool.ToolException;
import dev.assay.domain.usage.Measured;
import dev.assay.work.compute.AnswerTask;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.Stop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A client that asks a system under test for one case. */
final class SystemClient implements ModelClient {

    /** Longest address that is kept with an answer, in code points. */
    private static final int LONGEST_ADDRESS = 2_000;

    private final Systems with;
    private final AgentHttp system;
    private final Asking asking;
    private final Supplier<Map<String, String>> headers;
    private final Secrets secrets;

    /** @param headers with the values that their variables have at each request, in a map that ignores the case of names */
    SystemClient(
            Systems with, AgentHttp system, Asking asking, Supplier<Map<String, String>> headers, Secrets secrets) {
        this.with = with;
        this.system = system;
        this.asking = asking;
        this.headers = headers;
        this.secrets = secrets;
    }

    /**
     * @throws ModelException INVALID_INPUT when no request can be made of the case, TOOL_NOT_ALLOWED when it would leave the allow-list;
     *     else as {@link SystemFailures} says
     */
    @Override
    public ModelReply ask(ModelRequest asked) throws InterruptedException {
        SystemFailures failures = new SystemFailures(system.host(), secrets);
        HttpRequest request = request(asked);
        long start = System.nanoTime();
        HttpResponse<byte[]> response;
        try {
            response = with.http.send(request, Math.max(1, asked.timeout().toNanos()));
        } catch (TimeoutException e) {
            throw failures.ofTimeout(asked.timeout());
        } catch (AnswerTooLongException e) {
            throw failures.ofUnusable("Its " + e.getMessage() + " bytes.");
        } catch (IOException e) {
            throw failures.ofNoAnswer(e);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        SystemAnswer answer = answer(failures.text(response), failures);
        return new ModelReply(
                Message.assistant(secrets.hiddenFrom(answer.text())),
                new Measured(answer.usage().ofAnswer(), answer.costUsd(), took),
                null,
                List.of(),
                new Provenance(null, effective(request), null));
    }

    /** The request beside its headers, of which some are secrets, and its body, which holds the conversation. */
    private JsonNode effective(HttpRequest request) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("method", request.method())
                .put("url", Excerpt.of(secrets.hiddenFrom(request.uri().toString()), LONGEST_ADDRESS));
    }

    private SystemAnswer answer(String body, SystemFailures failures) throws InterruptedException {
        try {
            return system.answer().needsSearch() ? computed(body) : SystemAnswer.of(body, system.answer());
        } catch (ToolException e) {
            throw failures.ofUnusable(String.valueOf(e.getMessage()));
        }
    }

    private SystemAnswer computed(String body) throws InterruptedException {
        return switch (with.computing
                .run(asking.queue(), new AnswerTask(body, system.answer()))
                .getFirst()) {
            case Computed.Done<AnswerTask.Found>(var found) when found.answer() != null -> found.answer();
            case Computed.Done<AnswerTask.Found>(var found) -> throw new ToolException(String.valueOf(found.problem()));
            case Computed.Stopped<AnswerTask.Found>(Stop stop) ->
                throw new ToolException(stop.sentence("The search for the answer"));
        };
    }

    private HttpRequest request(ModelRequest asked) {
        try {
            Places places = new Places(prompt(asked.messages()), conversation(asked), asking.vars());
            URI target = SystemAddress.fill(system.url(), places);
            if (!with.allows(target)) {
                throw new ModelException(
                        ErrorCode.TOOL_NOT_ALLOWED,
                        "With this case the address is not on the worker's allow-list; see tools.yaml of the worker.",
                        null,
                        null);
            }
            HttpRequest.Builder builder = HttpRequest.newBuilder(target);
            Map<String, String> filled = headers.get();
            filled.forEach(builder::header);
            boolean hasType = filled.containsKey("Content-Type");
            return builder.method(system.method(), body(builder, places, hasType))
                    .build();
        } catch (ToolException e) {
            throw unusable(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            // Such as a header that HTTP does not know; the message may quote it.
            throw unusable("No request can be made of this: " + secrets.hiddenFrom(String.valueOf(e.getMessage())));
        } catch (AssayException e) {
            throw unusable(e.failure().message());
        }
    }

    private static ModelException unusable(String message) {
        return new ModelException(ErrorCode.INVALID_INPUT, message, null, null);
    }

    private HttpRequest.BodyPublisher body(HttpRequest.Builder builder, Places places, boolean hasType) {
        JsonNode body = system.body();
        if (body == null) {
            return BodyPublishers.noBody();
        }
        boolean isText = body.isTextual();
        if (!hasType) {
            builder.header("Content-Type", isText ? "text/plain; charset=utf-8" : "application/json");
        }
        return BodyPublishers.ofString(
                isText ? places.fill(body.textValue(), value -> value) : Json.write(places.fill(body)));
    }

    /** The user's messages after the last answer. */
    private static String prompt(List<Message> messages) {
        int from = messages.size();
        while (from > 0 && messages.get(from - 1).role() != Role.ASSISTANT) {
            from--;
        }
        return messages.subList(from, messages.size()).stream()
                .map(Message::text)
                .collect(Collectors.joining("\n"));
    }

    private static JsonNode conversation(ModelRequest asked) {
        ArrayNode messages = JsonNodeFactory.instance.arrayNode();
        if (asked.systemPrompt() != null) {
            messages.addObject().put("role", "system").put("content", asked.systemPrompt());
        }
        for (Message message : asked.messages()) {
            boolean isText = message.content().stream().allMatch(Content.Text.class::isInstance);
            messages.addObject()
                    .put("role", message.role().name().toLowerCase(Locale.ROOT))
                    .set(
                            "content",
                            isText
                                    ? Json.mapper().valueToTree(message.text())
                                    : Json.mapper().valueToTree(message.content()));
        }
        return messages;
    }
}
